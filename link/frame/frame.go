// Package frame carries lines in counted frames, as the Ponder protocol of dark
// chess does: two bytes of length, the first the length modulo 128, the second
// the length divided by 128, then as many bytes of text without an end of line.
package frame

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"

	"kibitz/link"
)

// Max is the longest text of one frame in bytes.
const Max = 127*128 + 127

// Append appends the frame of a text. A text longer than Max is an error.
func Append(dst, text []byte) ([]byte, error) {
	if len(text) > Max {
		return dst, fmt.Errorf("a text of %d bytes does not fit into a frame: at most %d", len(text), Max)
	}
	dst = append(dst, byte(len(text)%128), byte(len(text)/128))
	return append(dst, text...), nil
}

// ErrHeader is the error of a stream whose length bytes are not below 128.
var ErrHeader = fmt.Errorf("the length of a frame is no two numbers below 128: %w", link.ErrGarbled)

// Reader turns frames into lines: each text with a line feed behind it. Line ends
// within a text become blanks, so that one frame is one line.
type Reader struct {
	r    *bufio.Reader
	line []byte // what is left to hand on
	buf  []byte
}

// NewReader returns a reader of the frames of r.
func NewReader(r io.Reader) *Reader { return &Reader{r: bufio.NewReader(r)} }

// Read implements io.Reader. Frames that came together are handed on together, so that
// who reads a line knows what came behind it. A stream that ends within a frame is
// io.ErrUnexpectedEOF.
func (r *Reader) Read(p []byte) (done int, err error) {
	for done < len(p) {
		if len(r.line) == 0 {
			if done > 0 && !r.whole() {
				break
			}
			if err := r.next(); err != nil {
				return done, err
			}
			continue
		}
		n := copy(p[done:], r.line)
		r.line = r.line[n:]
		done += n
	}
	return done, nil
}

// whole reports whether the next frame is there to its end.
func (r *Reader) whole() bool {
	if r.r.Buffered() < 2 {
		return false
	}
	head, err := r.r.Peek(2)
	return err == nil && head[0] < 128 && head[1] < 128 && r.r.Buffered() >= 2+int(head[0])+int(head[1])*128
}

// next reads a frame; one without text leaves no line.
func (r *Reader) next() error {
	var head [2]byte
	if _, err := io.ReadFull(r.r, head[:]); err != nil {
		return err
	}
	if head[0] >= 128 || head[1] >= 128 {
		return fmt.Errorf("%w: %d and %d", ErrHeader, head[0], head[1])
	}
	n := int(head[0]) + int(head[1])*128
	if cap(r.buf) <= n {
		r.buf = make([]byte, n+1)
	}
	text := r.buf[:n]
	if _, err := io.ReadFull(r.r, text); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	for i, c := range text {
		if c == '\n' || c == '\r' {
			text[i] = ' '
		}
	}
	if n > 0 {
		r.buf[n] = '\n'
		r.line = r.buf[:n+1]
	}
	return nil
}

// Writer turns lines into frames, each sent by one write of its own: engines
// take a header that comes without its text for a broken connection.
type Writer struct {
	w   io.Writer
	buf []byte
}

// NewWriter returns a writer of frames to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write implements io.Writer: every line of p becomes a frame. What stands behind
// the last line feed is a line too.
func (w *Writer) Write(p []byte) (int, error) {
	done := 0
	for done < len(p) {
		text, skip := p[done:], len(p)-done
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			text, skip = text[:i], i+1
		}
		if len(text) > 0 {
			var err error
			if w.buf, err = Append(w.buf[:0], text); err == nil {
				_, err = w.w.Write(w.buf)
			}
			if err != nil {
				return done, err
			}
		}
		done += skip
	}
	return done, nil
}

// NewConn returns a line connection over the frames of c. Close closes c.
func NewConn(c net.Conn, o link.Options) link.Conn {
	return link.NewStream(NewReader(c), NewWriter(c), c.Close, o)
}
