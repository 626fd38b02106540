package link_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/internal/leaks"
	"kibitz/link"
)

func TestMain(m *testing.M) { leaks.Main(m) }

func TestPipeDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := link.Pipe()
		begin := time.Now()
		_, err := a.ReadLine(begin.Add(3 * time.Second))
		if !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(begin) != 3*time.Second {
			t.Fatalf("%v after %v", err, time.Since(begin))
		}
		go func() {
			time.Sleep(time.Second)
			_ = b.Write([]byte("one\r\ntwo\nthr"))
			time.Sleep(time.Second)
			_ = b.Write([]byte("ee\n"))
		}()
		for i, want := range []string{"one", "two", "three"} {
			line, err := a.ReadLine(time.Now().Add(time.Minute))
			if err != nil || string(line) != want {
				t.Fatalf("%d: %q %v", i, line, err)
			}
		}
		if d := time.Since(begin); d != 5*time.Second {
			t.Errorf("took %v", d)
		}
		// A line that is there comes even when the deadline has passed.
		_ = b.Write([]byte("late\n"))
		if line, err := a.ReadLine(time.Now().Add(-time.Second)); err != nil || string(line) != "late" {
			t.Errorf("%q %v", line, err)
		}
		if _, err := a.ReadLine(time.Now().Add(-time.Second)); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%v", err)
		}
	})
}

func TestPipeInterrupt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := link.Pipe()
		a.Interrupt()
		if _, err := a.ReadLine(time.Time{}); !errors.Is(err, link.ErrInterrupted) {
			t.Fatal(err)
		}
		go func() {
			time.Sleep(time.Second)
			a.Interrupt()
		}()
		if _, err := a.ReadLine(time.Time{}); !errors.Is(err, link.ErrInterrupted) {
			t.Fatal(err)
		}
		_ = b.Write([]byte("x\n"))
		if line, err := a.ReadLine(time.Time{}); err != nil || string(line) != "x" {
			t.Fatalf("%q %v", line, err)
		}
	})
}

func TestPipeClose(t *testing.T) {
	a, b := link.Pipe()
	_ = b.Write([]byte("last\nhalf"))
	_ = b.Close()
	if line, err := a.ReadLine(time.Time{}); err != nil || string(line) != "last" {
		t.Fatalf("%q %v", line, err)
	}
	if line, err := a.ReadLine(time.Time{}); !errors.Is(err, io.EOF) {
		t.Fatalf("%q %v", line, err)
	}
	if err := a.Write([]byte("x\n")); !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
	if _, err := b.ReadLine(time.Time{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
	_ = a.Close()
	_ = a.Close()
}

// Of what is beyond the limit between two writes all is read, and the last line shown.
func TestPipeFlood(t *testing.T) {
	var seen []string
	o := link.Options{Limits: link.Limits{Flood: 1000}, Observe: func(d link.Direction, _ time.Time, line []byte) {
		seen = append(seen, fmt.Sprint(d, " ", string(line)))
	}}
	a, b := link.PipeWith(o, link.Options{})
	say := func(n int, last string) {
		_ = b.Write([]byte(strings.Repeat("x\n", n) + last + "\n"))
		for range n + 1 {
			if _, err := a.ReadLine(time.Time{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	say(400, "7,7")
	_ = a.Write([]byte("TURN\n")) // a new turn, a new count
	seen = nil
	say(400, "8,8")
	say(400, "9,9")
	_ = a.Write([]byte("TURN\n"))
	say(1, "10,10")
	_ = a.Close()
	tail := seen[400:]
	want := []string{"1 8,8", "3 the output is more than is kept; lines left out here: 400", "1 9,9", "0 TURN", "1 x", "1 10,10"}
	if fmt.Sprint(tail) != fmt.Sprint(want) {
		t.Errorf("seen %q", tail)
	}
	if n := a.(link.Counter).Counts().Floods; n != 1 {
		t.Errorf("%d floods", n)
	}
}

func TestObserverOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen []string
		now := time.Unix(0, 0)
		o := link.Options{
			Now: func() time.Time { now = now.Add(time.Second); return now },
			Observe: func(d link.Direction, at time.Time, line []byte) {
				seen = append(seen, fmt.Sprintf("%d@%d %s", d, at.Unix(), line))
			},
		}
		a, b := link.PipeWith(o, link.Options{})
		_ = a.Write([]byte("TURN 1,1\r\n"))
		_ = b.Write([]byte("MESSAGE m\n7,7\n"))
		_, _ = a.ReadLine(time.Time{})
		_, _ = a.ReadLine(time.Time{})
		if len(seen) != 1 {
			t.Fatalf("shown before it was handed on: %q", seen)
		}
		_ = a.Write([]byte("TAKE\nGO\n"))
		_ = a.Close()
		want := []string{"0@1 TURN 1,1", "1@2 MESSAGE m", "1@3 7,7", "0@4 TAKE", "0@4 GO"}
		if fmt.Sprint(seen) != fmt.Sprint(want) {
			t.Errorf("seen %q", seen)
		}
	})
}

// What an engine says while it thinks is shown while it thinks, although its reader
// waits for the next line; and nothing is after the connection was closed.
func TestObserverWhileTheReaderWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		var mu sync.Mutex
		var seen []string
		o := link.Options{Now: time.Now, Observe: func(_ link.Direction, at time.Time, line []byte) {
			mu.Lock()
			defer mu.Unlock()
			seen = append(seen, fmt.Sprintf("%s said at %v shown at %v", line, at.Sub(begin), time.Since(begin)))
		}}
		a, b := link.PipeWith(o, link.Options{})
		over := make(chan struct{})
		go func() {
			defer close(over)
			for range 4 {
				_, _ = a.ReadLine(time.Time{})
			}
		}()
		for _, line := range []string{"one\n", "two\n", "three\n"} {
			_ = b.Write([]byte(line))
			time.Sleep(50 * time.Millisecond)
		}
		time.Sleep(time.Minute)
		mu.Lock()
		want := []string{"one said at 0s shown at 75ms", "two said at 50ms shown at 75ms", "three said at 100ms shown at 175ms"}
		if fmt.Sprint(seen) != fmt.Sprint(want) {
			t.Errorf("seen %q", seen)
		}
		mu.Unlock()
		_ = b.Write([]byte("four\n"))
		<-over
		_ = a.Close()
		time.Sleep(time.Minute)
		mu.Lock()
		defer mu.Unlock()
		if len(seen) != 4 || !strings.HasPrefix(seen[3], "four") {
			t.Errorf("seen %q", seen)
		}
	})
}

