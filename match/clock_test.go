package match_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/game"
	"kibitz/match"
	"kibitz/player"
)

const sec = time.Second

// Every kind of clock forfeits at its instant and not before: the first seat takes
// the times in turn, of which the last is just possible; a nanosecond more loses.
func TestEveryClockFallsAtItsInstant(t *testing.T) {
	for _, k := range []struct {
		control string
		times   []time.Duration
	}{
		{"10", []time.Duration{3 * sec, 7 * sec}},
		{"st=2", []time.Duration{2 * sec, 2 * sec, 2 * sec}},
		{"10 st=4", []time.Duration{4 * sec, 4 * sec, 2 * sec}},
		{"10 st=4", []time.Duration{1 * sec, 4 * sec}},
		{"2/10", []time.Duration{4 * sec, 5 * sec, 11 * sec}},
		{"10+2", []time.Duration{3 * sec, 9 * sec, 2 * sec}},
		{"0+2", []time.Duration{1 * sec, 3 * sec}},
		{"10 delay=3", []time.Duration{5 * sec, 11 * sec}},
		{"10 bronstein=3", []time.Duration{5 * sec, 8 * sec}},
		{"5 byo=2x3", []time.Duration{4 * sec, 3 * sec, 3 * sec, 6 * sec}},
		{"5 byo=1x10/2", []time.Duration{6 * sec, 9 * sec, 4 * sec, 6 * sec}},
		{"5 canadian=10/2", []time.Duration{6 * sec, 9 * sec, 10 * sec}},
		{"5+1 overtime=6", []time.Duration{7 * sec, 5 * sec}},
		{"hourglass=4", []time.Duration{1 * sec, 4 * sec}}, // the opponent gives one second each
	} {
		for _, margin := range []time.Duration{0, 100 * time.Millisecond} {
			t.Run(k.control, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					o, _ := playClock(t, k.control, margin, k.times, 0)
					if o.Result.Reason == game.ByTime && k.control != "5+1 overtime=6" {
						t.Errorf("forfeited in time: %+v", o.Result)
					}
					// The margin is not charged, so it can be used on the last turn.
					o, took := playClock(t, k.control, margin, k.times, margin+1)
					mustEnd(t, o, game.Second, game.ByTime, "A: used")
					var sum time.Duration
					for _, d := range k.times {
						sum += d
					}
					opponent := time.Duration(0)
					if k.control == "hourglass=4" {
						opponent = time.Duration(len(k.times)-1) * sec
					}
					if took != sum+opponent+margin {
						t.Errorf("the verdict came after %v, want %v", took, sum+opponent+margin)
					}
					if !o.Faulty[0] || o.Faulty[1] {
						t.Errorf("faulty %v", o.Faulty)
					}
				})
			})
		}
	}
}

// playClock plays with extra time on the last of the turns and returns how long
// the game took.
func playClock(t *testing.T, text string, margin time.Duration, times []time.Duration, extra time.Duration) (match.Outcome, time.Duration) {
	t.Helper()
	times = append([]time.Duration(nil), times...)
	times[len(times)-1] += extra
	other := slow()
	if text == "hourglass=4" {
		other = slow(sec, sec, sec, sec)
	}
	a := slow(times...)
	g := newGame(a, other)
	for s := range g.Sides {
		g.Sides[s].Clock, g.Sides[s].Margin = control(t, text), margin
	}
	begin := time.Now()
	o := match.Play(t.Context(), g)
	return o, time.Since(begin)
}

// Within the margin nothing is lost, the clock is charged to its limit and no
// more, and the overrun is told.
func TestMargin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := slow(2050*time.Millisecond, 2*sec)
		g := newGame(a, slow())
		g.Sides[0].Clock, g.Sides[0].Margin = control(t, "2+1"), 100*time.Millisecond
		o := match.Play(t.Context(), g)
		// 2.05 s of 2 s within the margin, then one second is left.
		mustEnd(t, o, game.Second, game.ByTime, "used 1.1s of 1s (margin 100ms)")
		if len(o.Warnings) != 1 || o.Warnings[0] != "A: overstepped the time by 50ms, within the margin" {
			t.Errorf("warnings %q", o.Warnings)
		}
		if o.Used[0] != 2050*time.Millisecond+1100*time.Millisecond {
			t.Errorf("used %v", o.Used)
		}
	})
}

