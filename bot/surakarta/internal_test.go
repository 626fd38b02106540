package surakarta

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"kibitz/bot"
	"kibitz/bot/search"
	"kibitz/game"
	"kibitz/games/surakarta"
	"kibitz/player"
	"kibitz/rules"
	"kibitz/rules/rulestest"
)

var open = rulestest.Opener(surakarta.Game())

// started is an engine at a position, ready to search.
func started(t testing.TB, spec, text string) *engine {
	t.Helper()
	e := newEngine()
	if err := e.Reset(&player.Setup{Spec: open(t, spec).Spec(), Start: text}); err != nil {
		t.Fatal(err)
	}
	e.prepare()
	return e
}

// plainSearch is the value of a state of the rules by trying everything: no bounds,
// no table, no order.
func plainSearch(w *weights, st rules.State, depth, ply int) int {
	own, ok := st.(*surakarta.State)
	if !ok {
		panic("no state of surakarta")
	}
	b := own.Board()
	if r, over := st.Result(); over {
		switch r.Winner() {
		case b.Side():
			return won - ply
		case b.Side().Other():
			return ply - won
		}
		return 0
	}
	if depth == 0 {
		return plainQuiesce(w, b, ply)
	}
	best := -search.Inf
	for _, m := range st.Legal(nil) {
		next := st.Clone()
		if _, err := next.Apply(m, nil); err != nil {
			panic(err)
		}
		best = max(best, -plainSearch(w, next, depth-1, ply+1))
	}
	return best
}

func plainQuiesce(w *weights, b surakarta.Board, ply int) int {
	if b.Count(b.Side()) == 0 {
		return ply - won
	}
	best := w.evaluate(&b)
	for _, m := range b.Captures(nil) {
		next := b
		next.Move(m)
		best = max(best, -plainQuiesce(w, next, ply+1))
	}
	return best
}

// middles returns positions of random games, with few plies left to the limit in
// some of them.
func middles(t testing.TB, n int) (list []string) {
	t.Helper()
	r := rand.New(rand.NewPCG(11, 12))
	rs := open(t, "surakarta:nocapture=8")
	for len(list) < n {
		st := rs.New()
		for range 4 + r.IntN(60) {
			if st.Turn().Seat == game.Nobody {
				break
			}
			// Captures come first in the list, and are made more often than by chance.
			moves := st.Legal(nil)
			if _, err := st.Apply(moves[r.IntN(1+r.IntN(len(moves)))], nil); err != nil {
				t.Fatal(err)
			}
		}
		if st.Turn().Seat != game.Nobody {
			list = append(list, st.Text())
		}
	}
	return list
}

// To a depth at which nothing is left out the search finds the value of a search
// without bounds that plays by the rules' own states.
func TestSearchAgreesWithPlainSearch(t *testing.T) {
	n := 25
	if testing.Short() {
		n = 6
	}
	for _, text := range middles(t, n) {
		st, err := open(t, "surakarta:nocapture=8").Position(text)
		if err != nil {
			t.Fatal(err)
		}
		for depth := 1; depth <= 2; depth++ {
			e := started(t, "surakarta:nocapture=8", text)
			got := e.search.Run(&bot.Task{Depth: depth}, &e.pos, 1, 0).Lines[0].Value
			if want := plainSearch(&standard, st, depth, 0); got != want {
				t.Errorf("%s: depth %d is worth %d, want %d", text, depth, got, want)
			}
		}
	}
}

// The engine's own history says at every position of random games what the rules
// say of repetitions and plies without capture.
func TestEndsAgreeWithTheRules(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	ends := map[game.Reason]int{}
	for _, spec := range []string{"surakarta", "surakarta:repetition=2", "surakarta:nocapture=0", "surakarta:rulings=sau"} {
		for range 12 {
			st := open(t, spec).New()
			e := started(t, spec, "")
			var last [4]game.Move
			for n := 0; n < 3000 && st.Turn().Seat != game.Nobody; n++ {
				moves := st.Legal(nil)
				m := moves[r.IntN(len(moves))]
				// Now and then both sides go back and forth.
				if back := game.ShiftTo(last[n&1].To, last[n&1].From); n/40%3 == 2 && st.Check(back) == nil {
					m = back
				}
				last[n&1] = m
				if _, err := st.Apply(m, nil); err != nil {
					t.Fatal(err)
				}
				if err := e.follow(m); err != nil {
					t.Fatal(err)
				}
				e.prepare()
				e.pos.root = len(e.pos.past) // all of it is history
				_, over := e.pos.ended(0)
				res, _ := st.Result()
				if want := res.Reason == surakarta.Repetition || res.Reason == surakarta.NoCapture; over != want {
					t.Fatalf("%s: %s: ended %t, but the result is %+v", spec, st.Text(), over, res)
				}
				ends[res.Reason]++
			}
		}
	}
	if ends[surakarta.Repetition] == 0 || ends[surakarta.NoCapture] == 0 || ends[surakarta.Taken] == 0 {
		t.Errorf("ends %v", ends)
	}
}

