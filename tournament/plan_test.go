package tournament

import (
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/game"
)

// Run plays the games of a schedule, at most concurrency at a time, and hands each to
// done. Once a game has closed drain no further one starts. It returns how many games
// were handed to done.
func Run(ctx context.Context, s Scheduler, concurrency int, drain <-chan struct{}, play Play, done func(Finished)) int {
	var r *Runner
	r = NewRunner(s, concurrency, func(ctx context.Context, p Pairing, slot int) (Finished, bool) {
		f, ok := play(ctx, p, slot)
		select {
		case <-drain:
			r.Drain()
		default:
		}
		return f, ok
	}, func(f Finished) bool { done(f); return true })
	return r.Run(ctx)
}

func TestPlanIsFair(t *testing.T) {
	for _, p := range []Plan{
		{Engines: 2, Games: 1, Rounds: 1},
		{Engines: 2, Games: 5, Rounds: 3},
		{Engines: 3, Games: 2, Rounds: 2},
		{Engines: 7, Games: 3, Rounds: 2, Openings: 4, Repeat: true},
		{Engines: 4, Games: 4, Rounds: 1, Repeat: true},
	} {
		t.Run(fmt.Sprintf("%+v", p), func(t *testing.T) {
			seats, meets := map[int]int{}, map[[2]int]int{}
			for i, g := range allGames(p) {
				if g.Index != i || g.First == g.Second || g.First >= p.Engines || g.Second >= p.Engines {
					t.Fatalf("game %d: %+v", i, g)
				}
				seats[g.First]++
				seats[g.Second]--
				meets[[2]int{min(g.First, g.Second), max(g.First, g.Second)}]++
			}
			for pair, n := range meets {
				if n != p.Games*p.Rounds {
					t.Errorf("pair %v met %d times, want %d", pair, n, p.Games*p.Rounds)
				}
			}
			if len(meets) != p.pairs() {
				t.Errorf("%d pairs met, want %d", len(meets), p.pairs())
			}
			for e, d := range seats {
				if p.Games*p.Rounds%2 == 0 && d != 0 {
					t.Errorf("engine %d has %d more games in one seat", e, d)
				}
			}
		})
	}
}

func TestRepeatPairsOpenings(t *testing.T) {
	p := Plan{Engines: 3, Games: 4, Rounds: 1, Openings: 5, Repeat: true}
	seen := map[int][]Pairing{}
	for _, g := range allGames(p) {
		seen[g.Shuffle] = append(seen[g.Shuffle], g)
	}
	for s, games := range seen {
		if len(games) != 2 {
			t.Fatalf("shuffle %d is used by %d games", s, len(games))
		}
		a, b := games[0], games[1]
		if a.First != b.Second || a.Second != b.First || a.Opening != b.Opening {
			t.Errorf("not a pair with seats exchanged: %+v %+v", a, b)
		}
	}
}

func TestSeedsDependOnEverything(t *testing.T) {
	a := Seeds{Seed: 1}
	b := Seeds{Seed: 1, Secret: [32]byte{1}}
	if a.At("x") == a.At("y") || a.At("x") == b.At("x") || a.At("x") == (Seeds{Seed: 2}).At("x") {
		t.Error("two different labels, seeds or secrets give one seed")
	}
	if a.At("x") != (Seeds{Seed: 1}).At("x") {
		t.Error("the same label gives two seeds")
	}
}

func TestRunCountsEachGameOnce(t *testing.T) {
	plan := Plan{Engines: 3, Games: 10, Rounds: 1}
	st := NewStandings(plan, DefaultPoints)
	var running, most atomic.Int32
	n := Run(t.Context(), NewScheduler(plan, DefaultPoints), 4, nil, func(_ context.Context, p Pairing, _ int) (Finished, bool) {
		if now := running.Add(1); now > most.Load() {
			most.Store(now)
		}
		defer running.Add(-1)
		return Finished{Pairing: p, Result: game.Win(game.First, "x", "")}, true
	}, st.Add)
	if n != 30 || st.Games() != 30 {
		t.Fatalf("played %d, counted %d of 30", n, st.Games())
	}
	if most.Load() > 4 {
		t.Errorf("%d games at a time", most.Load())
	}
	for e := range plan.Engines {
		if got := st.Entry(e); got.Wins != 10 || got.Losses != 10 {
			t.Errorf("engine %d: %+v", e, got)
		}
	}
}

func TestDrainStopsStarting(t *testing.T) {
	plan := Plan{Engines: 2, Games: 100, Rounds: 1}
	drain := make(chan struct{})
	n := Run(t.Context(), NewScheduler(plan, DefaultPoints), 1, drain, func(_ context.Context, p Pairing, _ int) (Finished, bool) {
		if p.Index == 4 {
			close(drain)
		}
		return Finished{Pairing: p}, true
	}, func(Finished) {})
	if n != 5 {
		t.Errorf("played %d games after draining in the fifth", n)
	}
}

func TestPentanomialIsUsedForPairs(t *testing.T) {
	plan := Plan{Engines: 2, Games: 4, Rounds: 1, Repeat: true}
	st := NewStandings(plan, DefaultPoints)
	for _, g := range allGames(plan) {
		st.Add(Finished{Pairing: g, Result: game.Win(game.First, "x", "")})
	}
	e := st.Difference(0)
	if e.Score != 0.5 || !math.IsNaN(e.Error) {
		t.Errorf("first seat always winning is no noise in pairs, and tells no error: %+v", e)
	}
	if math.IsNaN(e.Elo) || e.Elo != 0 {
		t.Errorf("elo = %v", e.Elo)
	}
}

