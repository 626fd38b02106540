package frame_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"kibitz/link"
	"kibitz/link/frame"
)

func TestBytes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"/turn 1 2", "0900" + hex.EncodeToString([]byte("/turn 1 2"))},
		{strings.Repeat("x", 130), "0201" + strings.Repeat("78", 130)},
		{strings.Repeat("x", frame.Max), "7f7f" + strings.Repeat("78", frame.Max)},
		{"", "0000"},
	} {
		got, err := frame.Append(nil, []byte(c.text))
		if err != nil || hex.EncodeToString(got) != c.want {
			t.Errorf("%d bytes: %.40x %v", len(c.text), got, err)
		}
	}
	if _, err := frame.Append(nil, make([]byte, frame.Max+1)); err == nil {
		t.Error("a text that is too long has no error")
	}
}

// counted counts the writes that reach it.
type counted struct {
	bytes.Buffer
	writes int
}

func (c *counted) Write(p []byte) (int, error) {
	c.writes++
	return c.Buffer.Write(p)
}

func TestOneSendEach(t *testing.T) {
	var c counted
	n, err := frame.NewWriter(&c).Write([]byte("/start\n\n/turn 1 2\n/exit"))
	if err != nil || n != 23 || c.writes != 3 {
		t.Fatalf("%d bytes taken, %d writes, %v", n, c.writes, err)
	}
	got, err := io.ReadAll(frame.NewReader(iotest.OneByteReader(&c.Buffer)))
	if err != nil || string(got) != "/start\n/turn 1 2\n/exit\n" {
		t.Errorf("%q %v", got, err)
	}
}

// What came together is handed on together: who reads the first line has the others, too.
func TestOneReadOfAll(t *testing.T) {
	var b bytes.Buffer
	_, _ = frame.NewWriter(&b).Write([]byte("/flip b8\n/flip b8\n/exit\n"))
	b.Write([]byte{5, 0, 'h'}) // a frame that is still to come
	p := make([]byte, 100)
	n, err := frame.NewReader(&b).Read(p)
	if err != nil || string(p[:n]) != "/flip b8\n/flip b8\n/exit\n" {
		t.Errorf("%q %v", p[:n], err)
	}
}

func TestBrokenStreams(t *testing.T) {
	for _, c := range []struct {
		in   string
		want error
	}{
		{"\x80\x00", frame.ErrHeader},
		{"\x00\xff", frame.ErrHeader},
		{"\x05", io.ErrUnexpectedEOF},
		{"\x05\x00ab", io.ErrUnexpectedEOF},
		{"\x05\x00", io.ErrUnexpectedEOF},
		{"\x00\x00", nil},
	} {
		if got, err := io.ReadAll(frame.NewReader(strings.NewReader(c.in))); !errors.Is(err, c.want) || len(got) != 0 {
			t.Errorf("%q: %q %v", c.in, got, err)
		}
	}
}

func TestConn(t *testing.T) {
	a, b := net.Pipe()
	left, right := frame.NewConn(a, link.Options{}), frame.NewConn(b, link.Options{})
	for _, text := range []string{"/move a2-a3", strings.Repeat("y", 5000)} {
		if err := left.Write([]byte(text + "\n")); err != nil {
			t.Fatal(err)
		}
		line, err := right.ReadLine(time.Now().Add(time.Minute))
		if err != nil || string(line) != text {
			t.Fatalf("%.40q %v", line, err)
		}
	}
	if _, err := a.Write([]byte{5, 200}); err != nil {
		t.Fatal(err)
	}
	if _, err := right.ReadLine(time.Now().Add(time.Minute)); !errors.Is(err, frame.ErrHeader) || !errors.Is(err, link.ErrGarbled) {
		t.Errorf("a length of 200: %v", err)
	}
	if err := left.Close(); err != nil {
		t.Fatal(err)
	}
	if err := right.Close(); err != nil {
		t.Error(err)
	}
}

// What is written as lines is read back as the same lines, whatever the pieces.
func FuzzLines(f *testing.F) {
	f.Add([]byte("/start\n/turn 1 2\n"))
	f.Add([]byte("a\r\n\nb"))
	f.Fuzz(func(t *testing.T, p []byte) {
		var b bytes.Buffer
		if _, err := frame.NewWriter(&b).Write(p); err != nil {
			return
		}
		got, err := io.ReadAll(frame.NewReader(iotest.HalfReader(&b)))
		if err != nil {
			t.Fatal(err)
		}
		var want []byte
		for line := range bytes.SplitSeq(p, []byte("\n")) {
			if len(line) > 0 {
				want = append(append(want, bytes.ReplaceAll(line, []byte("\r"), []byte(" "))...), '\n')
			}
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("%q became %q", want, got)
		}
	})
}
