// Command faultengine is an engine that fails on request, for tests of whoever
// drives engines. It speaks every protocol, plays a legal game in scan order, and goes
// wrong in the way its flags name:
//
//	faultengine -proto piskvork -mode crash -at 3 -code 7
//
// The modes are listed in modes.go; -list prints them. Piskvork, NBoard and half of the
// games of SAU are spoken by tables of its own, which share nothing with the hosts that
// are tested; the other protocols by the engine sides of the project.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"time"
)

// engine says the moves of one protocol, each without the line end.
type engine interface {
	// legal, illegal and occupied return moves for the position.
	legal() string
	illegal() string
	occupied() string
	// stray returns what nobody asked for: a move, and a reply.
	stray() (move, reply string)
}

type config struct {
	mode    string
	at      int           // the own move, counted from 1, at which it happens; 0: the start
	code    int           // exit status
	delay   time.Duration // for slow answers
	hold    time.Duration // of what was taken, before the move
	count   int
	pid     string // file for the number of a child that stays
	target  string // file or address outside
	proto   string
	game    string
	address []string   // of the manager, where the engine connects to it
	held    []*os.File // open until the end
}

// orOwn returns -count, or n if it was not given.
func (c *config) orOwn(n int) int {
	if c.count > 0 {
		return c.count
	}
	return n
}

func main() {
	var c config
	flag.StringVar(&c.proto, "proto", "piskvork", "piskvork, nboard, sau, gtp, dctp, ponder, ponder-old or readfile")
	flag.StringVar(&c.game, "game", "", "the game, with sau and gtp; empty for nogo and gomoku")
	flag.StringVar(&c.mode, "mode", "", "how to fail; empty for not at all (-list prints them)")
	flag.IntVar(&c.at, "at", 1, "at which own move; 0 for the start")
	flag.IntVar(&c.code, "code", 0, "exit status")
	flag.IntVar(&c.count, "count", 0, "how many lines, bytes, children, files; 0 for the mode's own")
	flag.DurationVar(&c.delay, "delay", time.Second, "how late")
	flag.DurationVar(&c.hold, "hold", time.Second, "how long what was taken is held before the move, so that whoever looks from time to "+
		"time sees it")
	flag.StringVar(&c.pid, "pidfile", "", "where a child that stays writes its number")
	flag.StringVar(&c.target, "target", "", "a file, or host:port, that is none of the engine's business")
	child := flag.String("child", "", "what to do as a child of another fault engine")
	list := flag.Bool("list", false, "print the modes")
	flag.Parse()
	switch {
	case *list:
		for _, m := range modes() {
			fmt.Printf("%s\t%s\t%s\n", m.name, m.when, m.doc)
		}
		return
	case *child != "":
		asChild(*child, c.pid)
		return
	}
	c.address = flag.Args()
	if err := start(c); err != nil {
		_, _ = fmt.Fprintf(os.Stderr, "faultengine: %v\n", err)
		os.Exit(64)
	}
}

// start plays as the flags say until the manager ends.
func start(c config) error {
	m, err := find(c.mode, c.at)
	if err != nil {
		return err
	}
	f := &faults{config: c, how: m, out: standard()}
	switch {
	case c.proto == "piskvork":
		f.converse(newPiskvork(f))
	case c.proto == "nboard":
		f.converse(newNBoard(f))
	case c.proto == "sau" && (c.game == "" || c.game == "nogo" || c.game == "connect6" || c.game == "phantomgo"):
		f.converse(newSAU(f, c.game))
	case c.proto == "readfile":
		return f.answerFile()
	default:
		return f.serve()
	}
	return nil
}

// lines is an engine that answers line by line.
type lines interface {
	engine
	// handle answers one line and reports whether to go on.
	handle(line string) bool
}

// converse answers what comes on standard input.
func (f *faults) converse(e lines) {
	f.engine = e
	f.begin()
	for {
		line, err := f.out.in.ReadString('\n')
		if err != nil {
			f.eof()
			return
		}
		if !e.handle(strings.TrimRight(line, "\r\n")) {
			f.end()
			return
		}
		f.out.flush()
	}
}
