package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"

	"kibitz/link/frame"
)

// output is where an engine hears and speaks.
type output struct {
	in     *bufio.Reader
	answer *bufio.Writer // takes moves and replies
	bulk   io.Writer     // takes floods, as long as somebody reads them
	framed bool          // each line goes in a counted frame
	// closeIn and closeOut close what the engine hears from and what it speaks to.
	closeIn, closeOut func()
}

// standard is standard input and output.
func standard() *output {
	return &output{
		in: bufio.NewReaderSize(os.Stdin, 64<<10), answer: bufio.NewWriter(os.Stdout), bulk: os.Stdout,
		closeIn:  func() { closeDescriptor(os.Stdin) },
		closeOut: func() { closeDescriptor(os.Stdout) },
	}
}

// wire returns the bytes of a line.
func (o *output) wire(line string) []byte {
	if !o.framed {
		return []byte(line + "\n")
	}
	b, _ := frame.Append(nil, []byte(line[:min(len(line), frame.Max)]))
	return b
}

// say says one line.
func (f *faults) say(line string) { f.raw(f.out.wire(line)) }

func (f *faults) sayf(format string, args ...any) { f.say(fmt.Sprintf(format, args...)) }

// raw says bytes.
func (f *faults) raw(b []byte) {
	f.mu.Lock()
	_, _ = f.out.answer.Write(b)
	f.mu.Unlock()
}

func (f *faults) flush() {
	f.mu.Lock()
	_ = f.out.answer.Flush()
	f.mu.Unlock()
}

// half says half of the move.
func (f *faults) half() {
	b := f.out.wire(f.engine.legal())
	if !f.out.framed {
		b = b[:len(b)-1]
	}
	f.raw(b[:max(1, len(b)/2)])
	f.flush()
}

// unended says the move without its last byte.
func (f *faults) unended() {
	b := f.out.wire(f.engine.legal())
	f.raw(b[:len(b)-1])
	f.flush()
}

func (f *faults) bytewise() {
	for _, c := range f.out.wire(f.engine.legal()) {
		f.raw([]byte{c})
		f.flush()
	}
}

// noiseBytes are n random bytes, the same each time.
func noiseBytes(n int) []byte {
	r := rand.New(rand.NewPCG(4, 1959))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func (f *faults) noise() bool {
	f.raw(append(noiseBytes(4096), '\n'))
	return false
}

func (f *faults) noiseFirst() bool {
	f.raw(append(noiseBytes(64), '\n'))
	return true
}

// andStray says what nobody has asked for: another move behind the own, or replies
// before it.
func (f *faults) andStray(isMove bool) bool {
	move, reply := f.engine.stray()
	if isMove {
		f.sayMove()
		f.say(move)
		return false
	}
	f.say(reply)
	return true
}

// forever repeats a line until nobody takes it.
func (f *faults) forever(line string) {
	f.flush()
	block := []byte(strings.Repeat(string(f.out.wire(line)), 40))
	for {
		f.mu.Lock()
		_, err := f.out.bulk.Write(block)
		f.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (f *faults) errForever() {
	block := []byte(strings.Repeat("info: nothing of interest\n", 40))
	for {
		if _, err := os.Stderr.Write(block); err != nil {
			return
		}
	}
}

func (f *faults) longLine() bool {
	f.mass(f.out.bulk, f.orOwn(64<<20), strings.Repeat("x", 4096))
	if !f.out.framed {
		_, _ = f.out.bulk.Write([]byte("\n"))
	}
	return true
}

func (f *faults) errFlood() bool {
	f.mass(os.Stderr, f.orOwn(64<<20), strings.Repeat("e", 99)+"\n")
	return true
}

func (f *faults) errLine() bool {
	f.mass(os.Stderr, f.orOwn(64<<20), strings.Repeat("e", 4096))
	return true
}

// mass writes n bytes, piece by piece.
func (f *faults) mass(to io.Writer, n int, piece string) {
	f.flush()
	for n > 0 {
		k, err := io.WriteString(to, piece[:min(n, len(piece))])
		if err != nil {
			return
		}
		n -= k
	}
}

// messages writes many lines of chatter.
func (f *faults) messages() bool {
	f.flush()
	w := bufio.NewWriter(f.out.bulk)
	line := f.out.wire("MESSAGE hi")
	for range f.orOwn(300_000) {
		_, _ = w.Write(line)
	}
	_ = w.Flush()
	return true
}
