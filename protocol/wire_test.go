package protocol_test

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/link"
	"kibitz/link/linktest"
	"kibitz/player"
	"kibitz/protocol"
)

// attached returns a wire whose engine plays the script.
func attached(t *testing.T, script string) (*protocol.Wire, *linktest.Conn) {
	t.Helper()
	conn, _ := linktest.Start(t, script)
	w := &protocol.Wire{}
	w.Attach(conn)
	return w, conn.(*linktest.Conn)
}

// within is a deadline that no test should reach.
func within() time.Time { return time.Now().Add(time.Minute) }

// reader is ReadLine or ReadAnswer.
type reader func(time.Time) ([]byte, error)

// reads wants the line.
func reads(t *testing.T, read reader, want string) {
	t.Helper()
	if line, err := read(within()); err != nil || string(line) != want {
		t.Errorf("read %q, %v, want %q", line, err, want)
	}
}

// interrupted wants link.ErrInterrupted before time has passed.
func interrupted(t *testing.T, read reader) {
	t.Helper()
	began := time.Now()
	if line, err := read(within()); !errors.Is(err, link.ErrInterrupted) {
		t.Errorf("read %q, %v, want %v", line, err, link.ErrInterrupted)
	}
	if took := time.Since(began); took > 0 {
		t.Errorf("the wait ended after %s", took)
	}
}

// bubble runs a test that has its own time, which passes only while all wait: what took none took
// none at all.
func bubble(t *testing.T, name string, f func(*testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { synctest.Test(t, f) })
}

// TestWireReads tells which interrupts end which wait.
func TestWireReads(t *testing.T) {
	bubble(t, "stray interrupts are passed over", func(t *testing.T) {
		w, conn := attached(t, "< a\n~ 1s\n< b\n< c")
		w.Watch(t.Context())
		conn.Interrupt()
		reads(t, w.ReadLine, "a")
		time.AfterFunc(time.Millisecond, conn.Interrupt)
		reads(t, w.ReadAnswer, "b")
		conn.Interrupt()
		w.Think(true)
		reads(t, w.ReadAnswer, "c")
	})
	bubble(t, "deadline and end of input", func(t *testing.T) {
		w, _ := attached(t, "~ 1s\n!close")
		began := time.Now()
		_, err := w.ReadLine(began.Add(100 * time.Millisecond))
		if took := time.Since(began); err == nil || took != 100*time.Millisecond {
			t.Errorf("%v after %s", err, took)
		}
		if _, err := w.ReadAnswer(within()); !errors.Is(err, io.EOF) {
			t.Errorf("%v at the end of the input", err)
		}
	})
}

// TestWireWatch ends contexts at all moments.
// TestWireChatter: lines that are there count after a deadline too, but with a clock those
// alone that were read within a tenth of a second.
func TestWireChatter(t *testing.T) {
	bubble(t, "late", func(t *testing.T) {
		w, conn := attached(t, "< a\n< b\n< c\n")
		w.Now = time.Now
		deadline := time.Now()
		late := func(time.Time) ([]byte, error) { return w.ReadLine(deadline) }
		synctest.Wait()
		reads(t, late, "a")
		time.Sleep(99 * time.Millisecond)
		reads(t, late, "b")
		time.Sleep(2 * time.Millisecond)
		if line, err := late(deadline); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("read %q, %v", line, err)
		}
		w.Now = nil
		reads(t, late, "c")
		_ = conn.Close()
	})
}