func TestEvaluationHasNoSides(t *testing.T) {
	var sum uint64
	for _, set := range classes {
		sum += set
	}
	if sum != 1<<surakarta.Points-1 {
		t.Errorf("classes of points overlap or leave some out: %x", sum)
	}
	w := standard
	w.turn = 0
	for _, text := range middles(t, 40) {
		b := started(t, "surakarta:nocapture=8", text).board
		v := w.evaluate(&b)
		b.Skip()
		if back := w.evaluate(&b); back != -v {
			t.Errorf("%s: %d for one side, %d for the other", text, v, back)
		}
		rows := strings.Split(text[:41], "/")
		for i, row := range rows {
			c := []byte(row)
			for x := range 3 {
				c[x], c[5-x] = c[5-x], c[x]
			}
			rows[i] = string(c)
		}
		m := started(t, "surakarta:nocapture=8", strings.Join(rows, "/")+text[41:]).board
		if got := w.evaluate(&m); got != v {
			t.Errorf("%s: %d, reflected %d", text, v, got)
		}
	}
}

// Problems: position, and what the best move must be or must not be.
func TestProblems(t *testing.T) {
	for _, c := range []struct {
		why, spec, text string
		history         string
		want, not       string
	}{
		{"takes the last piece", "surakarta", "6/.b4/.w4/6/6/6 b", "", "b5-b4", ""},
		{"takes before the limit", "surakarta", "6/.b4/6/6/.w4/4ww b 49", "", "b5-b2", ""},
		{"behind, does not take back the third time", "surakarta", "b5/6/1b4/6/6/5w b", "b4-c4 f1-f2 c4-b4 f2-f1 b4-c4 f1-f2 c4-b4", "", "f2-f1"},
		{"ahead, makes the third occurrence", "surakarta", "b5/6/1b4/6/6/5w w", "f1-f2 b4-c4 f2-f1 c4-b4 f1-f2 b4-c4 f2-f1", "c4-b4", ""},
	} {
		p := New(bot.Options{Now: time.Now})
		if err := p.NewGame(context.Background(), &player.Setup{Spec: open(t, c.spec).Spec(), Start: c.text}); err != nil {
			t.Fatal(err)
		}
		r := open(t, c.spec)
		st, err := r.Position(c.text)
		if err != nil {
			t.Fatal(err)
		}
		for text := range strings.FieldsSeq(c.history) {
			m, err := r.ParseMove(text)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := st.Apply(m, nil); err != nil {
				t.Fatalf("%s: %v", c.why, err)
			}
			p.Tell(&player.Update{Steps: []game.Move{m}, Next: st.Turn()})
		}
		a, err := p.Choose(context.Background(), &player.Prompt{Seat: st.Turn().Seat, Turn: st.Turn(), Moves: st, Limits: player.Limits{Depth: 6}})
		if err != nil {
			t.Fatal(err)
		}
		got := r.FormatMove(a.Steps[0])
		t.Logf("%s: %s %+v", c.why, got, a.Info.Eval)
		if c.want != "" && got != c.want || got == c.not {
			t.Errorf("%s: %s plays %s, %+v", c.why, c.text, got, a.Info)
		}
	}
}

// Once lists and lines have their room a search makes no garbage.
func TestSearchAllocatesNothing(t *testing.T) {
	e := started(t, "surakarta", "b..bb./.bb.b./.w..b./..w.w./.ww.../w.w..w b 0")
	task := bot.Task{}
	run := func() {
		task = bot.Task{Depth: 6}
		e.search.Run(&task, &e.pos, 1, 0)
	}
	run()
	if n := testing.AllocsPerRun(3, run); n > 1 {
		t.Errorf("%v allocations for %d positions", n, task.Count())
	}
}