// With fixed seats the lower number begins every game; a plan cannot exchange
// seats and keep them at once.
func TestFixedSeats(t *testing.T) {
	p := Plan{Engines: 3, Games: 4, Rounds: 2, FixedSeats: true}
	for i, g := range allGames(p) {
		if g.First >= g.Second {
			t.Errorf("game %d: %d begins against %d", i, g.First, g.Second)
		}
	}
	p.Repeat = true
	if p.Check() == nil {
		t.Error("seats are exchanged and fixed")
	}
}

// While a run goes on it can be widened, narrowed and paused; every game is played
// once, and no place is used by two games at a time.
func TestRunnerIsSteered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plan := Plan{Engines: 2, Games: 60, Rounds: 1}
		var mu sync.Mutex
		taken, played := map[int]bool{}, map[int]int{}
		r := NewRunner(NewScheduler(plan, DefaultPoints), 1, func(_ context.Context, p Pairing, slot int) (Finished, bool) {
			mu.Lock()
			if taken[slot] {
				t.Errorf("game %d: place %d is taken", p.Index, slot)
			}
			taken[slot] = true
			mu.Unlock()
			time.Sleep(time.Second)
			mu.Lock()
			delete(taken, slot)
			played[p.Index]++
			mu.Unlock()
			return Finished{Pairing: p}, true
		}, func(Finished) bool { return true })
		over := make(chan int)
		go func() { over <- r.Run(t.Context()) }()
		for i, c := range []struct {
			do   func()
			want int // games a second later
		}{
			{func() {}, 1},
			{func() { r.SetConcurrency(5) }, 5},
			{func() { r.SetConcurrency(2) }, 2},
			{func() { r.Pause(true) }, 0},
			{func() { r.SetConcurrency(4) }, 0},
			{func() { r.Pause(false) }, 4},
			{func() { r.SetConcurrency(-1) }, 1},
			{func() { r.SetConcurrency(3) }, 3},
		} {
			c.do()
			time.Sleep(1500 * time.Millisecond)
			synctest.Wait()
			if st := r.Status(); st.Playing != c.want {
				t.Errorf("change %d: %d games at a time instead of %d", i, st.Playing, c.want)
			}
		}
		if n := <-over; n != plan.Games || len(played) != plan.Games {
			t.Errorf("%d games were handed over, %d different ones played, instead of %d", n, len(played), plan.Games)
		}
		for i, n := range played {
			if n != 1 {
				t.Errorf("game %d was played %d times", i, n)
			}
		}
	})
}

// A paused runner starts nothing and ends when it is drained.
func TestPausedRunnerDrains(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plan, played := Plan{Engines: 2, Games: 10, Rounds: 1}, 0
		r := NewRunner(NewScheduler(plan, DefaultPoints), 2, func(_ context.Context, p Pairing, _ int) (Finished, bool) {
			return Finished{Pairing: p}, true
		}, func(Finished) bool { played++; return true })
		r.Pause(true)
		over := make(chan int)
		go func() { over <- r.Run(t.Context()) }()
		synctest.Wait()
		if st := r.Status(); st.Playing != 0 || !st.Paused || played != 0 {
			t.Errorf("%+v after %d games", st, played)
		}
		r.Drain()
		if n := <-over; n != 0 {
			t.Errorf("%d games were played", n)
		}
	})
}

// TestForfeits: an engine that never became ready is counted apart from those that fell
// silent or broke their protocol, also when the result is taken back.
func TestForfeits(t *testing.T) {
	d := NewDirector(Plan{Engines: 2, Games: 6, Rounds: 1}, DefaultPoints)
	reasons := []game.Reason{game.ByStart, game.ByStall, game.ByProtocol, game.ByCrash, game.ByTime, game.ByIllegal}
	simulate(d, func(p Pairing) game.Result {
		if p.First == 0 {
			return game.Win(game.Second, reasons[p.Index], "")
		}
		return game.Win(game.First, reasons[p.Index], "")
	})
	want := Entry{Games: 6, Losses: 6, Crashes: 1, Timeouts: 1, Illegal: 1, Starts: 1, Other: 2}
	if got := d.Standings().Entry(0); got != want {
		t.Errorf("%+v", got)
	}
	if _, err := d.Apply(Order{Kind: Overrule, Game: 1, Points: [2]float64{1, 0}}); err != nil {
		t.Fatal(err)
	}
	if got := d.Standings().Entry(0); got.Starts != 0 || got.Wins != 1 {
		t.Errorf("overruled: %+v", got)
	}
}

func TestMostGames(t *testing.T) {
	for _, format := range Formats() {
		p := Plan{Format: format, Engines: 4, Games: 2, Rounds: 1}
		if format == Gauntlet {
			p.Seeds = 1
		}
		if err := p.Check(); err != nil {
			t.Errorf("%s: %v", format, err)
		}
		for _, games := range []int{1e7 + 2, 1e12, math.MaxInt - 1} {
			if p.Games = games; p.Check() == nil {
				t.Errorf("%s: %d games", format, games)
			}
		}
		if p.Games, p.Rounds = 2, math.MaxInt; p.Check() == nil {
			t.Errorf("%s: rounds without end", format)
		}
	}
}