func TestWireWatch(t *testing.T) {
	bubble(t, "before there is a connection", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w := &protocol.Wire{}
		w.Watch(ctx)
		cancel()
		synctest.Wait() // the interrupt has found nothing
		conn, _ := linktest.Start(t, "< a")
		w.Attach(conn)
		if !w.Ended() || w.Watched() != ctx {
			t.Error("the wire does not know that its context has ended")
		}
		interrupted(t, w.ReadLine)
		interrupted(t, w.ReadAnswer)
		w.EndWatch()
		reads(t, w.ReadLine, "a")
	})
	bubble(t, "before it is watched", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		w, _ := attached(t, "< a")
		w.Watch(ctx)
		interrupted(t, w.ReadLine)
	})
	bubble(t, "between two connections", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w, _ := attached(t, "> bye")
		w.Watch(ctx)
		if err := w.Quit([]byte("bye\n"), 0); err != nil {
			t.Error(err)
		}
		cancel()
		synctest.Wait()
		conn, _ := linktest.Start(t, "")
		w.Attach(conn)
		interrupted(t, w.ReadLine)
	})
	bubble(t, "on the connection after the one it was given for", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w, _ := attached(t, "")
		w.Watch(ctx)
		if err := w.Kill(); err != nil {
			t.Error(err)
		}
		conn, _ := linktest.Start(t, "")
		w.Attach(conn)
		time.AfterFunc(time.Second, cancel)
		if _, err := w.ReadLine(within()); !errors.Is(err, link.ErrInterrupted) {
			t.Error(err)
		}
	})
	for name, read := range map[string]func(*protocol.Wire) reader{
		"ReadLine":   func(w *protocol.Wire) reader { return w.ReadLine },
		"ReadAnswer": func(w *protocol.Wire) reader { return w.ReadAnswer },
	} {
		bubble(t, "in a running "+name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			w, _ := attached(t, "")
			w.Watch(ctx)
			began := time.Now()
			time.AfterFunc(time.Second, cancel)
			_, err := read(w)(within())
			if took := time.Since(began); !errors.Is(err, link.ErrInterrupted) || took != time.Second {
				t.Errorf("%v after %s", err, took)
			}
		})
	}
	bubble(t, "after EndWatch", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w, conn := attached(t, "< a")
		w.Watch(ctx)
		w.EndWatch()
		cancel()
		synctest.Wait()
		if w.Ended() || w.Watched() != context.Background() {
			t.Error("the wire still watches")
		}
		reads(t, conn.ReadLine, "a") // nobody has interrupted the connection
	})
	bubble(t, "after another has taken its place", func(t *testing.T) {
		first, cancelFirst := context.WithCancel(t.Context())
		second, cancelSecond := context.WithCancel(t.Context())
		w, conn := attached(t, "< a\n~ 1s\n< b")
		w.Watch(first)
		w.Watch(second)
		w.Watch(second)
		cancelFirst()
		synctest.Wait()
		reads(t, conn.ReadLine, "a")
		cancelSecond()
		interrupted(t, w.ReadLine)
	})
	if w := new(protocol.Wire); w.Ended() || w.Watched().Err() != nil {
		t.Error("the zero value watches a context that has ended")
	}
}

// TestWireStop calls Stop at all moments.
func TestWireStop(t *testing.T) {
	bubble(t, "while nobody thinks", func(t *testing.T) {
		w, conn := attached(t, "< a\n~ 1s\n< b")
		w.Stop()
		reads(t, conn.ReadLine, "a")
		w.Think(true)
		reads(t, w.ReadAnswer, "b")
	})
	bubble(t, "after the turn", func(t *testing.T) {
		w, _ := attached(t, "< a\n~ 1s\n< b")
		w.Think(true)
		reads(t, w.ReadAnswer, "a")
		w.Think(false)
		w.Stop()
		w.Think(true) // of the next turn
		reads(t, w.ReadAnswer, "b")
	})
	bubble(t, "unnoticed until the next turn", func(t *testing.T) {
		w, _ := attached(t, "~ 1s\n< a\n~ 1s\n< b")
		w.Think(true)
		w.Stop()
		reads(t, w.ReadLine, "a")
		w.Think(true) // the interrupt is stray, the wish forgotten
		reads(t, w.ReadAnswer, "b")
	})
	bubble(t, "before the wait for the answer", func(t *testing.T) {
		w, _ := attached(t, "< ready\n~ 1s\n< bestmove")
		w.Think(true)
		w.Stop()
		reads(t, w.ReadLine, "ready") // what comes before the question is not what it ends
		interrupted(t, w.ReadAnswer)
		interrupted(t, w.ReadAnswer)
		reads(t, w.ReadLine, "bestmove")
	})
	bubble(t, "before there is a connection", func(t *testing.T) {
		w := &protocol.Wire{}
		w.Think(true)
		w.Stop()
		conn, _ := linktest.Start(t, "< a")
		w.Attach(conn)
		interrupted(t, w.ReadAnswer)
		reads(t, w.ReadLine, "a")
	})
	bubble(t, "in the wait for the answer", func(t *testing.T) {
		w, _ := attached(t, "~ 2s\n< a")
		w.Think(true)
		began := time.Now()
		time.AfterFunc(time.Second, func() { w.Stop(); w.Stop() })
		_, err := w.ReadAnswer(within())
		if took := time.Since(began); !errors.Is(err, link.ErrInterrupted) || took != time.Second {
			t.Errorf("%v after %s", err, took)
		}
		if w.Ended() {
			t.Error("nothing has ended")
		}
		reads(t, w.ReadLine, "a")
	})
	bubble(t, "in another wait", func(t *testing.T) {
		w, _ := attached(t, "~ 2s\n< a")
		w.Think(true)
		time.AfterFunc(time.Second, w.Stop)
		reads(t, w.ReadLine, "a")
		interrupted(t, w.ReadAnswer)
	})
}

