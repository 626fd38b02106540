// Command faultengine is an engine that fails on request, for tests of whoever
// drives engines. It speaks Piskvork (five in a row), NBoard (Othello) or SAU (NoGo,
// Connect6, Phantom Go), plays a legal game in scan order, and goes wrong in the way
// its flags name:
//
//	faultengine -proto piskvork -mode crash -at 3 -code 7
//
// The modes are listed in faults.go.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"
)

// engine is one of the protocols.
type engine interface {
	// handle answers one line and reports whether to go on.
	handle(line string) bool
	// legal, illegal and occupied return move lines for the position.
	legal() string
	illegal() string
	occupied() string
}

type config struct {
	mode  string
	at    int           // the own move, counted from 1, at which it happens
	code  int           // exit status
	delay time.Duration // for slow answers
	count int
	pid   string // file for the number of a forked child
}

func main() {
	var c config
	proto := flag.String("proto", "piskvork", "piskvork, nboard or sau")
	game := flag.String("game", "nogo", "with sau: nogo, connect6 or phantomgo")
	flag.StringVar(&c.mode, "mode", "", "how to fail; empty for not at all")
	flag.IntVar(&c.at, "at", 1, "at which own move")
	flag.IntVar(&c.code, "code", 0, "exit status")
	flag.IntVar(&c.count, "count", 0, "how many lines or bytes; 0 for the mode's own")
	flag.DurationVar(&c.delay, "delay", time.Second, "how late")
	flag.StringVar(&c.pid, "pidfile", "", "where a forked child writes its number")
	flag.Parse()
	f := &faults{config: c, out: bufio.NewWriter(os.Stdout)}
	if !f.begin() {
		return
	}
	var e engine
	switch *proto {
	case "nboard":
		e = newNBoard(f)
	case "sau":
		e = newSAU(f, *game)
	default:
		e = newPiskvork(f)
	}
	f.engine = e
	in := bufio.NewReaderSize(os.Stdin, 64<<10)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			f.eof()
			return
		}
		line = strings.TrimRight(line, "\r\n")
		if !e.handle(line) {
			f.end()
			return
		}
		f.flush()
	}
}

// say writes one line.
func (f *faults) say(format string, args ...any) {
	f.mu.Lock()
	_, _ = fmt.Fprintf(f.out, format+"\n", args...)
	f.mu.Unlock()
}

func (f *faults) flush() {
	f.mu.Lock()
	_ = f.out.Flush()
	f.mu.Unlock()
}
