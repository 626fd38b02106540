//go:build unix

package link_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"kibitz/link"
)

// polled returns a connection and the peer's ends of its two pipes.
func polled(t testing.TB, o link.Options) (c *link.Polled, to, from *os.File) {
	t.Helper()
	r, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	from, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	o.Now = time.Now
	if c, err = link.NewPolled(r, w, o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Close()
		_ = to.Close()
		_ = from.Close()
	})
	return c, to, from
}

// The reader and the janitor take turns in owning the input while lines come in
// pieces, deadlines of all kinds expire and interrupts fly: no line may be lost,
// doubled or out of order.
func TestHandOver(t *testing.T) {
	c, to, _ := polled(t, link.Options{})
	const n = 3000
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		r := rand.New(rand.NewPCG(1, 2))
		for i := range n {
			line := fmt.Sprintf("%d\n", i)
			cut := r.IntN(len(line))
			_, _ = to.WriteString(line[:cut])
			if r.IntN(50) == 0 {
				time.Sleep(time.Duration(r.IntN(3000)) * time.Microsecond)
			}
			if r.IntN(800) == 0 {
				time.Sleep(200 * time.Millisecond)
			}
			_, _ = to.WriteString(line[cut:])
		}
	}()
	stop := make(chan struct{})
	go func() {
		defer wg.Done()
		for {
			select {
			case <-stop:
				return
			case <-time.After(500 * time.Microsecond):
				c.Interrupt()
			}
		}
	}()
	r := rand.New(rand.NewPCG(3, 4))
	for next := 0; next < n; {
		var deadline time.Time
		if k := r.IntN(4); k > 0 {
			deadline = time.Now().Add(time.Duration(r.IntN(2000)-200) * time.Microsecond)
		}
		line, err := c.ReadLine(deadline)
		switch {
		case err == nil:
			if string(line) != strconv.Itoa(next) {
				t.Fatalf("line %q, want %d", line, next)
			}
			next++
		case errors.Is(err, link.ErrInterrupted), errors.Is(err, os.ErrDeadlineExceeded):
		default:
			t.Fatal(err)
		}
		if r.IntN(300) == 0 {
			time.Sleep(160 * time.Millisecond) // let the janitor in
		}
	}
	close(stop)
	wg.Wait()
}

