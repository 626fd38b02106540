//go:build unix

package proc_test

import (
	"errors"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"kibitz/link"
	"kibitz/link/proc"
)

// memory returns what the heap holds after a collection.
func memory() uint64 {
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func playFirst(t *testing.T, c *proc.Conn) {
	t.Helper()
	send(t, c, "START 15\n")
	expect(t, c, "OK")
	send(t, c, "BEGIN\n")
}

func TestLongLine(t *testing.T) {
	before := memory()
	c := start(t, link.Options{}, "-mode", "longline")
	playFirst(t, c)
	line, err := c.ReadLine(time.Now().Add(10 * time.Second))
	if err != nil || len(line) != link.DefaultLine {
		t.Fatalf("a line of %d bytes, %v", len(line), err)
	}
	expectErr(t, c, 20*time.Second, link.ErrFlood)
	expectErr(t, c, time.Second, link.ErrFlood) // and it stays so
	if grown := int64(memory()) - int64(before); grown > 2<<20 {
		t.Errorf("the heap grew by %d", grown)
	}
}

// With a higher limit the same engine plays on: the rest of the line is dropped.
func TestLongLineIsCut(t *testing.T) {
	c := start(t, link.Options{Limits: link.Limits{Flood: 100 << 20}}, "-mode", "longline")
	playFirst(t, c)
	line, err := c.ReadLine(time.Now().Add(20 * time.Second))
	if err != nil || len(line) != link.DefaultLine {
		t.Fatalf("a line of %d bytes, %v", len(line), err)
	}
	expect(t, c, "0,0")
	if n := c.Counts(); n.Cut != 1 || n.Dropped != 64<<20-link.DefaultLine {
		t.Errorf("%+v", n)
	}
}

func TestManyMessages(t *testing.T) {
	c := start(t, link.Options{}, "-mode", "messages")
	playFirst(t, c)
	n := 0
	for {
		line, err := c.ReadLine(time.Now().Add(20 * time.Second))
		if err != nil {
			t.Fatal(err)
		}
		if string(line) == "0,0" {
			break
		}
		n++
	}
	if n != 300000 {
		t.Errorf("%d messages", n)
	}
}

func TestEndlessOutput(t *testing.T) {
	c := start(t, link.Options{}, "-mode", "endless")
	playFirst(t, c)
	for {
		if _, err := c.ReadLine(time.Now().Add(20 * time.Second)); errors.Is(err, link.ErrFlood) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// Output between turns is drained by itself in bounded memory, and the answer
// that comes last is not lost.
func TestDrainBetweenTurns(t *testing.T) {
	before := memory()
	c := start(t, link.Options{}, "-mode", "messages")
	playFirst(t, c)
	for end := time.Now().Add(20 * time.Second); c.Counts().Bytes < 300000*11+4; {
		if time.Now().After(end) {
			t.Fatalf("only %+v came", c.Counts())
		}
		time.Sleep(20 * time.Millisecond)
	}
	if grown := int64(memory()) - int64(before); grown > 2<<20 {
		t.Errorf("the heap grew by %d", grown)
	}
	last := ""
	n := int64(0)
	for {
		line, err := c.ReadLine(time.Now().Add(100 * time.Millisecond))
		if errors.Is(err, os.ErrDeadlineExceeded) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		last = string(line)
		n++
	}
	if last != "0,0" {
		t.Errorf("the last line is %q", last)
	}
	if lost := c.Counts().Lost; n+lost != 300001 {
		t.Errorf("%d lines kept and %d lost", n, lost)
	}
}

// Endless output between turns ends as a flood, and the engine is made to wait.
func TestEndlessBetweenTurns(t *testing.T) {
	before := memory()
	c := start(t, link.Options{}, "-mode", "chatter")
	send(t, c, "START 15\n")
	for end := time.Now().Add(20 * time.Second); c.Counts().Bytes <= link.DefaultFlood; {
		if time.Now().After(end) {
			t.Fatalf("only %+v came", c.Counts())
		}
		time.Sleep(20 * time.Millisecond)
	}
	time.Sleep(300 * time.Millisecond)
	if n := c.Counts().Bytes; n > link.DefaultFlood+1<<20 {
		t.Errorf("%d bytes were taken", n)
	}
	expectErr(t, c, time.Second, link.ErrFlood)
	if grown := int64(memory()) - int64(before); grown > 2<<20 {
		t.Errorf("the heap grew by %d", grown)
	}
}

func TestStderrFlood(t *testing.T) {
	before := memory()
	c := start(t, link.Options{}, "-mode", "errflood")
	playFirst(t, c)
	expect(t, c, "0,0")
	got := c.Stderr()
	if len(got) != 200 || got[0] != strings.Repeat("e", 99) {
		t.Errorf("%d lines of stderr", len(got))
	}
	if grown := int64(memory()) - int64(before); grown > 2<<20 {
		t.Errorf("the heap grew by %d", grown)
	}
}

func TestWriteLimit(t *testing.T) {
	c := start(t, link.Options{Limits: link.Limits{Write: 100 * time.Millisecond}}, "-mode", "noread")
	playFirst(t, c)
	expect(t, c, "0,0")
	begin := time.Now()
	err := c.Write(make([]byte, 1<<20))
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatal(err)
	}
	if d := time.Since(begin); d < 90*time.Millisecond || d > 10*time.Second {
		t.Errorf("gave up after %v", d)
	}
}
