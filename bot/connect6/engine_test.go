package connect6_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"kibitz/bot"
	engine "kibitz/bot/connect6"
	"kibitz/clock"
	"kibitz/game"
	rule "kibitz/games/connect6"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/rules"
)

// middle is a position early in a game without a win in sight.
const middle = "19/19/19/19/19/19/19/19/10w8/9b9/10w8/19/19/19/19/19/19/19/19 b"

func newRules(t testing.TB, spec game.Spec) rules.Rules {
	t.Helper()
	r, err := rules.Open([]rules.Game{rule.Game()}, string(spec))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// seat returns a player who begins at a position.
func seat(t testing.TB, r rules.Rules, start string, o bot.Options) player.Player {
	t.Helper()
	if o.Now == nil {
		o.Now = time.Now
	}
	p := engine.New(o)
	if err := p.NewGame(context.Background(), &player.Setup{ID: "game", Spec: r.Spec(), Start: start}); err != nil {
		t.Fatal(err)
	}
	return p
}

// ask asks for a turn and holds its steps to be legal; it returns the position
// after it.
func ask(t testing.TB, p player.Player, s rules.State, prompt player.Prompt) (player.Answer, rules.State) {
	t.Helper()
	prompt.Turn, prompt.Seat, prompt.Moves = s.Turn(), s.Turn().Seat, s
	a, err := p.Choose(context.Background(), &prompt)
	if err != nil {
		t.Fatal(err)
	}
	after := s.Clone()
	for k, m := range a.Steps {
		if _, over := after.Result(); over {
			t.Fatalf("%v goes on after the end in %s", a.Steps[k:], after.Text())
		}
		if after.Turn().Seat != s.Turn().Seat {
			t.Fatalf("%v is more than a turn in %s", a.Steps, s.Text())
		}
		if _, err := after.Apply(m, nil); err != nil {
			t.Fatalf("%v in %s: %v", a.Steps, s.Text(), err)
		}
	}
	if after.Turn().Step != 0 {
		t.Fatalf("%v is half a turn in %s", a.Steps, s.Text())
	}
	return a, after
}

func position(t testing.TB, r rules.Rules, text string) rules.State {
	t.Helper()
	s, err := r.Position(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What must be found: at all levels from the given one on.
func TestProblems(t *testing.T) {
	if testing.Short() {
		t.Skip("much searching on one goroutine")
	}
	for _, c := range []struct {
		name, text string
		level      int
		over       bool   // the answer ends the game
		holds      bool   // nobody can make six in the next turn
		mate       string // "wins": a win must be told
	}{
		{"four is six", "19/19/19/19/19/6wwww9/19/19/7bbbb8/7ww10/19/19/19/7ww10/19/19/19/19/19 b", 4, true, false, "wins"},
		{"five is six, with one stone", "19/19/19/19/19/6wwww9/19/19/7bbbb1b6/7ww10/19/19/19/7ww10/19/19/19/19/19 b", 4, true, false, "wins"},
		{"six at the second stone", "19/19/19/19/19/6wwww9/19/19/7bbbb1b6/7ww10/19/19/19/7ww10/19/19/19/19/19 b 1", 4, true, false, "wins"},
		{"an open four is spoilt at both ends", "19/19/19/19/19/19/19/19/7bbbb8/19/19/19/9w9/9w9/19/19/19/19/19 w", 4, false, true, ""},
		{"a closed five is spoilt", "19/19/19/19/19/19/19/19/6wbbbbb7/19/19/19/9w9/9w9/19/19/19/19/19 w 1", 4, false, true, ""},
		{"two open threes win", "19/19/19/19/19/6b12/6b12/6b12/8bbb8/19/19/14w4/14w4/14w4/19/w18/19/18w/w17w b", 4, false, false, "wins"},
	} {
		r := newRules(t, "connect6")
		for level := c.level; level <= 9; level++ {
			if testing.Short() && level%4 != 1 {
				continue
			}
			s := position(t, r, c.text)
			// A seed with which level 4 does not begin with a blunder.
			a, after := ask(t, seat(t, r, c.text, bot.Options{Level: level, Seed: 1}), s, player.Prompt{Limits: player.Limits{Nodes: 20_000}})
			if _, over := after.Result(); over != c.over {
				t.Errorf("%s, level %d: %v ends the game: %t", c.name, level, a.Steps, over)
			}
			if c.holds && canMakeSix(t, after) {
				t.Errorf("%s, level %d: %v holds nothing: %s", c.name, level, a.Steps, after.Text())
			}
			if e := a.Info.Eval; c.mate == "wins" && (e.Unit != game.MateIn || e.Lo <= 0) {
				t.Errorf("%s, level %d: the win is not seen: %+v", c.name, level, a.Info)
			}
		}
	}
}

// canMakeSix tries all turns of the side to place.
func canMakeSix(t *testing.T, s rules.State) bool {
	t.Helper()
	found := false
	rules.Counter{}.Turns(s, func(_ []game.Move, after rules.State, _ bool) {
		res, over := after.Result()
		found = found || over && res.Winner() == s.Turn().Seat
	})
	return found
}

// Positions of all kinds, also those that no game would reach: boards nearly full,
// lost beyond hope, with or without lines left, in the middle of turns, on every
// size. Every answer is legal and a whole turn.
func TestAnswersEverywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("much searching on one goroutine")
	}
	rng := rand.New(rand.NewPCG(11, 12))
	rounds := 150
	if testing.Short() {
		rounds = 30
	}
	for i := range rounds {
		spec := []game.Spec{"connect6:size=6", "connect6:size=7,rulings=sau", "connect6:size=9", "connect6:size=13", "connect6:size=26"}[i%5]
		r := newRules(t, spec)
		s := r.New()
		size := r.Doc().Width
		stop := rng.IntN(size*size + 1)
		for range stop {
			moves := s.Legal(nil)
			after := s.Clone()
			if _, err := after.Apply(moves[rng.IntN(len(moves))], nil); err != nil {
				t.Fatal(err)
			}
			if after.Turn().Seat == game.Nobody {
				break
			}
			s = after
		}
		level := 1 + rng.IntN(9)
		p := seat(t, r, s.Text(), bot.Options{Level: level, Seed: uint64(i)})
		ask(t, p, s, player.Prompt{Limits: player.Limits{Nodes: int64(1 + rng.IntN(3000))}})
	}
}

// The clock of this test moves on by half a millisecond each time the player looks
// at it: the player must look often, and answer when the time has come.
func TestKeepsItsTime(t *testing.T) {
	const step = time.Millisecond / 2
	for _, spec := range []game.Spec{"connect6", "connect6:size=26"} {
		r := newRules(t, spec)
		text := middle
		if spec != "connect6" {
			text = "26/26/26/26/26/26/26/26/26/26/26/10b15/11ww13/26/26/26/26/26/26/26/26/26/26/26/26/26 b"
		}
		s := position(t, r, text)
		now, looks := time.Now(), int64(0)
		p := seat(t, r, text, bot.Options{Now: func() time.Time {
			looks++
			now = now.Add(step)
			return now
		}})
		for _, limit := range []time.Duration{50 * time.Millisecond, 200 * time.Millisecond} {
			k := clock.Clock{Control: clock.Control{Turn: limit}}
			began := now
			looks = 0
			a, _ := ask(t, p, s, player.Prompt{Clocks: [2]clock.Clock{k, k}, Deadline: began.Add(limit)})
			if took := now.Sub(began); took > limit {
				t.Errorf("%s: %v of %v", spec, took, limit)
			}
			if a.Info.Nodes > 300*looks {
				t.Errorf("%s: the player looked at its clock %d times in %d positions", spec, looks, a.Info.Nodes)
			}
			t.Logf("%s: %v of %v, %d looks, %d positions, depth %d", spec, now.Sub(began), limit, looks, a.Info.Nodes, a.Info.Depth)
		}
	}
}

func TestStop(t *testing.T) {
	r := newRules(t, "connect6")
	s := position(t, r, middle)
	p := seat(t, r, middle, bot.Options{})
	done := make(chan struct{})
	go func() { // again and again: the first one may come before the search
		for {
			select {
			case <-time.After(50 * time.Millisecond):
				p.Stop()
			case <-done:
				return
			}
		}
	}()
	k := clock.Clock{Control: clock.Control{Turn: time.Hour}}
	began := time.Now()
	ask(t, p, s, player.Prompt{Clocks: [2]clock.Clock{k, k}})
	close(done)
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("stopped after %v", took)
	}
}