// A pipe of 64 KiB never blocks a peer that talks while nobody listens.
func TestJanitorUnblocks(t *testing.T) {
	c, to, _ := polled(t, link.Options{})
	done := make(chan error, 1)
	said := 0
	go func() {
		for i := range 40000 {
			n, err := fmt.Fprintf(to, "MESSAGE %d\n", i)
			if said += n; err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	select {
	case err := <-done:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("the peer is blocked")
	}
	for end := time.Now().Add(time.Minute); c.Counts().Bytes < int64(said) && time.Now().Before(end); {
		time.Sleep(time.Millisecond) // as long as more comes in, lines are dropped for it
	}
	line, err := c.ReadLine(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	var first int
	if _, err := fmt.Sscanf(string(line), "MESSAGE %d", &first); err != nil || int64(first) != c.Counts().Lost {
		t.Errorf("the first line kept is %q, %d were lost", line, c.Counts().Lost)
	}
	for i := first + 1; i < 40000; i++ {
		line, err := c.ReadLine(time.Now())
		if err != nil || string(line) != fmt.Sprintf("MESSAGE %d", i) {
			t.Fatalf("%q %v, want %d", line, err, i)
		}
	}
}

// Somebody else holds the pipe open, but the peer is known to be gone: what has
// come is read, then the end is reported, whether a reader waits or comes later.
func TestHangUp(t *testing.T) {
	c, to, _ := polled(t, link.Options{})
	_, _ = to.WriteString("a\nb")
	time.AfterFunc(20*time.Millisecond, c.HangUp)
	if line, err := c.ReadLine(time.Now().Add(time.Minute)); err != nil || string(line) != "a" {
		t.Fatalf("%q %v", line, err)
	}
	for range 2 {
		if _, err := c.ReadLine(time.Now().Add(time.Minute)); !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
	}
	c, to, _ = polled(t, link.Options{})
	_, _ = to.WriteString("a\n")
	c.HangUp()
	if line, err := c.ReadLine(time.Time{}); err != nil || string(line) != "a" {
		t.Fatalf("%q %v", line, err)
	}
	if _, err := c.ReadLine(time.Time{}); !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
}

// A reader that was woken late gives the peer as much longer, once; a deadline
// that has passed before the call gives nothing.
func TestWokenLate(t *testing.T) {
	r, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = to.Close() }()
	_, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	// The clock leaps at the deadline: the reader seems to be woken late.
	var deadline time.Time
	var leap time.Duration
	c, err := link.NewPolled(r, w, link.Options{Now: func() time.Time {
		now := time.Now()
		if now.Before(deadline) {
			return now
		}
		return now.Add(leap)
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()

	deadline, leap = time.Now().Add(400*time.Millisecond), 10*time.Second
	time.AfterFunc(600*time.Millisecond, func() { _, _ = to.WriteString("7,7\n") })
	if line, err := c.ReadLine(deadline); err != nil || string(line) != "7,7" {
		t.Errorf("%q %v", line, err)
	}
	begin := time.Now()
	deadline, leap = begin.Add(400*time.Millisecond), 150*time.Millisecond
	if _, err := c.ReadLine(deadline); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err)
	}
	if d := time.Since(begin); d < 550*time.Millisecond || d > 10*time.Second {
		t.Errorf("waited %v", d)
	}
	begin = time.Now()
	leap = time.Minute
	if _, err := c.ReadLine(begin.Add(-time.Hour)); !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(begin) > 10*time.Second {
		t.Errorf("a deadline in the past: %v after %v", err, time.Since(begin))
	}
}

// A deadline that was armed for an earlier line and has passed does not get into
// the way of a later one.
func TestEarlierDeadline(t *testing.T) {
	c, to, _ := polled(t, link.Options{})
	_, _ = to.WriteString("a\n")
	if _, err := c.ReadLine(time.Now().Add(20 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	for _, deadline := range []time.Time{time.Now().Add(time.Minute), {}} {
		time.Sleep(30 * time.Millisecond)
		time.AfterFunc(20*time.Millisecond, func() { _, _ = to.WriteString("b\n") })
		begin := time.Now()
		if line, err := c.ReadLine(deadline); err != nil || string(line) != "b" || time.Since(begin) > 10*time.Second {
			t.Errorf("%q %v after %v", line, err, time.Since(begin))
		}
	}
}

// A line stays as it is until the next call, whatever the janitor takes in.
func TestLineStaysValid(t *testing.T) {
	c, to, _ := polled(t, link.Options{})
	_, _ = to.WriteString("answer\n")
	line, err := c.ReadLine(time.Now().Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		_, _ = to.WriteString(strings.Repeat("x", 3000) + "\n")
		time.Sleep(100 * time.Millisecond)
	}
	if string(line) != "answer" {
		t.Errorf("the line became %q", line)
	}
}

// What comes together with a line that was read is known to be there.
func TestAhead(t *testing.T) {
	c, to, _ := polled(t, link.Options{})
	_, _ = to.WriteString("answer\nmore\n")
	for _, want := range []bool{true, false} {
		if _, err := c.ReadLine(time.Now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		if got := c.Ahead(); got != want {
			t.Errorf("more is there: %v, want %v", got, want)
		}
	}
}

// The observer sees each line once, in order: what nobody reads yet, and what was read
// by somebody who waits for more.
func TestShownBeforeTheAnswer(t *testing.T) {
	seen := make(chan string, 10)
	o := link.Options{Observe: func(_ link.Direction, _ time.Time, line []byte) { seen <- string(line) }}
	c, to, _ := polled(t, o)
	shown := func(want string) {
		t.Helper()
		select {
		case line := <-seen:
			if line != want {
				t.Errorf("saw %q, want %q", line, want)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%q is not shown", want)
		}
	}
	_, _ = to.WriteString("pondering\nponder")
	shown("pondering")
	read := make(chan string, 10)
	go func() {
		defer close(read)
		for {
			line, err := c.ReadLine(time.Time{})
			if err != nil {
				return
			}
			read <- string(line)
		}
	}()
	if line := <-read; line != "pondering" {
		t.Errorf("read %q", line)
	}
	_, _ = to.WriteString("ing more\nthinking\n")
	shown("pondering more")
	shown("thinking")
	_, _ = to.WriteString("move\n")
	for range 3 {
		<-read
	}
	_ = c.Close()
	shown("move")
	select {
	case line := <-seen:
		t.Errorf("saw %q twice", line)
	default:
	}
}

func TestNoAllocationPerLine(t *testing.T) {
	c, to, from := polled(t, link.Options{Observe: func(link.Direction, time.Time, []byte) {}})
	move := []byte("10,11\r\n")
	buf := make([]byte, 100)
	deadline := time.Now().Add(time.Hour)
	n := testing.AllocsPerRun(1000, func() {
		_, _ = to.Write(move)
		if _, err := c.ReadLine(deadline); err != nil {
			t.Fatal(err)
		}
		if err := c.Write(move); err != nil {
			t.Fatal(err)
		}
		_, _ = from.Read(buf)
	})
	if n != 0 {
		t.Errorf("%v allocations for each line", n)
	}
}

func BenchmarkPolled(b *testing.B) {
	c, to, from := polled(b, link.Options{})
	move := []byte("10,11\r\n")
	buf := make([]byte, 100)
	for _, armed := range []bool{false, true} {
		b.Run(fmt.Sprintf("anew=%v", armed), func(b *testing.B) {
			b.ReportAllocs()
			deadline := time.Now().Add(time.Hour)
			for b.Loop() {
				_, _ = to.Write(move)
				if armed { // an earlier deadline each time has to be armed
					deadline = deadline.Add(-time.Microsecond)
				} else {
					deadline = deadline.Add(time.Microsecond)
				}
				if _, err := c.ReadLine(deadline); err != nil {
					b.Fatal(err)
				}
				if err := c.Write(move); err != nil {
					b.Fatal(err)
				}
				_, _ = from.Read(buf)
			}
		})
	}
}

// The time runs out while a flood is read, and what had come by then is read still.
func TestFloodRunsOutOfTime(t *testing.T) {
	r, w := io.Pipe()
	stream := link.NewStream(r, io.Discard, r.Close, link.Options{})
	p, to, _ := polled(t, link.Options{})
	for _, c := range []struct {
		conn link.Conn
		w    io.Writer
	}{{stream, w}, {p, to}} {
		go func() {
			block := bytes.Repeat([]byte("on and on\n"), 400)
			for {
				if _, err := c.w.Write(block); err != nil {
					return
				}
			}
		}()
		for c.conn.(link.Counter).Counts().Floods == 0 { // however slow the machine is
			if _, err := c.conn.ReadLine(time.Now().Add(time.Minute)); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			deadline := time.Now().Add(500 * time.Millisecond)
			n, over := 0, 0
			for err := error(nil); err == nil; n++ {
				if _, err = c.conn.ReadLine(deadline); err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
					t.Fatal(err)
				}
				if time.Now().After(deadline) {
					over++
				}
			}
			if most := (link.DefaultBacklog + 64<<10) / 10; over < 1 || over > most {
				t.Errorf("%T: %d lines, %d of them after the deadline", c.conn, n, over)
			}
		}
		_ = c.conn.Close()
	}
}

// A reader that is late finds the answer that a flood came after.
func TestFloodBehindTheAnswer(t *testing.T) {
	r, w := io.Pipe()
	stream := link.NewStream(r, io.Discard, r.Close, link.Options{})
	p, to, _ := polled(t, link.Options{})
	for _, c := range []struct {
		conn link.Conn
		w    io.Writer
	}{{stream, w}, {p, to}} {
		go func() {
			_, _ = io.WriteString(c.w, "7,7\n"+strings.Repeat("on and on\n", 200_000))
		}()
		time.Sleep(300 * time.Millisecond) // the machine is busy
		if line, err := c.conn.ReadLine(time.Now().Add(time.Minute)); err != nil || string(line) != "7,7" {
			t.Errorf("%T: %q %v", c.conn, line, err)
		}
		_ = c.conn.Close()
	}
}
