package protocol_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/link"
	"kibitz/protocol"
)

// What was read, what was wanted and the likely cause are in the words of a failure.
func TestFailedSaysWhatWasRead(t *testing.T) {
	hint := func(line []byte) (string, bool) {
		switch string(line) {
		case "(7,7)":
			return "write 7,7", true
		case "best 7,7":
			return "write 7,7", false
		}
		return "", false
	}
	for _, k := range []struct {
		said   string
		late   game.Reason
		reason game.Reason
		detail string
	}{
		{"", game.ByTime, game.ByTime, "no answer in time, waiting: nothing was read"},
		{"7,7", game.ByTime, game.ByTime, `no answer in time, waiting: read "7,7" without a line end: does the engine end its lines?`},
		{"thinking\n7,7", game.ByStall, game.ByStall, `no answer in time, waiting: read "7,7" without a line end: does the engine end its lines?`},
		{"thinking\n", game.ByTime, game.ByTime, `no answer in time, waiting: read "thinking"`},
		{"one\ntwo\x1b[2J\n", game.ByTime, game.ByTime, `no answer in time, waiting: read 2 lines, the last "two\x1b[2J"`},
		{"best 7,7\n", game.ByTime, game.ByTime, `no answer in time, waiting: read "best 7,7": write 7,7`},
		{"(7,7)\n", game.ByTime, game.ByProtocol, `the engine answered "(7,7)": write 7,7`},
		{"(7,7)\n", game.ByStart, game.ByStart, `the engine answered "(7,7)": write 7,7`},
		{"(7,7)\nthinking\n", game.ByTime, game.ByTime, `no answer in time, waiting: read 2 lines, the last "thinking"`},
		{strings.Repeat("x", 500) + "\n", game.ByTime, game.ByTime, `no answer in time, waiting: read "` + strings.Repeat("x", 160) + `"`},
	} {
		near, far := link.Pipe()
		w := protocol.Wire{Hint: hint}
		w.Attach(near)
		if err := far.Write([]byte("before the question\n")); err != nil {
			t.Fatal(err)
		}
		if _, err := w.ReadLine(time.Time{}); err != nil {
			t.Fatal(err)
		}
		if err := w.Send([]byte("question\n")); err != nil {
			t.Fatal(err)
		}
		if err := far.Write([]byte("\n" + k.said)); err != nil {
			t.Fatal(err)
		}
		var err error
		for {
			var line []byte
			if line, err = w.ReadLine(time.Unix(1, 0)); err != nil {
				break
			}
			w.Passed(time.Now(), line)
		}
		if f := w.Failed(err, k.late, "waiting"); f.Reason != k.reason || f.Detail != k.detail {
			t.Errorf("%.40q: %s, %s\nwant %s, %s", k.said, f.Reason, f.Detail, k.reason, k.detail)
		}
	}
}

// What is plainly meant as the answer is waited for no longer than a moment, unless
// something follows.
func TestPassedWaitsAMoment(t *testing.T) {
	near, far := link.Pipe()
	w := protocol.Wire{Hint: func(line []byte) (string, bool) { return "write 7,7", len(line) < 4 }}
	w.Attach(near)
	long := time.Now().Add(time.Hour)
	read := func() ([]byte, error) {
		line, err := w.ReadLine(long)
		if err == nil {
			w.Passed(time.Now().Add(-time.Hour), line) // the moment is over
		}
		return line, err
	}
	if err := far.Write([]byte("7 7\nlonger\n")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := read(); err != nil {
			t.Fatal(err)
		}
	}
	if w.Misformed() != nil {
		t.Error("something followed")
	}
	if err := far.Write([]byte("7 7\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := read(); err != nil {
		t.Fatal(err)
	}
	if _, err := read(); !errors.Is(err, os.ErrDeadlineExceeded) || w.Misformed() == nil {
		t.Errorf("%v, %v", err, w.Misformed())
	}
}