func TestStdio(t *testing.T) {
	var out strings.Builder
	s := link.Stdio(strings.NewReader("name?\nquit\n"), &out, time.Now)
	for _, want := range []string{"name?", "quit"} {
		if line, err := s.ReadLine(time.Time{}); err != nil || string(line) != want {
			t.Fatalf("%q %v", line, err)
		}
	}
	if _, err := s.ReadLine(time.Time{}); !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	_ = s.Write([]byte("name x\n"))
	if out.String() != "name x\n" {
		t.Errorf("wrote %q", out.String())
	}
	_ = s.Close()
}

func TestStreamCloseEndsItsReader(t *testing.T) {
	r, w := io.Pipe()
	s := link.NewStream(r, io.Discard, r.Close, link.Options{})
	_, _ = w.Write([]byte("a\n"))
	if line, err := s.ReadLine(time.Now().Add(time.Minute)); err != nil || string(line) != "a" {
		t.Fatalf("%q %v", line, err)
	}
	if _, err := s.ReadLine(time.Now().Add(time.Millisecond)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatal(err)
	}
	_ = s.Close()
	if _, err := w.Write([]byte("b\n")); err == nil {
		t.Error("the reader goes on")
	}
}

func BenchmarkPipe(b *testing.B) {
	x, y := link.Pipe()
	move := []byte("10,11\n")
	deadline := time.Now().Add(time.Hour)
	b.ReportAllocs()
	for b.Loop() {
		_ = x.Write(move)
		if _, err := y.ReadLine(deadline); err != nil {
			b.Fatal(err)
		}
		x, y = y, x
	}
}

// writerFunc is a writer.
type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// TestSentBeforeWhatItCaused has a peer that prints something as soon as it is told a line,
// before the write of it returns: by its time the line comes first.
func TestSentBeforeWhatItCaused(t *testing.T) {
	ticks := int64(0)
	now := func() time.Time { ticks++; return time.Unix(ticks, 0) }
	times := map[link.Direction]time.Time{}
	r, w := io.Pipe()
	var s *link.Stream
	s = link.NewStream(r, writerFunc(func(p []byte) (int, error) {
		s.Note(link.Errput, []byte("I play a1"))
		return len(p), nil
	}), r.Close, link.Options{Now: now, Observe: func(d link.Direction, at time.Time, _ []byte) { times[d] = at }})
	if err := s.Write([]byte("genmove b\n")); err != nil {
		t.Fatal(err)
	}
	if !times[link.Sent].Before(times[link.Errput]) {
		t.Errorf("sent at %s, the answer printed at %s", times[link.Sent], times[link.Errput])
	}
	if err := errors.Join(w.Close(), s.Close()); err != nil {
		t.Error(err)
	}
}
