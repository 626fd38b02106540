package main

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// faults goes wrong in one way of modes.go.
type faults struct {
	config
	how    mode
	engine engine
	mu     sync.Mutex // guards the output
	out    *output
	moves  int
	moved  string     // the latest move
	held   []*os.File // open until the end
}

// forEver is how long what sleeps for ever sleeps, childLife the same of a child.
const (
	forEver   = time.Hour
	childLife = 10 * time.Minute
)

// begin does what happens before the first line.
func (f *faults) begin() {
	if f.how.first != nil {
		f.how.first(f)
	}
	if f.how.run != nil && (f.how.when == begins || f.how.when == moves && f.at == 0) {
		f.how.run(f)
	}
}

// ready reports whether to answer a greeting.
func (f *faults) ready() bool { return f.mode != "neverready" }

// move says a move, or what comes instead of it.
func (f *faults) move() {
	if f.moves++; f.moves == f.at && f.how.run != nil && f.how.when != begins && !f.how.run(f) {
		return
	}
	f.sayMove()
}

func (f *faults) sayMove() {
	f.moved = f.engine.legal()
	f.say(f.moved)
}

// again says the latest move once more.
func (f *faults) again() { f.say(f.moved) }

// lastMove says the move and nothing after it.
func (f *faults) lastMove() bool {
	f.sayMove()
	return f.hang()
}

// end is called when the manager said goodbye.
func (f *faults) end() {
	f.flush()
	if f.mode == "noexit" || f.mode == "noterm" {
		f.hang()
	}
}

// eof is called at the end of the input.
func (f *faults) eof() {
	if f.mode == "spin" {
		f.forever("OK")
		f.busy()
	}
	f.end()
}

func (f *faults) crash() bool {
	f.flush()
	os.Exit(f.code)
	return false
}

func (f *faults) panics() bool {
	f.flush()
	_, _ = os.Stderr.WriteString("assertion failed: depth > 0\n  at search.cpp:12\n")
	os.Exit(2)
	return false
}

func (f *faults) exitStart() bool {
	_, _ = os.Stderr.WriteString("cannot open data/eval.dat\n")
	return f.crash()
}

// die ends the process by a signal of that name.
func (f *faults) die(name string) bool {
	f.flush()
	dieBy(name)
	return f.hang() // the signal may take a moment
}

func (f *faults) hang() bool {
	f.flush()
	time.Sleep(forEver)
	return false
}

func (f *faults) busy() bool {
	f.flush()
	for n := 0; ; n++ { // burning the processor is the point
	}
}

func (f *faults) stop() bool {
	f.flush()
	stopSelf()
	time.Sleep(time.Second) // the signal may take a moment to reach this thread
	return true             // for whoever continues it
}

func (f *faults) late() bool {
	f.flush()
	time.Sleep(f.delay)
	return true
}

// shut closes descriptors in the order given. Who has closed its output has nothing
// more to say.
func (f *faults) shut(order ...string) bool {
	f.flush()
	speechless := false
	for _, which := range order {
		switch which {
		case "in":
			f.out.closeIn()
		case "out":
			f.out.closeOut()
			speechless = true
		case "err":
			closeDescriptor(os.Stderr)
		}
	}
	if speechless {
		return f.hang()
	}
	return true
}

// ignoreTerm makes the process outlive the request to end.
func ignoreTerm() { signal.Ignore(syscall.SIGTERM) }

// orOwn returns -count, or n if it was not given.
func (f *faults) orOwn(n int) int {
	if f.count > 0 {
		return f.count
	}
	return n
}