// A player that thinks in this process and comes back late has no excuse; one
// whose host waited for the engine and was itself woken late has.
func TestLateness(t *testing.T) {
	for _, k := range []struct {
		name     string
		measured bool
		used     time.Duration // as the host says
		told     time.Duration // lateness as the link tells
		takes    time.Duration
		lost     bool
		late     time.Duration
	}{
		{name: "own thinking", takes: 1300 * time.Millisecond, lost: true},
		{name: "own thinking, the link knows", takes: 1300 * time.Millisecond, told: 250 * time.Millisecond, late: 250 * time.Millisecond},
		{name: "noticed late", measured: true, used: 1300 * time.Millisecond, takes: 1300 * time.Millisecond, late: 200 * time.Millisecond},
		{name: "noticed very late", measured: true, used: 9 * sec, takes: 9 * sec, late: 7900 * time.Millisecond},
		{name: "measured beyond the limit", measured: true, used: 1101 * time.Millisecond, takes: 1050 * time.Millisecond, lost: true},
		{name: "made ready first", measured: true, used: 900 * time.Millisecond, takes: 3 * sec},
		{name: "made ready first, noticed late", measured: true, used: 1300 * time.Millisecond, takes: 3 * sec, late: 200 * time.Millisecond},
		{name: "in time", measured: true, used: 500 * time.Millisecond, takes: 1050 * time.Millisecond},
	} {
		t.Run(k.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := &fake{}
				a.choose = func(_ context.Context, p *player.Prompt) (player.Answer, error) {
					ans := a.first(p)
					if a.prompts == 1 {
						time.Sleep(k.takes)
						ans.Measured, ans.Used, ans.Late = k.measured, k.used, k.told
					}
					return ans, nil
				}
				g := newGame(a, &fake{})
				g.Sides[0].Clock, g.Sides[0].Margin = control(t, "st=1"), 100*time.Millisecond
				events := collect(t, g)
				o := match.Play(t.Context(), g)
				if lost := o.Result.Reason == game.ByTime; lost != k.lost {
					t.Fatalf("result %+v", o.Result)
				}
				if o.Late != k.late {
					t.Errorf("late %v, want %v", o.Late, k.late)
				}
				transmission := time.Duration(0)
				if k.measured && !k.lost {
					transmission = max(0, k.takes-k.used) / 2
				}
				if !k.lost && o.Steps[0].Error != transmission {
					t.Errorf("transmission error %v, want %v", o.Steps[0].Error, transmission)
				}
				if r := fold(t, *events).Result; r.Late != k.late || r.Used != o.Used {
					t.Errorf("journal %+v", r)
				}
			})
		})
	}
}

// Without a clock silence is a stall, after the run's patience; people have all
// the time in the world.
func TestStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGame(slow(time.Hour), slow())
		g.Policy.Stall = 10 * time.Minute
		begin := time.Now()
		o := match.Play(t.Context(), g)
		mustEnd(t, o, game.Second, game.ByStall, "silent for 10m0s")
		if d := time.Since(begin); d != 10*time.Minute {
			t.Errorf("after %v", d)
		}
		g = newGame(slow(1000*time.Hour), slow())
		g.Policy.Stall = -1
		if o := match.Play(t.Context(), g); o.Result.Reason != "full" {
			t.Errorf("%+v", o.Result)
		}
	})
}

// A turn of several answers runs on one clock, and the increment comes at its end.
func TestClockOfATurnOfTwoAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := slow(1*sec, 2*sec, 1*sec)
		g := newGame(a, slow())
		g.Rules = &tiny{size: 8, perTurn: 2}
		g.Sides[0].Clock = control(t, "4+1 st=3")
		events := collect(t, g)
		match.Play(t.Context(), g)
		var left []time.Duration
		for _, s := range fold(t, *events).Steps {
			if s.By == game.First {
				left = append(left, s.Clocks[0].Left)
			}
		}
		want := []time.Duration{3 * sec, 2 * sec, 1 * sec, 2 * sec}
		for i := range want {
			if left[i] != want[i] {
				t.Fatalf("left %v, want %v", left, want)
			}
		}
		a = slow(2*sec, 1500*time.Millisecond)
		g = newGame(a, slow())
		g.Rules = &tiny{size: 8, perTurn: 2}
		g.Sides[0].Clock = control(t, "st=3")
		mustEnd(t, match.Play(t.Context(), g), game.Second, game.ByTime, "used 1s of 1s")
	})
}

// The penalty of the grace period: at best a narrow loss.
func TestOvertime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGame(slow(7*sec), slow())
		g.Rules = &tiny{size: 7, perTurn: 1} // the first seat gets the last point
		g.Sides[0].Clock = control(t, "5 overtime=6")
		o := match.Play(t.Context(), g)
		mustEnd(t, o, game.Second, game.ByTime, "A needed overtime")
		if !o.Result.HasBoard || o.Result.Board != [2]float64{2.5, 4.5} {
			t.Errorf("board %v", o.Result.Board)
		}
	})
}