func TestAnalysisShowsLines(t *testing.T) {
	r := newRules(t, "connect6")
	p := seat(t, r, middle, bot.Options{})
	for i, info := range playertest.Lines(t, p, 3, 2) {
		if len(info.PV) < 2 || info.Nodes == 0 {
			t.Errorf("line %d: %+v", i, info)
		}
	}
}

// Wrong games and positions are refused in words.
func TestCannotPlay(t *testing.T) {
	for _, s := range []player.Setup{{Spec: "gomoku"}, {Spec: "connect6:size=5"}, {Spec: "connect6", Start: "19/19 b"}} {
		if err := engine.New(bot.Options{Now: time.Now}).NewGame(context.Background(), &s); err == nil {
			t.Errorf("%+v is accepted", s)
		}
	}
}

// BenchmarkSearch searches the middle of a game.
func BenchmarkSearch(b *testing.B) {
	r := newRules(b, "connect6")
	s := position(b, r, middle)
	var nodes int64
	for b.Loop() {
		a, _ := ask(b, seat(b, r, middle, bot.Options{}), s, player.Prompt{Limits: player.Limits{Nodes: 100_000}})
		nodes += a.Info.Nodes
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
}

// A win that is told is made in as many turns as told, or fewer, whatever the
// other side does.
func TestToldWinsComeTrue(t *testing.T) {
	games := 10
	if testing.Short() {
		games = 2
	}
	r := newRules(t, "connect6")
	told := 0
	for n := range games {
		players := [2]player.Player{
			seat(t, r, "", bot.Options{Level: 9, Seed: uint64(n)}),
			seat(t, r, "", bot.Options{Level: 9, Seed: uint64(n) + 100}),
		}
		s := r.New()
		promise, by := 0.0, game.Nobody // turns left to the win, and whose it is
		for s.Turn().Seat != game.Nobody {
			me := s.Turn().Seat
			a, after := ask(t, players[me], s, player.Prompt{Limits: player.Limits{Nodes: 6_000}})
			e := a.Info.Eval
			switch {
			case me == by:
				if promise--; promise < 0 || e.Unit != game.MateIn || e.Lo > promise+1 {
					t.Fatalf("game %d: a win in %v turns was told, then %+v in %s", n, promise+1, a.Info, s.Text())
				}
			case e.Unit == game.MateIn && e.Lo > 0:
				promise, by = e.Lo-1, me
				told++
			}
			u := player.Update{By: me, Steps: a.Steps, Ended: true, Next: after.Turn()}
			for _, p := range players {
				p.Tell(&u)
			}
			s = after
		}
		if res, _ := s.Result(); by != game.Nobody && res.Winner() != by {
			t.Errorf("game %d: %v told a win, but %+v", n, by, res)
		}
	}
	if told == 0 {
		t.Error("no win was told")
	}
}
