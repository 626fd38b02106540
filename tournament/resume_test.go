package tournament

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kibitz/game"
)

// scramble plays a schedule, several games at a time, which end in an order that
// draws decide, until limit games have ended. void says which end without a
// verdict; they count for limit too. It returns the games with a verdict as they ended.
func scramble(t *rapid.T, s Scheduler, j judge, limit int, void func(Pairing) bool) []Finished {
	var out []Finished
	var running []Pairing
	width := rapid.IntRange(1, 9).Draw(t, "at a time")
	pick := rapid.SliceOfN(rapid.IntRange(0, 8), 17, 17).Draw(t, "who ends first")
	for ended := range limit {
		for len(running) < width {
			p, state := s.Next()
			if state != Ready {
				break
			}
			running = append(running, p)
		}
		if len(running) == 0 {
			return out
		}
		at := pick[ended%len(pick)] % len(running)
		f := Finished{Pairing: running[at]}
		running = slices.Delete(running, at, at+1)
		if !void(f.Pairing) {
			f.Result = j(f.Pairing)
			out = append(out, f)
		}
		s.Record(f)
	}
	return out
}

// takeUp returns the schedule of a plan of which these games have been played.
func takeUp(p Plan, kept map[int]Finished, add func(Finished)) (*Director, error) {
	var log []Event
	for _, i := range slices.Sorted(maps.Keys(kept)) {
		log = append(log, Event{Finished: kept[i]})
	}
	d := NewDirector(p, DefaultPoints)
	return d, d.Resume(log, add)
}

func never(Pairing) bool { return false }

// entries returns the lines of all engines.
func entries(p Plan, list []Finished) []Entry {
	st := NewStandings(p, DefaultPoints)
	for _, f := range list {
		st.Add(f)
	}
	out := make([]Entry, p.Engines)
	for e := range out {
		out[e] = st.Entry(e)
	}
	return out
}

func pairings(list []Finished) []Pairing {
	var out []Pairing
	for _, f := range list {
		out = append(out, f.Pairing)
	}
	slices.SortFunc(out, func(a, b Pairing) int { return a.Index - b.Index })
	return out
}

// A run that is cut anywhere, any number of times, and goes on plays the games of
// one that is not, with the same numbers, openings and shuffles, and none twice.
func TestResume(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPlan(t)
		want := scramble(t, NewScheduler(p, DefaultPoints), byLabel, 1<<30, never)
		var all []Finished
		for range rapid.IntRange(1, 3).Draw(t, "cuts") {
			kept := map[int]Finished{}
			for _, f := range all {
				// What a journal knows is enough.
				known := Pairing{Index: f.Pairing.Index, First: f.Pairing.First, Second: f.Pairing.Second, Round: f.Pairing.Round, Pair: f.Pairing.Pair}
				kept[f.Pairing.Index] = Finished{Pairing: known, Result: f.Result}
			}
			var again []Finished
			s, err := takeUp(p, kept, func(f Finished) { again = append(again, f) })
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(pairings(again), pairings(all)) {
				t.Fatalf("taken over\n%v of\n%v", again, all)
			}
			all = append(all, scramble(t, s, byLabel, rapid.IntRange(0, len(want)).Draw(t, "cut"), never)...)
		}
		kept := map[int]Finished{}
		for _, f := range all {
			kept[f.Pairing.Index] = f
		}
		if len(kept) != len(all) {
			t.Fatal("a game was played twice")
		}
		s, err := takeUp(p, kept, func(Finished) {})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, scramble(t, s, byLabel, 1<<30, never)...)
		if !slices.Equal(pairings(all), pairings(want)) || !slices.Equal(entries(p, all), entries(p, want)) {
			t.Fatalf("cut and resumed\n%v\nnot cut\n%v", pairings(all), pairings(want))
		}
		if _, state := s.Next(); state != Over {
			t.Errorf("state %d after the last game", state)
		}
	})
}

// Games without a verdict before the cut change no pairing after it, and are played
// again where nothing depends on them.
func TestResumeAfterGamesWithoutVerdict(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPlan(t)
		void := func(p Pairing) bool { return p.Index%3 == 0 }
		want := scramble(t, NewScheduler(p, DefaultPoints), byLabel, 1<<30, void)
		cut := rapid.IntRange(0, len(want)).Draw(t, "cut")
		kept := map[int]Finished{}
		for _, f := range want[:cut] {
			kept[f.Pairing.Index] = f
		}
		s, err := takeUp(p, kept, func(Finished) {})
		if err != nil {
			t.Fatal(err)
		}
		got := append(slices.Clone(want[:cut]), scramble(t, s, byLabel, 1<<30, void)...)
		if !slices.Equal(pairings(got), pairings(want)) {
			t.Fatalf("resumed\n%v\nnot cut\n%v", pairings(got), pairings(want))
		}
	})
}

// Games of another plan are refused.
func TestResumeOfAnotherPlan(t *testing.T) {
	swiss := Plan{Format: SwissSystem, Engines: 4, Games: 1, Rounds: 3}
	for _, c := range []struct {
		plan Plan
		game Pairing
		want string
	}{
		{Plan{Engines: 3, Games: 1, Rounds: 1}, Pairing{Index: 3, Round: 1, Pair: 1, Second: 1}, "game 4 of the earlier run is not in this schedule, which has 3"},
		{Plan{Engines: 3, Games: 1, Rounds: 1}, Pairing{Index: 1, Round: 1, Pair: 2, First: 0, Second: 2}, "game 2 of the earlier run is engine 1 against 3, pair 2 of round 1, in this schedule it is engine 3 against 1, pair 2 of round 1"},
		{swiss, Pairing{Index: 99, Round: 1, Pair: 1, Second: 1}, "game 100 of the earlier run is not in this schedule, which has 6"},
		{swiss, Pairing{Index: -1, Round: 1, Pair: 1, Second: 1}, "is not in this schedule"},
		{swiss, Pairing{Index: 5, Round: 2, Pair: 1, Second: 1}, "game 6 of the earlier run is engine 1 against 2, pair 1 of round 2"},
	} {
		c.plan.Rounds = max(1, c.plan.Rounds)
		kept := map[int]Finished{c.game.Index: {Pairing: c.game, Result: game.Drawn("x", "")}}
		_, err := takeUp(c.plan, kept, func(Finished) {})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.game, err, c.want)
		}
	}
}
