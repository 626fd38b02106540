package main

import (
	"os"
	"os/exec"
	"time"
)

// child returns a command that runs this program as a child.
func child(kind, pidfile string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		tell("the own program is not known: %v", why(err))
		os.Exit(90)
	}
	return exec.Command(self, "-child", kind, "-pidfile", pidfile)
}

// asChild is the life of a child.
func asChild(kind, pidfile string) {
	switch kind {
	case "exit":
	case "sleep": // outlives the request to end
		ignoreTerm()
		writePID(pidfile)
		time.Sleep(childLife)
	case "hide":
		hide(pidfile)
	case "between", "between-bare": // the first of two forks: it starts the second, and ends
		kind, bare := "sleep", kind == "between-bare"
		if bare {
			kind = "hide"
		}
		cmd := child(kind, pidfile)
		ownSession(cmd)
		if bare {
			cmd.Args[0] = "[kworker/0:1]"
		}
		if err := cmd.Start(); err != nil {
			tell("cannot fork: %v", why(err))
			os.Exit(91)
		}
	}
}

// fork starts a child that holds the output.
func fork(c *config) {
	cmd := child("sleep", c.pid)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		tell("cannot fork: %v", why(err))
		os.Exit(91)
	}
}

// forks starts many children.
func forks(c *config) {
	n := min(c.orOwn(200), 200)
	for i := range n {
		if err := child("sleep", "").Start(); err != nil {
			tell("cannot start more than %d children: %v", i, why(err))
			return
		}
	}
	tell("started %d children", n)
	time.Sleep(c.hold)
}

// zombies starts children that end, and leaves them.
func zombies(c *config) {
	n := c.orOwn(50)
	for i := range n {
		if err := child("exit", "").Start(); err != nil {
			tell("cannot start more than %d children: %v", i, why(err))
			return
		}
	}
	tell("left %d children", n)
}

// daemon forks twice and waits until the grandchild has begun its life.
func daemon(c *config, kind string, env bool) {
	between := "between"
	if kind == "hide" {
		between = "between-bare"
	}
	cmd := child(between, c.pid)
	cmd.Stderr = os.Stderr
	if !env {
		cmd.Env = []string{}
	}
	if cmd.Run() != nil {
		return // it has told why
	}
	for end := time.Now().Add(2 * time.Second); c.pid != "" && time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if b, err := os.ReadFile(c.pid); err == nil && len(b) > 0 {
			break
		}
	}
	tell("the grandchild lives")
}
