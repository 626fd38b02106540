// Package term is what all parts of the terminal share: output that remembers what could
// not be written and lets nothing harmful through, lines that are typed, colours.
package term

import (
	"errors"
	"io"
	"os"
	"slices"
	"sync"
	"syscall"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// Output is stdout with a memory: what could not be written must not look like
// success. Games of a run and orders to it write side by side.
type Output struct {
	io.Writer
	mu        sync.Mutex
	err, last error
	// Plain lets nothing through that a terminal would obey but line ends, tabs and our
	// own colours: what stands in records was written by strangers.
	Plain bool
	tail  []byte // the beginning of a character, or of a colour, of which the rest is to come
}

// Write keeps the first error.
func (o *Output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	shown := b
	if o.Plain {
		shown, o.tail = harmless(append(o.tail, b...))
	}
	n, err := o.Writer.Write(shown)
	if o.last = err; o.err == nil {
		o.err = err
	}
	if o.Plain && err == nil {
		n = len(b)
	}
	return n, err
}

// mostColour is the longest sequence that is taken for a colour.
const mostColour = 12

// harmless returns text with a mark in the place of each control character, and what
// at its end may be the beginning of something whole.
func harmless(b []byte) (text, tail []byte) {
	text = make([]byte, 0, len(b))
	for len(b) > 0 {
		if b[0] == '\x1b' {
			n, whole := colour(b)
			switch {
			case whole:
				text, b = append(text, b[:n]...), b[n:]
				continue
			case n == len(b) && n < mostColour:
				return text, slices.Clone(b)
			}
		}
		if !utf8.FullRune(b) {
			return text, slices.Clone(b)
		}
		r, n := utf8.DecodeRune(b)
		b = b[n:]
		switch {
		case r == '\r': // a line could be overwritten
			continue
		case unicode.IsControl(r) && r != '\n' && r != '\t':
			r = unicode.ReplacementChar
		}
		text = utf8.AppendRune(text, r)
	}
	return text, nil
}

// colour returns how much of b is a colour or the beginning of one, ESC [ numbers m.
func colour(b []byte) (n int, whole bool) {
	for n = 1; n < len(b); n++ {
		switch c := b[n]; {
		case n == 1 && c == '[', n > 1 && (c >= '0' && c <= '9' || c == ';'):
		case n > 1 && c == 'm':
			return n + 1, true
		default:
			return n, false
		}
	}
	return n, false
}

// Failed returns why something was not written, nil if all was. A reader that
// went away has seen what it wanted.
func (o *Output) Failed() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if errors.Is(o.err, syscall.EPIPE) {
		return nil
	}
	return o.err
}

// Caused reports whether an error is that of the latest write, which Failed tells.
func (o *Output) Caused(err error) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.last != nil && errors.Is(err, o.last)
}

// Bare returns the writer beneath, for those who must know what it is.
func Bare(w io.Writer) io.Writer {
	if o, ok := w.(*Output); ok {
		return o.Writer
	}
	return w
}

// IsTerminal reports whether people see what is written here, or type what is read.
func IsTerminal(w any) bool {
	if o, wrapped := w.(*Output); wrapped {
		w = o.Writer
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
