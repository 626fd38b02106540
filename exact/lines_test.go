package exact_test

import (
	"math/rand/v2"
	"testing"

	"kibitz/exact"
	"kibitz/exact/connect6"
	"kibitz/exact/gomoku"
	"kibitz/game"
	"kibitz/games"
	"kibitz/rules"
)

// A win by lines is one on the large board too, where it cannot be played out: it
// stays one whatever the loser does, above all on the points of the proof, and ends
// as one.
func TestWinsHold(t *testing.T) {
	n := 30
	if testing.Short() {
		n = 8
	}
	for spec, open := range map[string]func() (exact.Solver, error){
		"gomoku": gomoku.New, "gomoku:rule=standard,size=20": gomoku.New, "gomoku:rule=renju": gomoku.New,
		"gomoku:rule=caro": gomoku.New, "gomoku:rule=caro6": gomoku.New, "gomoku:rule=renju,opening=swap2": gomoku.New,
		"connect6": connect6.New, "connect6:rulings=sau": connect6.New,
	} {
		t.Run(spec, func(t *testing.T) {
			r, err := games.Open(spec)
			if err != nil {
				t.Fatal(err)
			}
			solver, err := open()
			if err != nil {
				t.Fatal(err)
			}
			rnd := rand.New(rand.NewPCG(1, 17))
			won, deep, n := 0, 0, n
			if r.Spec().ID() == "connect6" {
				n = (n + 5) / 6 // these take longer
			}
			for range 40 * n {
				s, v, ok := crowd(rnd, r, solver)
				if !ok {
					continue
				}
				won++
				if len(v.Line) > 2 {
					deep++
				}
				for range 3 {
					defend(t, rnd, r, solver, s.Clone(), v)
				}
				if won == n {
					break
				}
			}
			if won < n/2 || won == 0 {
				t.Errorf("%d wins", won)
			}
			t.Logf("%d wins, %d of them more than a line that can be completed", won, deep)
		})
	}
}

// crowd plays random stones close together until a win is certain.
func crowd(rnd *rand.Rand, r rules.Rules, solver exact.Solver) (rules.State, exact.Verdict, bool) {
	s := r.New()
	w := r.Doc().Width
	for range 40 {
		if s.Turn().Seat == game.Nobody {
			break
		}
		if s.Turn().Step == 0 && solver.Near(s) {
			if v, ok := solver.Solve(s, 3000); ok {
				return s, v, v.Winner() != game.Nobody
			}
		}
		list := s.Legal(nil)
		m := list[rnd.IntN(len(list))]
		for try := 0; try < 30 && m.Op == game.Place && !central(m.To, w); try++ {
			m = list[rnd.IntN(len(list))]
		}
		if _, err := s.Apply(m, nil); err != nil {
			panic(err)
		}
	}
	return nil, exact.Verdict{}, false
}

func central(p game.Point, w int) bool {
	lo, hi := w/2-3, w/2+3
	return int(p.X) >= lo && int(p.X) <= hi && int(p.Y) >= lo && int(p.Y) <= hi
}

// defend plays a certain win to its end: the winner by the lines of the solver, the
// loser on points of the line that it should play, or anywhere.
func defend(t *testing.T, rnd *rand.Rand, r rules.Rules, solver exact.Solver, s rules.State, v exact.Verdict) {
	t.Helper()
	winner := v.Winner()
	begun := s.Text()
	for range 200 {
		if end, over := s.Result(); over {
			if end.Points != v.Points {
				t.Fatalf("%s: %+v, but %s: %+v", begun, v, s.Text(), end)
			}
			return
		}
		if s.Turn().Step == 0 {
			now, ok := solver.Solve(s, 10_000)
			if ok && now.Points != v.Points || !ok && s.Turn().Seat == winner {
				t.Fatalf("%s: %+v, but after %s nothing is certain: %+v", begun, v, s.Text(), now)
			}
			v.Line = now.Line
		}
		list := s.Legal(nil)
		m := list[rnd.IntN(len(list))]
		if s.Turn().Seat == winner || rnd.IntN(3) > 0 {
			if len(v.Line) > 0 && s.Check(v.Line[0]) == nil {
				m = v.Line[0]
			}
		}
		if len(v.Line) > 0 {
			v.Line = v.Line[1:]
		}
		if _, err := s.Apply(m, nil); err != nil {
			t.Fatalf("%s: %s: %v", s.Text(), r.FormatMove(m), err)
		}
	}
	t.Fatalf("%s: %+v has no end", begun, v)
}
