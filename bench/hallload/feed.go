//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// frame is what a spectator needs to know of an event of a stream.
type frame struct {
	// kind is 'v' for a snapshot, 'd' for a delta, 'o' for the end of the stream, 'x'
	// for any other event.
	kind    byte
	attempt int
	// prev is the number of the state that a delta follows, seq that which it leads to.
	prev, seq uint64
	// at is when the referee saw the event, in milliseconds since 1970; of deltas alone.
	at int64
}

// The parts of an answer.
const (
	inHead = iota
	inSize
	inBody
	inBreak
)

// prefix is how much of a line is looked at.
const prefix = 112

// feed reads events out of an HTTP/1.1 answer in chunks, piece by piece as it comes. It
// keeps the beginning of the latest line and nothing else, so that thousands are cheap.
type feed struct {
	state  byte
	kind   byte
	status int16
	n      int16 // bytes of line
	left   int   // bytes of the chunk that are still to come
	id     frame // attempt and seq of the id line
	at     int64
	prev   uint64
	line   [prefix]byte
}

var errEnd = errors.New("the answer is complete")

// read takes the next piece and calls emit for each event that is whole. errEnd tells
// that the answer is over.
func (f *feed) read(p []byte, emit func(frame)) error {
	for len(p) > 0 {
		var err error
		switch f.state {
		case inBody:
			n := min(f.left, len(p))
			err = f.body(p[:n], emit)
			p, f.left = p[n:], f.left-n
			if f.left == 0 {
				f.state = inBreak
			}
		case inHead:
			i := bytes.IndexByte(p, '\n')
			if i < 0 {
				f.keep(p)
				return nil
			}
			f.keep(p[:i])
			p = p[i+1:]
			err = f.headLine()
		default:
			err = f.between(p[0])
			p = p[1:]
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// headLine takes a line of the head.
func (f *feed) headLine() error {
	line := strings.TrimSuffix(string(f.line[:f.n]), "\r")
	f.n = 0
	switch {
	case f.status == 0:
		word := strings.Fields(line)
		if len(word) < 2 || !strings.HasPrefix(word[0], "HTTP/1.") {
			return fmt.Errorf("%q is no HTTP answer", line)
		}
		n, err := strconv.ParseInt(word[1], 10, 16)
		if err != nil || n < 100 {
			return fmt.Errorf("%q has no status", line)
		}
		f.status = int16(n)
	case line == "" && f.status != 200:
		return fmt.Errorf("answered with %d", f.status)
	case line == "":
		f.state = inSize
	}
	return nil
}

// between takes a byte between two chunks: the break after one, and the size of the next.
func (f *feed) between(c byte) error {
	if f.state == inBreak {
		if c == '\n' {
			f.state = inSize
		} else if c != '\r' {
			return fmt.Errorf("%q after a chunk", c)
		}
		return nil
	}
	switch {
	case c >= '0' && c <= '9':
		f.left = f.left<<4 + int(c-'0')
	case c >= 'a' && c <= 'f':
		f.left = f.left<<4 + int(c-'a') + 10
	case c == '\r':
	case c == '\n' && f.left == 0:
		return errEnd
	case c == '\n':
		f.state = inBody
	default:
		return fmt.Errorf("%q in the size of a chunk", c)
	}
	if f.left > 1<<26 {
		return errors.New("a chunk of more than 64 MiB")
	}
	return nil
}

// keep adds to the beginning of the line.
func (f *feed) keep(p []byte) {
	f.n += int16(copy(f.line[f.n:], p))
}

// body takes bytes of a chunk.
func (f *feed) body(p []byte, emit func(frame)) error {
	for {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			f.keep(p)
			return nil
		}
		f.keep(p[:i])
		p = p[i+1:]
		err := f.eventLine(emit)
		f.n = 0
		if err != nil {
			return err
		}
	}
}

// eventLine takes a line of an event.
func (f *feed) eventLine(emit func(frame)) error {
	line := f.line[:f.n]
	switch {
	case len(line) == 0:
		if f.kind != 0 {
			x := f.id
			x.kind, x.prev, x.at = f.kind, f.prev, f.at
			emit(x)
		}
		f.kind, f.id, f.at, f.prev = 0, frame{}, 0, 0
	case bytes.HasPrefix(line, []byte("id: ")):
		a, b, ok := bytes.Cut(line[4:], []byte("-"))
		attempt, rest1 := number(a)
		seq, rest2 := number(b)
		if !ok || len(rest1)+len(rest2) > 0 {
			return fmt.Errorf("%q names no event", line)
		}
		f.id.attempt, f.id.seq = int(attempt), seq
	case bytes.HasPrefix(line, []byte("event: ")):
		switch string(line[7:]) {
		case "view":
			f.kind = 'v'
		case "delta":
			f.kind = 'd'
		case "over":
			f.kind = 'o'
		default:
			f.kind = 'x'
		}
	case f.kind == 'd' && bytes.HasPrefix(line, []byte("data: ")):
		return f.delta(line[6:])
	}
	return nil
}

// delta reads what a delta begins with.
func (f *feed) delta(p []byte) error {
	prev, a := number(bytes.TrimPrefix(p, []byte(`{"prev":`)))
	seq, b := number(bytes.TrimPrefix(a, []byte(`,"seq":`)))
	at, c := number(bytes.TrimPrefix(b, []byte(`,"at":`)))
	if len(c) == len(b) || seq != f.id.seq {
		return fmt.Errorf("%q is no delta of event %d", p, f.id.seq)
	}
	f.prev, f.at = prev, int64(at)
	return nil
}

// number reads digits at the beginning.
func number(p []byte) (n uint64, rest []byte) {
	for len(p) > 0 && p[0] >= '0' && p[0] <= '9' {
		n, p = n*10+uint64(p[0]-'0'), p[1:]
	}
	return n, p
}
