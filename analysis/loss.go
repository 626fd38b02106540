package analysis

import (
	"cmp"
	"math"
	"slices"

	"kibitz/game"
)

// Loss is what a turn lost.
type Loss struct {
	// Known tells that both evaluations can be compared.
	Known bool
	// Value is the difference in the unit of the evaluation, 0 or more.
	Value float64
	// Swing, if not empty, tells that the turn changed the proved outcome, for
	// example "won to open"; Value is then 0, because a forced win has no number
	// that could be compared with points.
	Swing string
}

// Outcomes that an evaluation proves.
const (
	lost = iota - 1
	open
	won
)

var outcomeNames = map[int]string{lost: "lost", open: "open", won: "won"}

// outcome returns what an evaluation proves: a forced end is won or lost.
func outcome(e game.Eval) int {
	switch {
	case e.Unit != game.MateIn:
		return open
	case e.Mid() > 0:
		return won
	}
	return lost
}

// lossOf compares the evaluations before and after a turn, both as the seat that
// played it sees them.
func lossOf(before, after game.Eval) Loss {
	if !before.Known() || !after.Known() {
		return Loss{}
	}
	b, a := outcome(before), outcome(after)
	switch {
	case a < b:
		return Loss{Known: true, Swing: outcomeNames[b] + " to " + outcomeNames[a]}
	case a > b || b != open:
		return Loss{Known: true}
	case before.Unit != after.Unit:
		return Loss{}
	}
	return Loss{Known: true, Value: max(0, before.Mid()-after.Mid())}
}

// resultEval is a result in the unit of an evaluation, as a seat sees it. Points
// of an engine's own are compared with the score of the board only where the
// evaluation was proved; else the result is a win, a loss or nothing.
func resultEval(res game.Result, seat game.Seat, before game.Eval, exact bool) game.Eval {
	of := func(unit game.Unit, v float64) game.Eval { return game.Eval{Unit: unit, Lo: v, Hi: v} }
	if res.HasBoard && (before.Unit == game.Discs || before.Unit == game.Points && exact) {
		return of(before.Unit, res.Board[seat]-res.Board[seat.Other()])
	}
	if before.Unit == game.WinChance {
		return of(game.WinChance, res.Points[seat])
	}
	switch w := res.Winner(); {
	case !w.IsPlayer():
		if before.Unit == game.Points && res.Draw() {
			return of(game.Points, 0)
		}
		return game.Eval{}
	case w == seat:
		return of(game.MateIn, 1)
	case before.Unit == game.MateIn || before.Mid() > 0:
		return of(game.MateIn, -1)
	}
	return game.Eval{} // thought lost and lost: points say no more
}

// compare fills in what each turn came to and what it lost.
func (r *run) compare() {
	final := r.Line.Verdict.Board
	for i := len(r.list) - 1; i >= 0; i-- {
		p := &r.list[i]
		switch {
		case len(p.Played) == 0: // where the record breaks off
			continue
		case i+1 < len(r.list) && r.private() && r.list[i+1].Seat != p.Seat:
			continue // the other seat judges by what it knows
		case i+1 < len(r.list):
			next := &r.list[i+1]
			p.After = next.Before
			if next.Seat != p.Seat {
				p.After = next.Before.Opposite()
			}
		case final != nil && !r.broken:
			exact := len(p.Lines) > 0 && p.Lines[0].Bound == game.Exact
			p.After = resultEval(*final, p.Seat, p.Before, exact)
		}
		if p.Forced {
			p.Before = p.After
		}
		switch {
		case p.Chance || r.private():
		case p.Forced:
			p.Loss = Loss{Known: true}
		case sameTurn(p.Best, p.Played) && p.Before.Known():
			p.Loss = Loss{Known: true}
		default:
			p.Loss = lossOf(p.Before, p.After)
		}
	}
}

// sameTurn reports whether two turns are the same decisions. The stones of one
// turn may be placed in either order.
func sameTurn(a, b []game.Move) bool {
	if len(a) != len(b) || len(a) == 0 {
		return false
	}
	same := true
	for i := range a {
		same = same && a[i] == b[i]
	}
	if same || len(a) != 2 || a[0].Op != game.Place || a[1].Op != game.Place {
		return same
	}
	return a[0] == b[1] && a[1] == b[0]
}

// Side sums up the turns of one seat.
type Side struct {
	// Turns counts the turns that were evaluated, Agreed those in which the seat
	// played what the engine calls best, of Named in which it named something.
	Turns, Agreed, Named int
	// Loss is the sum of the losses of Compared turns; Swings counts the turns
	// that changed a proved outcome for the worse, which have no number.
	Loss             float64
	Compared, Swings int
}

// Mean returns the mean loss of a turn, NaN without any.
func (s *Side) Mean() float64 {
	if s.Compared == 0 {
		return math.NaN()
	}
	return s.Loss / float64(s.Compared)
}

// Sides sums up the wanted turns of both seats, forced passes left out.
func (r *Report) Sides() [2]Side {
	var out [2]Side
	for i := range r.Positions {
		p := &r.Positions[i]
		if !p.Wanted || p.Forced || len(p.Played) == 0 || !p.Before.Known() && len(p.Best) == 0 {
			continue
		}
		s := &out[p.Seat]
		s.Turns++
		if len(p.Best) > 0 && r.Method != Whole { // which names moves only where something was lost
			s.Named++
			if sameTurn(p.Best, p.Played) {
				s.Agreed++
			}
		}
		switch {
		case p.Loss.Swing != "":
			s.Swings++
		case p.Loss.Known:
			s.Loss += p.Loss.Value
			s.Compared++
		}
	}
	return out
}

// Unit returns the unit of most evaluations; forced wins count only if there is
// nothing else.
func (r *Report) Unit() game.Unit {
	var n [game.MateIn + 1]int
	for i := range r.Positions {
		if u := r.Positions[i].Before.Unit; u != game.NoUnit {
			n[u]++
		}
	}
	best := game.NoUnit
	for _, u := range []game.Unit{game.Discs, game.Points, game.WinChance} {
		if n[u] > n[best] {
			best = u
		}
	}
	if best == game.NoUnit && n[game.MateIn] > 0 {
		return game.MateIn
	}
	return best
}

// Worst returns the numbers of the n wanted positions whose turns lost most, the
// worst first: by the chance that a review found lost, then changes of the outcome
// before all others, then by size. A review may be missing.
func (r *Report) Worst(n int, rv *Review) []int {
	var list []int
	for i := range r.Positions {
		if l := r.Positions[i].Loss; r.Positions[i].Wanted && (l.Swing != "" || l.Value > 0) {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int {
		byChance := 0
		if rv != nil {
			byChance = cmp.Compare(rv.Turns[b].Lost, rv.Turns[a].Lost)
		}
		x, y := r.Positions[a].Loss, r.Positions[b].Loss
		return cmp.Or(byChance, swingSize(y.Swing)-swingSize(x.Swing), cmp.Compare(y.Value, x.Value))
	})
	return list[:min(n, len(list))]
}

// swingSize orders changes of the outcome: two steps are worse than one.
func swingSize(swing string) int {
	switch swing {
	case "":
		return 0
	case "won to lost":
		return 2
	}
	return 1
}

// Any reports whether anything was found at all.
func (r *Report) Any() bool {
	for i := range r.Positions {
		if p := &r.Positions[i]; p.Before.Known() || len(p.Best) > 0 {
			return true
		}
	}
	return false
}
