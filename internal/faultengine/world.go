package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// tell says on stderr what became of an attempt.
func tell(format string, args ...any) {
	_, _ = fmt.Fprintf(os.Stderr, "fault: "+format+"\n", args...)
}

// why returns what the system said, without the names of what it was about.
func why(err error) error {
	if no, ok := errors.AsType[syscall.Errno](err); ok {
		return no
	}
	return err
}

func readTarget(c *config) {
	if b, err := os.ReadFile(c.target); err != nil {
		tell("cannot read: %v", why(err))
	} else {
		tell("read %d bytes", len(b))
	}
}

func writeTarget(c *config) {
	if err := os.WriteFile(c.target, []byte("the fault engine was here\n"), 0o600); err != nil {
		tell("cannot write: %v", why(err))
	} else {
		tell("wrote to it")
	}
}

func removeTarget(c *config) {
	if err := os.Remove(c.target); err != nil {
		tell("cannot remove: %v", why(err))
	} else {
		tell("removed it")
	}
}

// connect reaches for the target over the network.
func connect(c *config, network string) {
	conn, err := net.DialTimeout(network, c.target, 2*time.Second)
	if err == nil {
		_, err = conn.Write([]byte("the fault engine was here\n"))
		_ = conn.Close()
	}
	if err != nil {
		tell("cannot reach the network: %v", why(err))
	} else {
		tell("reached it by %s", network)
	}
}

// fill writes n bytes to a file and tells how far it came.
func fill(file *os.File, err error, n int) {
	if err != nil {
		tell("cannot create a file: %v", why(err))
		return
	}
	block := noiseBytes(1 << 20)
	for done := 0; done < n; {
		k, err := file.Write(block[:min(len(block), n-done)])
		done += k
		if err != nil {
			tell("cannot write more than %d MB: %v", done>>20, why(err))
			_ = file.Close()
			return
		}
	}
	_ = file.Close()
	tell("wrote %d MB", n>>20)
}

func fillTemp(c *config) {
	file, err := os.CreateTemp("", "fault-")
	fill(file, err, c.orOwn(256<<20))
	time.Sleep(c.hold)
}

func bigFile(c *config) {
	here, err := os.Getwd()
	if err != nil {
		tell("there is no own folder: %v", why(err))
		return
	}
	file, err := os.Create(filepath.Join(here, "fault-big.dat"))
	fill(file, err, c.orOwn(256<<20))
}

// openFiles keeps files open until the process ends.
func openFiles(c *config) {
	n := c.orOwn(4096)
	for range n {
		file, err := os.Open(os.DevNull)
		if err != nil {
			tell("cannot open more than %d files: %v", len(c.held), why(err))
			return
		}
		c.held = append(c.held, file)
	}
	tell("opened %d files", n)
}

// memory takes memory and touches each page, piece by piece.
func memory(c *config) {
	const piece = 16 << 20
	n := c.orOwn(2 << 30)
	for done := 0; done < n; done += piece {
		b, err := take(min(piece, n-done))
		if err != nil {
			tell("cannot take more than %d MB: %v", done>>20, why(err))
			dieBy("ABRT") // as who does not look for it
			time.Sleep(forEver)
		}
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
	}
	tell("took %d MB", n>>20)
	time.Sleep(c.hold)
}

// threads keeps threads busy with sleeping.
func threads(c *config) {
	n := c.orOwn(500)
	up := make(chan struct{})
	for range n {
		go func() {
			runtime.LockOSThread()
			up <- struct{}{}
			time.Sleep(forEver)
		}()
	}
	for range n {
		<-up
	}
	tell("started %d threads", n)
	time.Sleep(c.hold)
}
