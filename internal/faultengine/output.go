package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"sync"

	"kibitz/link/frame"
)

// output is where an engine hears and speaks.
type output struct {
	mu     sync.Mutex // guards what it takes
	in     *bufio.Reader
	answer *bufio.Writer // takes moves and replies
	bulk   io.Writer     // takes floods, as long as somebody reads them
	framed bool          // each line goes in a counted frame
	// closeIn and closeOut close what the engine hears from and what it speaks to.
	closeIn, closeOut func()
}

func standard() *output {
	return &output{
		in: bufio.NewReaderSize(os.Stdin, 64<<10), answer: bufio.NewWriter(os.Stdout), bulk: os.Stdout,
		closeIn:  func() { closeDescriptor(os.Stdin) },
		closeOut: func() { closeDescriptor(os.Stdout) },
	}
}

func (o *output) wire(line string) []byte {
	if !o.framed {
		return []byte(line + "\n")
	}
	b, _ := frame.Append(nil, []byte(line[:min(len(line), frame.Max)]))
	return b
}

func (o *output) say(line string) { o.raw(o.wire(line)) }

func (o *output) sayf(format string, args ...any) { o.say(fmt.Sprintf(format, args...)) }

func (o *output) raw(b []byte) {
	o.mu.Lock()
	_, _ = o.answer.Write(b)
	o.mu.Unlock()
}

func (o *output) flush() {
	o.mu.Lock()
	_ = o.answer.Flush()
	o.mu.Unlock()
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

// noise says n random bytes and a line end.
func (o *output) noise(n int) { o.raw(append(noiseBytes(n), '\n')) }

// forever repeats a line until nobody takes it.
func (o *output) forever(line string) {
	o.flush()
	block := []byte(strings.Repeat(string(o.wire(line)), 40))
	for {
		o.mu.Lock()
		_, err := o.bulk.Write(block)
		o.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// errForever does the same on stderr.
func errForever() {
	block := []byte(strings.Repeat("info: nothing of interest\n", 40))
	for {
		if _, err := os.Stderr.Write(block); err != nil {
			return
		}
	}
}

// mass writes n bytes, piece by piece.
func mass(to io.Writer, n int, piece string) {
	for n > 0 {
		k, err := io.WriteString(to, piece[:min(n, len(piece))])
		if err != nil {
			return
		}
		n -= k
	}
}

func errFlood(c *config) { mass(os.Stderr, c.orOwn(64<<20), strings.Repeat("e", 99)+"\n") }

func errLine(c *config) { mass(os.Stderr, c.orOwn(64<<20), strings.Repeat("e", 4096)) }
