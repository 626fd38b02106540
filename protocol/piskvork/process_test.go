//go:build unix

package piskvork_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"kibitz/bot"
	"kibitz/bot/gomoku"
	"kibitz/clock"
	"kibitz/game"
	"kibitz/internal/testbin"
	"kibitz/link"
	"kibitz/link/proc"
	"kibitz/player"
	"kibitz/protocol"
	pv "kibitz/protocol/piskvork"
)

// brainLevel makes the test binary a brain of the level on its standard input and
// output: any manager can run it as an engine.
const brainLevel = "KIBITZ_TEST_BRAIN"

func TestMain(m *testing.M) {
	level, err := strconv.Atoi(os.Getenv(brainLevel))
	if err != nil {
		code := m.Run()
		if faultEngine.remove != nil {
			faultEngine.remove()
		}
		os.Exit(code)
	}
	p := gomoku.New(bot.Options{Level: level, Now: time.Now})
	conn := link.Stdio(os.Stdin, os.Stdout, time.Now)
	err = pv.Serve(context.Background(), conn, protocol.Server{
		Player: p, Position: board(), Now: time.Now, Name: "Test", Version: "1", Author: "Kibitz", Game: "gomoku",
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

var faultEngine struct {
	once   sync.Once
	path   string
	err    error
	remove func()
}

// faulty returns a host that drives the engine which fails on request.
func faulty(t *testing.T, args ...string) player.Player {
	t.Helper()
	f := &faultEngine
	f.once.Do(func() { f.path, f.remove, f.err = testbin.FaultEngine() })
	if f.err != nil {
		t.Skip(f.err)
	}
	limit := time.Minute
	if slices.Contains(args, "neverready") {
		limit = time.Second
	}
	h, err := pv.NewHost(protocol.Config{
		Name: "faulty", Now: time.Now, StartLimit: limit,
		Dial: proc.Dialer(proc.Spec{Path: f.path, Args: args, Options: link.Options{Now: time.Now}}),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return h
}

// TestFaults drives real processes that go wrong: none may hang the host, and each
// has its own verdict.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	tests := []struct {
		mode   string
		more   []string
		reason game.Reason // empty: a move must come
		limit  time.Duration
	}{
		{"", nil, "", time.Minute},
		{"crash", []string{"-code", "3"}, game.ByCrash, time.Minute},
		{"signal", nil, game.ByCrash, time.Minute},
		{"panic", nil, game.ByCrash, time.Minute},
		{"hang", nil, game.ByTime, 500 * time.Millisecond},
		{"late", []string{"-delay", "10s"}, game.ByTime, 500 * time.Millisecond},
		{"garbage", nil, game.ByTime, 500 * time.Millisecond},
		{"babble", nil, game.ByTime, time.Second},
		{"longline", nil, "", time.Minute},
		{"messages", nil, "", time.Minute},
		{"endless", nil, game.ByTime, time.Second},
		{"errflood", []string{"-count", "4000000"}, "", time.Minute},
		{"half", nil, game.ByTime, 500 * time.Millisecond},
		{"halfexit", nil, game.ByCrash, time.Minute},
		{"closeout", nil, game.ByCrash, time.Minute},
		{"illegal", nil, "", time.Minute},
		{"twice", nil, "", time.Minute},
		{"neverready", nil, game.ByStart, time.Minute},
		{"exitstart", []string{"-code", "0"}, game.ByStart, time.Minute},
		{"chatter", nil, "", time.Minute},
		{"exitafterend", nil, "", time.Minute},
		{"noexit", nil, "", time.Minute},
		{"spin", nil, "", time.Minute},
		{"noterm", nil, "", time.Minute},
	}
	for _, tt := range tests {
		t.Run("mode "+tt.mode, func(t *testing.T) {
			h := faulty(t, append([]string{"-mode", tt.mode}, tt.more...)...)
			k := clock.New(clock.Control{Turn: tt.limit})
			s := &player.Setup{Spec: "gomoku", Width: 15, Height: 15, Clocks: [2]clock.Clock{k, k}}
			began := time.Now()
			err := h.NewGame(context.Background(), s)
			var a player.Answer
			if err == nil {
				a, err = h.Choose(context.Background(), &player.Prompt{Clocks: s.Clocks, Deadline: time.Now().Add(tt.limit)})
			}
			var f *player.Failure
			switch {
			case tt.reason == "" && err != nil:
				t.Fatal(err)
			case tt.reason == "":
				if len(a.Steps) != 1 || !a.Measured || a.Used <= 0 {
					t.Errorf("%+v", a)
				}
			case !errors.As(err, &f):
				t.Fatalf("%v, %+v", err, a)
			case f.Reason != tt.reason:
				t.Errorf("%v, evidence %q", f, f.Evidence)
			}
			h.Over(game.Result{})
			if err := h.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
			if d := time.Since(began); d > tt.limit+time.Minute {
				t.Errorf("all of it took %v", d)
			}
		})
	}
}

// TestAfterTheFault plays the next game with a new process.
func TestAfterTheFault(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	h := faulty(t, "-mode", "hang", "-at", "2")
	s := &player.Setup{Spec: "gomoku", Width: 15, Height: 15}
	for i := range 2 {
		if err := h.NewGame(context.Background(), s); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Choose(context.Background(), &player.Prompt{Deadline: time.Now().Add(time.Minute)}); err != nil {
			t.Fatalf("game %d: %v", i+1, err)
		}
		h.Tell(&player.Update{Steps: []game.Move{game.PlaceAt(game.Pt(0, 0)), game.PlaceAt(game.Pt(14, 14))}})
		_, err := h.Choose(context.Background(), &player.Prompt{Deadline: time.Now().Add(200 * time.Millisecond)})
		var f *player.Failure
		if !errors.As(err, &f) || f.Reason != game.ByStall {
			t.Fatalf("game %d: %v", i+1, err)
		}
		h.Over(game.Result{})
	}
}

// BenchmarkProcess drives two instant engines against each other, one game at a
// time; an operation is one move with the telling of both hosts.
func BenchmarkProcess(b *testing.B) {
	path, remove, err := testbin.InstantEngine()
	if err != nil {
		b.Skip(err)
	}
	b.Cleanup(remove)
	var hosts [2]player.Player
	for i := range hosts {
		h, err := pv.NewHost(protocol.Config{
			Name: "instant", Now: time.Now, Dial: proc.Dialer(proc.Spec{Path: path, Options: link.Options{Now: time.Now}}),
		})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = h.Close() })
		hosts[i] = h
	}
	ply := 65
	var prompts [2]player.Prompt
	var u player.Update
	var steps [1]game.Move
	before := cpu()
	b.ReportAllocs()
	for b.Loop() {
		if ply == 65 {
			ply = 0
			for i, h := range hosts {
				h.Over(game.Result{})
				if err := h.NewGame(context.Background(), &player.Setup{Spec: "gomoku", Width: 15, Height: 15, Seat: game.Seat(i)}); err != nil {
					b.Fatal(err)
				}
			}
		}
		p := &prompts[ply&1]
		p.Seat, p.Deadline = game.Seat(ply&1), time.Now().Add(time.Minute)
		a, err := hosts[ply&1].Choose(context.Background(), p)
		if err != nil {
			b.Fatal(err)
		}
		steps[0] = a.Steps[0]
		u = player.Update{By: p.Seat, Steps: steps[:]}
		hosts[0].Tell(&u)
		hosts[1].Tell(&u)
		ply++
	}
	b.ReportMetric(float64(cpu()-before)/float64(b.N), "cpu-ns/op")
}

// cpu is the processor time that this process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
