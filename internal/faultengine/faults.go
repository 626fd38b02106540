package main

import (
	"bufio"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// faults goes wrong. Modes that name a move happen at the own move -at:
//
//	crash       exit with -code at the move
//	signal      die by a signal at the move
//	panic       lines on stderr, then exit 2 at the move
//	hang        never answer the move
//	late        answer after -delay
//	garbage     one line of nonsense instead of the move
//	babble      nonsense for ever instead of the move
//	longline    -count bytes (64 MB) without an end, then the move
//	messages    -count (300000) lines of chatter, then the move
//	endless     chatter for ever from the move on, the move never
//	errflood    -count bytes (64 MB) on stderr, then the move
//	half        half of a line, then nothing
//	halfexit    half of a line, then exit
//	closeout    close stdout and live on
//	illegal     a move off the board
//	occupied    a move to an occupied point
//	twice       the move two times
//	noread      answer, then never read again
//
// and the others:
//
//	neverready  never answer a greeting
//	exitstart   exit with -code before any answer
//	slowstart   wait -delay before the first answer
//	chatter     chatter for ever in the background, moves as usual
//	exitafterend, noexit   at END exit at once (as without a mode), or never
//	spin        at the end of the input burn the processor and repeat a line
//	fork        start a child that outlives TERM and holds the output
//	forkexit    the same, and exit at the move
//	noterm      ignore TERM and END
//
// and of SAU:
//
//	exitonend   leave when a game is over
//	crashonend  die by a signal when a game is over
//	crashonnone die by a signal at a move with "@@"
//	neverresend a move off the board, and prose in answer to error
//	nameonce    do not answer name? after a game
type faults struct {
	config
	engine engine
	mu     sync.Mutex
	out    *bufio.Writer
	moves  int
}

// childMode is the mode of the process that fork starts.
const childMode = "child"

// begin does what happens before the first line and reports whether to go on.
func (f *faults) begin() bool {
	switch f.mode {
	case "exitstart":
		_, _ = os.Stderr.WriteString("cannot open data/eval.dat\n")
		os.Exit(f.code)
	case "slowstart":
		time.Sleep(f.delay)
	case "noterm":
		signal.Ignore(syscall.SIGTERM)
	case "fork", "forkexit":
		f.fork()
	case "chatter":
		go f.forever("MESSAGE still thinking about it")
	case childMode:
		signal.Ignore(syscall.SIGTERM)
		_ = os.WriteFile(f.pid, []byte(strconv.Itoa(os.Getpid())), 0o600)
		time.Sleep(time.Hour)
		return false
	}
	return true
}

func (f *faults) fork() {
	self, err := os.Executable()
	if err != nil {
		os.Exit(90)
	}
	cmd := exec.Command(self, "-mode", childMode, "-pidfile", f.pid)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if cmd.Start() != nil {
		os.Exit(91)
	}
}

// ready reports whether to answer a greeting.
func (f *faults) ready() bool { return f.mode != "neverready" }

// move says a move, or what comes instead of it.
func (f *faults) move() {
	if f.moves++; f.moves != f.at {
		f.say("%s", f.engine.legal())
		return
	}
	if f.instead() {
		f.say("%s", f.engine.legal())
	}
	if f.mode == "noread" {
		f.flush()
		time.Sleep(time.Hour)
	}
}

// instead does what the mode says and reports whether the move follows.
func (f *faults) instead() bool {
	switch f.mode {
	case "crash", "forkexit":
		f.flush()
		os.Exit(f.code)
	case "signal":
		f.kill()
	case "panic":
		_, _ = os.Stderr.WriteString("assertion failed: depth > 0\n  at search.cpp:12\n")
		os.Exit(2)
	case "hang":
		f.flush()
		time.Sleep(time.Hour)
	case "late":
		f.flush()
		time.Sleep(f.delay)
	case "garbage":
		f.say("hello world")
		return false
	case "babble":
		f.forever("hello world")
	case "endless":
		f.forever("MESSAGE on and on and on")
	case "half", "halfexit":
		f.half()
		return false
	case "closeout":
		f.flush()
		_ = os.Stdout.Close()
		time.Sleep(time.Hour)
	case "illegal", "neverresend":
		f.say("%s", f.engine.illegal())
		return false
	case "occupied":
		f.say("%s", f.engine.occupied())
		return false
	default:
		f.flood()
	}
	return true
}

// kill ends the process by a signal.
func (f *faults) kill() {
	f.flush()
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Kill()
	}
	time.Sleep(time.Hour)
}

// flood puts a mass of output before the move.
func (f *faults) flood() {
	switch f.mode {
	case "twice":
		f.say("%s", f.engine.legal())
	case "longline":
		f.mass(os.Stdout, 64<<20, strings.Repeat("x", 4096))
		f.say("")
	case "errflood":
		f.mass(os.Stderr, 64<<20, strings.Repeat("e", 99)+"\n")
	case "messages":
		n := f.count
		if n == 0 {
			n = 300_000
		}
		for range n {
			f.say("MESSAGE hi")
		}
	}
}

func (f *faults) mass(to *os.File, n int, piece string) {
	if f.count > 0 {
		n = f.count
	}
	f.flush()
	for n > 0 {
		k, err := to.WriteString(piece[:min(n, len(piece))])
		if err != nil {
			return
		}
		n -= k
	}
}

func (f *faults) half() {
	line := f.engine.legal()
	f.mu.Lock()
	_, _ = f.out.WriteString(line[:max(1, len(line)/2)])
	_ = f.out.Flush()
	f.mu.Unlock()
	if f.mode == "halfexit" {
		os.Exit(f.code)
	}
}

// forever repeats a line until nobody takes it.
func (f *faults) forever(line string) {
	block := strings.Repeat(line+"\n", 40)
	for {
		f.mu.Lock()
		_, err := f.out.WriteString(block)
		if err == nil {
			err = f.out.Flush()
		}
		f.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// end is called when the manager said goodbye.
func (f *faults) end() {
	f.flush()
	if f.mode == "noexit" || f.mode == "noterm" {
		for {
			time.Sleep(time.Hour)
		}
	}
}

// eof is called at the end of the input.
func (f *faults) eof() {
	if f.mode == "spin" {
		f.forever("OK")
		for n := 0; ; n++ { // burning the processor is the point
		}
	}
	f.end()
}
