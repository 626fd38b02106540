package main

import (
	"bufio"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// faults goes wrong in one way of modes.go.
type faults struct {
	config
	how    mode
	engine engine
	out    *output
	moves  int
	moved  string // the latest move
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
	f.out.say(f.moved)
}

// lastMove says the move and nothing after it.
func (f *faults) lastMove() bool {
	f.sayMove()
	return f.hang()
}

func (f *faults) half() {
	b := f.out.wire(f.engine.legal())
	if !f.out.framed {
		b = b[:len(b)-1]
	}
	f.out.raw(b[:max(1, len(b)/2)])
	f.out.flush()
}

// unended says the move without its last byte.
func (f *faults) unended() {
	b := f.out.wire(f.engine.legal())
	f.out.raw(b[:len(b)-1])
	f.out.flush()
}

func (f *faults) bytewise() {
	for _, c := range f.out.wire(f.engine.legal()) {
		f.out.raw([]byte{c})
		f.out.flush()
	}
}

// andStray says what nobody has asked for: another move behind the own, or replies
// before it.
func (f *faults) andStray(isMove bool) bool {
	move, reply := f.engine.stray()
	if isMove {
		f.sayMove()
		f.out.say(move)
		return false
	}
	f.out.say(reply)
	return true
}

// longLine says bytes and then their end.
func (f *faults) longLine() bool {
	f.out.flush()
	mass(f.out.bulk, f.orOwn(64<<20), strings.Repeat("x", 4096))
	if !f.out.framed {
		_, _ = f.out.bulk.Write([]byte("\n"))
	}
	return true
}

// messages says many lines of chatter.
func (f *faults) messages() bool {
	f.out.flush()
	w := bufio.NewWriter(f.out.bulk)
	line := f.out.wire("MESSAGE hi")
	for range f.orOwn(300_000) {
		_, _ = w.Write(line)
	}
	_ = w.Flush()
	return true
}

// end is called when the manager said goodbye.
func (f *faults) end() {
	f.out.flush()
	if f.mode == "noexit" || f.mode == "noterm" {
		f.hang()
	}
}

// eof is called at the end of the input.
func (f *faults) eof() {
	if f.mode == "spin" {
		f.out.forever("OK")
		f.busy()
	}
	f.end()
}

func (f *faults) crash() bool {
	f.out.flush()
	os.Exit(f.code)
	return false
}

func (f *faults) panics() bool {
	f.out.flush()
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
	f.out.flush()
	dieBy(name)
	return f.hang() // the signal may take a moment
}

func (f *faults) hang() bool {
	f.out.flush()
	time.Sleep(forEver)
	return false
}

func (f *faults) busy() bool {
	f.out.flush()
	for n := 0; ; n++ { // burning the processor is the point
	}
}

func (f *faults) stop() bool {
	f.out.flush()
	stopSelf()
	time.Sleep(time.Second) // the signal may take a moment to reach this thread
	return true             // for whoever continues it
}

func (f *faults) late() bool {
	f.out.flush()
	time.Sleep(f.delay)
	return true
}

// shut closes descriptors in the order given. Who has closed its output has nothing
// more to say.
func (f *faults) shut(order ...string) bool {
	f.out.flush()
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
