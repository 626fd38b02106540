//go:build unix

package proc_test

import (
	"errors"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
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

// A line of a gigabyte is cut, in memory that does not grow, and the game goes on.
func TestLongLine(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a gigabyte")
	}
	const size = 1 << 30
	before := memory()
	c := start(t, link.Options{}, "-mode", "longline", "-count", strconv.Itoa(size))
	playFirst(t, c)
	line, err := c.ReadLine(time.Now().Add(10 * time.Minute))
	if err != nil || len(line) != link.DefaultLine {
		t.Fatalf("a line of %d bytes, %v", len(line), err)
	}
	if line, err := c.ReadLine(time.Now().Add(10 * time.Minute)); err != nil || string(line) != "0,0" {
		t.Errorf("%q %v", line, err)
	}
	if grown := int64(memory()) - int64(before); grown > 2<<20 {
		t.Errorf("the heap grew by %d", grown)
	}
	if n := c.Counts(); n.Cut != 1 || n.Dropped != size-link.DefaultLine || n.Floods != 1 {
		t.Errorf("%+v", n)
	}
}

func TestManyMessages(t *testing.T) {
	c := start(t, link.Options{}, "-mode", "messages")
	playFirst(t, c)
	n := 0
	for {
		line, err := c.ReadLine(time.Now().Add(time.Minute))
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

// Output without end ends by the clock, and reading it leaves the processor to others.
func TestEndlessOutput(t *testing.T) {
	c := start(t, link.Options{}, "-mode", "endless")
	playFirst(t, c)
	began, used := time.Now(), processorTime(t)
	for deadline := began.Add(2 * time.Second); ; {
		if _, err := c.ReadLine(deadline); errors.Is(err, os.ErrDeadlineExceeded) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	took, used := time.Since(began), processorTime(t)-used
	if used > took*3/4 {
		t.Errorf("%v of processor time in %v", used, took)
	}
	if n := c.Counts(); n.Floods != 1 {
		t.Errorf("%+v", n)
	}
}

// processorTime is what this process has used.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		t.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// Output between turns is drained by itself in bounded memory, and the answer
// that comes last is not lost.
func TestDrainBetweenTurns(t *testing.T) {
	before := memory()
	c := start(t, link.Options{}, "-mode", "messages")
	playFirst(t, c)
	for end := time.Now().Add(2 * time.Minute); c.Counts().Bytes < 300000*11+4; {
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

// Endless output between turns is taken at a pace, and the engine can be asked all the
// same.
func TestEndlessBetweenTurns(t *testing.T) {
	before := memory()
	c := start(t, link.Options{}, "-mode", "chatter")
	began := time.Now()
	send(t, c, "START 15\n")
	for c.Counts().Bytes <= 5<<20 {
		if time.Since(began) > time.Minute {
			t.Fatalf("only %+v came", c.Counts())
		}
		time.Sleep(20 * time.Millisecond)
	}
	if d := time.Since(began); d < 200*time.Millisecond {
		t.Errorf("5 MB were taken in %v", d)
	}
	if _, err := c.ReadLine(time.Now().Add(time.Minute)); err != nil {
		t.Error(err)
	}
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
	if d := time.Since(begin); d < 90*time.Millisecond || d > time.Minute {
		t.Errorf("gave up after %v", d)
	}
}