// TestWireStopRaces lets Stop and the end of contexts meet all that the host does.
func TestWireStopRaces(t *testing.T) {
	w := &protocol.Wire{}
	var others sync.WaitGroup
	others.Go(func() {
		for range 2000 {
			w.Stop()
		}
	})
	for range 200 {
		ctx, cancel := context.WithCancel(t.Context())
		w.Watch(ctx)
		near, far := link.Pipe()
		w.Attach(near)
		w.Think(true)
		others.Go(cancel)
		if err := far.Write([]byte("a\n")); err != nil {
			t.Fatal(err)
		}
		if line, err := w.ReadAnswer(within()); err == nil && string(line) != "a" || err != nil && !errors.Is(err, link.ErrInterrupted) {
			t.Fatalf("read %q, %v", line, err)
		}
		w.Think(false)
		if conn := w.Detach(); conn != near {
			t.Fatalf("detached %v", conn)
		}
	}
	others.Wait()
}

// quitCase is an engine that is told to quit.
type quitCase struct {
	script   string
	stopped  bool // suspended before
	evidence []string
	took     time.Duration // at most, and not a second less
}

// TestWireQuit ends processes that leave and processes that do not.
func TestWireQuit(t *testing.T) {
	for name, c := range map[string]quitCase{
		"it leaves":             {"> quit\n!stderr bye\n!exit 0", false, []string{"bye", "exit status 0"}, time.Second},
		"it leaves late":        {"> quit\n~ 1500ms\n!exit 3", false, []string{"exit status 3"}, 2 * time.Second},
		"it does not leave":     {"!stderr busy\n> quit\n!silent", false, []string{"busy"}, 3 * time.Second},
		"it has left":           {"!signal killed", false, []string{"signal: killed"}, 0},
		"it has been suspended": {"> quit\n!exit 0", true, []string{"exit status 0"}, time.Second},
	} {
		bubble(t, name, func(t *testing.T) {
			w, conn := attached(t, c.script)
			if c.stopped {
				if err := w.Suspend(); err != nil || !conn.Suspended() {
					t.Errorf("not suspended: %v", err)
				}
			}
			synctest.Wait()
			began := time.Now()
			err := w.Quit([]byte("quit\n"), 3*time.Second)
			if took := time.Since(began); took > c.took || took < c.took-time.Second {
				t.Errorf("it took %s", took)
			}
			if err != nil || w.Conn() != nil || conn.Suspended() {
				t.Errorf("error %v, connection %v, suspended %v", err, w.Conn(), conn.Suspended())
			}
			if got := w.Evidence(); !slices.Equal(got, c.evidence) {
				t.Errorf("the evidence is %q, want %q", got, c.evidence)
			}
			if conn.Write(nil) == nil {
				t.Error("the connection is still open")
			}
		})
	}
	t.Run("no process", func(t *testing.T) {
		near, far := link.Pipe()
		w := &protocol.Wire{}
		w.Attach(near)
		if err := w.Quit([]byte("quit\n"), time.Hour); err != nil || w.Conn() != nil || w.Evidence() != nil {
			t.Errorf("error %v, connection %v, evidence %q", err, w.Conn(), w.Evidence())
		}
		reads(t, far.ReadLine, "quit")
		if _, err := far.ReadLine(within()); !errors.Is(err, io.EOF) {
			t.Errorf("%v after the end", err)
		}
	})
	t.Run("no connection", func(t *testing.T) {
		w := &protocol.Wire{}
		if err := errors.Join(w.Quit([]byte("quit\n"), time.Hour), w.Kill()); err != nil || w.Detach() != nil {
			t.Errorf("error %v, connection %v", err, w.Detach())
		}
		w.Stop()
		w.EndWatch()
	})
}