// Both seats may have different clocks, and each is told both.
func TestClocksDiffer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen [2]time.Duration
		b := &fake{}
		b.choose = func(_ context.Context, p *player.Prompt) (player.Answer, error) {
			if b.prompts == 1 {
				seen = [2]time.Duration{p.Clocks[0].Left, p.Clocks[1].Left}
				if want := time.Now().Add(20*sec + sec); !p.Deadline.Equal(want) {
					t.Errorf("deadline %v, want %v", p.Deadline, want)
				}
			}
			return b.first(p), nil
		}
		g := newGame(slow(4*sec), b)
		g.Sides[0].Clock, g.Sides[1].Clock = control(t, "10"), control(t, "20")
		g.Sides[1].Margin = sec
		match.Play(t.Context(), g)
		if seen != [2]time.Duration{6 * sec, 20 * sec} {
			t.Errorf("told %v", seen)
		}
	})
}

func TestCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &fake{stops: make(chan struct{}, 1)}
		a.choose = func(ctx context.Context, _ *player.Prompt) (player.Answer, error) {
			<-ctx.Done()
			<-a.stops
			return player.Answer{}, ctx.Err()
		}
		for _, k := range []struct {
			cause  error
			winner game.Seat
			why    game.Reason
		}{
			{nil, game.Nobody, game.ByAbort},
			{errors.New("the hall closes"), game.Nobody, game.ByAbort},
			{&match.Verdict{Result: game.Win(game.First, game.ByAdjudication, "decided by the director")}, game.First, game.ByAdjudication},
		} {
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(sec, func() { cancel(k.cause) })
			b := &fake{}
			o := match.Play(ctx, newGame(a, b))
			mustEnd(t, o, k.winner, k.why, "")
			if o.Faulty != [2]bool{} || len(b.over) != 1 || b.over[0] != o.Result {
				t.Errorf("faulty %v, over %v", o.Faulty, b.over)
			}
		}
	})
}

// What a player cannot have needed while this process was stopped is not charged: of
// an engine's turn that of which nobody knows whether it needed it, of a player in
// this process all.
func TestStopped(t *testing.T) {
	for _, k := range []struct {
		name      string
		measured  bool
		takes     time.Duration
		all, last time.Duration
		lost      bool
		charged   time.Duration
	}{
		{"an engine, answered while stopped", true, 4 * sec, 3 * sec, 3 * sec, false, sec},
		{"an engine, answered afterwards", true, 4 * sec, 3 * sec, 0, false, 4 * sec},
		{"an engine, too late before", true, 9 * sec, 3 * sec, 3 * sec, true, 0},
		{"an engine, answered afterwards and late", true, 9 * sec, 3 * sec, 0, true, 0},
		{"a player in this process", false, 6 * sec, 3 * sec, 0, false, 3 * sec},
		{"nothing was stopped", true, 4 * sec, 0, 0, false, 4 * sec},
	} {
		t.Run(k.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := &fake{}
				a.choose = func(_ context.Context, p *player.Prompt) (player.Answer, error) {
					ans := a.first(p)
					if a.prompts == 1 {
						time.Sleep(k.takes)
						ans.Measured, ans.Used = k.measured, k.takes
						if k.measured && k.lost {
							return ans, player.Fail(game.ByTime, nil, "no answer")
						}
					}
					return ans, nil
				}
				g := newGame(a, &fake{})
				g.Sides[0].Clock = control(t, "5")
				g.Slept = func(from, to time.Time) (time.Duration, time.Duration) {
					if to.Sub(from) < sec {
						return 0, 0
					}
					return k.all, k.last
				}
				o := match.Play(t.Context(), g)
				if lost := o.Result.Reason == game.ByTime; lost != k.lost {
					t.Fatalf("result %+v", o.Result)
				}
				if !k.lost && o.Used[0] != k.charged {
					t.Errorf("charged %v, want %v", o.Used[0], k.charged)
				}
			})
		})
	}
}

// Players whose time to become ready ran out while the process was stopped lose
// nothing.
func TestStoppedAtStart(t *testing.T) {
	for slept, why := range map[time.Duration]game.Reason{0: game.ByStart, 30 * sec: game.ByAbort} {
		synctest.Test(t, func(t *testing.T) {
			a := &fake{}
			a.newGame = func(ctx context.Context, _ *player.Setup) error {
				<-ctx.Done()
				return player.Fail(game.ByStart, ctx.Err(), "not ready in time")
			}
			g := newGame(a, &fake{})
			g.Slept = func(time.Time, time.Time) (time.Duration, time.Duration) { return slept, 0 }
			if o := match.Play(t.Context(), g); o.Result.Reason != why {
				t.Errorf("slept %v: %+v", slept, o.Result)
			}
		})
	}
}
