package protocol_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/link"
	"kibitz/protocol"
)

// silent is an engine that reads and says nothing.
func silent(context.Context) (link.Conn, error) {
	ours, _ := link.Pipe()
	return ours, nil
}

// waiting is a requirement that waits for a line.
func waiting(id string, needed bool) protocol.Check {
	return protocol.Check{ID: id, Needed: needed, Run: func(_ context.Context, p *protocol.Probe) error {
		_, err := p.Receive(p.Ready(), "line", func(string) bool { return true })
		return err
	}}
}

// What rests on a requirement that is not held is skipped without a wait.
func TestChecksRestOnOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var got []string
		list := []protocol.Check{waiting("free", false), waiting("start", true), waiting("begin", true), waiting("turn", false)}
		protocol.RunChecks(t.Context(), protocol.Config{Dial: silent, Now: time.Now}, 5*time.Second, list, func(f protocol.Finding) {
			word := "broken"
			if f.Skipped() {
				word = f.Err.Error()
			}
			got = append(got, f.Check.ID+" "+word)
		})
		want := []string{"free broken", "start broken", "begin skipped: it rests on start", "turn skipped: it rests on start"}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		if took := time.Since(began); took != 40*time.Second {
			t.Errorf("%s, want the two waits of 20 s", took)
		}
	})
}

// What was tardy is looked at twice, and counts if it is tardy again. Other faults are not.
func TestChecksLookTwiceAtTime(t *testing.T) {
	late, other := errors.New("late"), errors.New("another fault")
	tardy := protocol.Tardy(late)
	for _, tt := range []struct {
		name string
		errs []error
		want error
	}{
		{"held", []error{nil}, nil},
		{"late by chance", []error{tardy, nil}, nil},
		{"late", []error{tardy, tardy}, late},
		{"late, then another fault", []error{tardy, other}, other},
		{"another fault", []error{other}, other},
		{"in time", []error{protocol.Tardy(nil)}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			runs := 0
			check := protocol.Check{ID: "timed", Run: func(context.Context, *protocol.Probe) error {
				runs++
				return tt.errs[runs-1]
			}}
			protocol.RunChecks(t.Context(), protocol.Config{Dial: silent, Now: time.Now}, time.Second, []protocol.Check{check}, func(f protocol.Finding) {
				if !errors.Is(f.Err, tt.want) || f.Held() != (tt.want == nil) {
					t.Errorf("found %v, want %v", f.Err, tt.want)
				}
			})
			if runs != len(tt.errs) {
				t.Errorf("tested %d times, want %d", runs, len(tt.errs))
			}
		})
	}
}

// The end of the context ends a wait at once, and what was being tested is no finding.
func TestChecksStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		began := time.Now()
		time.AfterFunc(time.Second, stop)
		protocol.RunChecks(ctx, protocol.Config{Dial: silent, Now: time.Now}, 5*time.Second, []protocol.Check{waiting("start", true), waiting("turn", false)}, func(f protocol.Finding) {
			t.Errorf("%s: %v", f.Check.ID, f.Err)
		})
		if took := time.Since(began); took != time.Second || !errors.Is(ctx.Err(), context.Canceled) {
			t.Errorf("ended after %s", took)
		}
	})
}

// An engine that has ended takes no line. The finding says that it ended, whether the write
// or the end of the stream is seen first.
func TestSendToAnEndedEngine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := func(context.Context) (link.Conn, error) {
			ours, theirs := link.Pipe()
			return ours, theirs.Close()
		}
		send := protocol.Check{ID: "send", Run: func(_ context.Context, p *protocol.Probe) error {
			return p.Send("\n", "hello")
		}}
		protocol.RunChecks(t.Context(), protocol.Config{Dial: ended, Now: time.Now}, time.Second, []protocol.Check{send}, func(f protocol.Finding) {
			if want := "the engine closed its output"; f.Err == nil || f.Err.Error() != want {
				t.Errorf("%v, want %s", f.Err, want)
			}
		})
	})
}