// TestWireKill ends a process without a word.
func TestWireKill(t *testing.T) {
	bubble(t, "kill", func(t *testing.T) {
		w, conn := attached(t, "!stderr stuck\n!silent")
		synctest.Wait()
		if err := w.Kill(); err != nil || w.Conn() != nil || conn.Write(nil) == nil {
			t.Errorf("error %v, connection %v, or it is still open", err, w.Conn())
		}
		if got := w.Evidence(); !slices.Equal(got, []string{"stuck"}) {
			t.Errorf("the evidence is %q", got)
		}
	})
}

// TestWireEvidence follows the evidence from one process to the next.
func TestWireEvidence(t *testing.T) {
	bubble(t, "evidence", func(t *testing.T) {
		want := func(w *protocol.Wire, lines ...string) {
			t.Helper()
			if got := w.Evidence(); !slices.Equal(got, lines) {
				t.Errorf("the evidence is %q, want %q", got, lines)
			}
		}
		w, _ := attached(t, "!stderr one\n~ 1s\n!stderr two\n!exit 1")
		synctest.Wait()
		want(w, "one")
		time.Sleep(2 * time.Second)
		want(w, "one", "two", "exit status 1")
		if err := w.Kill(); err != nil {
			t.Error(err)
		}
		w.Evidence()[0] = "changed by a caller"
		want(w, "one", "two", "exit status 1")
		conn, _ := linktest.Start(t, "")
		w.Attach(conn)
		want(w)
		if err := w.Kill(); err != nil {
			t.Error(err)
		}
		want(w)
	})
}

// TestWireDetach gives the connection away: the caller has it to itself.
func TestWireDetach(t *testing.T) {
	bubble(t, "detach", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w, conn := attached(t, "!stderr note\n> after\n< still here")
		w.Watch(ctx)
		w.Think(true)
		synctest.Wait()
		got := w.Detach()
		if got != link.Conn(conn) || w.Conn() != nil || w.Detach() != nil {
			t.Errorf("detached %v, left %v", got, w.Conn())
		}
		if e := w.Evidence(); !slices.Equal(e, []string{"note"}) {
			t.Errorf("the evidence is %q", e)
		}
		w.Stop()
		cancel()
		synctest.Wait()
		if err := got.Write([]byte("after\n")); err != nil {
			t.Error(err)
		}
		reads(t, got.ReadLine, "still here")
	})
}

// TestWireSuspend suspends processes, and nothing else.
func TestWireSuspend(t *testing.T) {
	w, conn := attached(t, "")
	if err := w.Suspend(); err != nil || !conn.Suspended() {
		t.Errorf("error %v, suspended %v", err, conn.Suspended())
	}
	if err := w.Resume(); err != nil || conn.Suspended() {
		t.Errorf("error %v, suspended %v", err, conn.Suspended())
	}
	near, _ := link.Pipe()
	w.Attach(near)
	for _, w := range []*protocol.Wire{w, {}} {
		if err := w.Suspend(); !errors.Is(err, player.ErrUnsupported) {
			t.Errorf("suspending no process: %v", err)
		}
		if err := w.Resume(); !errors.Is(err, player.ErrUnsupported) {
			t.Errorf("resuming no process: %v", err)
		}
	}
}
