package analysis

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/game/wire"
	"kibitz/journal"
)

// Scale says what evaluations of a game mean to who plays it.
type Scale struct {
	// Slope makes chances of values: 1/(1+exp(-Slope·value)), fitted to results of games of the built-in
	// engine. 0 if it reports chances itself.
	Slope float64
	// Points are how much of the game's own score a turn loses that is inexact, a mistake, a blunder; 0
	// where the game has none, and chances alone count.
	Points [3]float64
}

// chances are what a turn loses, in percent, that is inexact, a mistake, a blunder.
func chances() [3]float64 { return [3]float64{5, 10, 15} }

// Mark is how a turn is judged.
type Mark uint8

// The marks, from good to bad.
const (
	NoMark Mark = iota
	Inexact
	Mistake
	Blunder
)

// String is the sign that players write behind a move.
func (m Mark) String() string { return [...]string{"", "?!", "?", "??"}[m] }

// Judged is a turn as a review sees it.
type Judged struct {
	// Known tells that its chances are known before and after.
	Known bool
	// Before and After are the chances of who plays it, Lost is what the turn lost of them, all in percent.
	Before, After, Lost float64
	// Accuracy is 100 for a turn that lost nothing, 0 for the worst.
	Accuracy float64
	Mark     Mark
}

// Review is a game with its turns judged: one for each position of the report.
type Review struct {
	Turns []Judged
	Sides [2]Reviewed
}

// Reviewed sums up the turns of a seat.
type Reviewed struct {
	// Known tells that at least one of its turns was judged, and Accuracy is that of all of them.
	Known    bool
	Accuracy float64
	// Marks counts its turns by their marks.
	Marks [Blunder + 1]int
	// Worst are its positions that lost most of the chance, the worst first.
	Worst []int
}

// worst is how many turns a review names.
const worst = 3

// Review judges the turns of a report. Turns without a choice, of positions that were not asked about
// and before which chance decided have no mark.
func (r *Report) Review(s Scale) Review {
	out := Review{Turns: make([]Judged, len(r.Positions))}
	ws := []float64{} // as the first seat sees it: before the first turn and after each
	var turns []Judged
	var seats []game.Seat
	for i := range r.Positions {
		p := &r.Positions[i]
		if len(p.Played) == 0 || p.Forced {
			continue
		}
		j := r.judge(i, s)
		out.Turns[i] = j
		if !j.Known {
			continue
		}
		if len(ws) == 0 {
			ws = append(ws, ofFirst(j.Before, p.Seat))
		}
		ws = append(ws, ofFirst(j.After, p.Seat))
		turns, seats = append(turns, j), append(seats, p.Seat)
		side := &out.Sides[p.Seat]
		side.Known = true
		side.Marks[j.Mark]++
		if j.Lost > 0 {
			side.Worst = append(side.Worst, i)
		}
	}
	weights := spreads(ws)
	for seat := range out.Sides {
		side := &out.Sides[seat]
		side.Accuracy = accuracyOf(turns, seats, weights, game.Seat(seat))
		slices.SortStableFunc(side.Worst, func(a, b int) int {
			return cmp.Or(cmp.Compare(out.Turns[b].Lost, out.Turns[a].Lost), cmp.Compare(r.Positions[b].Loss.Value, r.Positions[a].Loss.Value))
		})
		side.Worst = side.Worst[:min(worst, len(side.Worst))]
	}
	return out
}

// ofFirst is a chance of a seat as that of the first.
func ofFirst(w float64, seat game.Seat) float64 {
	if seat == game.First {
		return w
	}
	return 100 - w
}

// judge compares the chances before and after a turn.
func (r *Report) judge(i int, s Scale) Judged {
	p := &r.Positions[i]
	if !p.Wanted || p.Chance || !p.Loss.Known {
		return Judged{}
	}
	before, ok := s.chance(p.Before, len(p.Lines) > 0 && certain(p.Lines[0].Bound))
	after, known := r.after(i, s)
	if !ok || !known {
		return Judged{}
	}
	j := Judged{Known: true, Before: before, After: after, Lost: max(0, math.Round((before-after)*1e9)/1e9)}
	if sameTurn(p.Best, p.Played) || p.Only && len(p.Played) == 1 {
		j.Lost = 0
	}
	j.Accuracy = accuracy(j.Lost)
	for k, most := range chances() {
		points := s.Points[k]
		lost := points > 0 && p.Before.Unit != game.WinChance && p.Loss.Value >= points && j.Lost >= 1
		if j.Lost >= most || lost {
			j.Mark = Mark(k + 1)
		}
	}
	if j.Lost > 0 && strings.HasPrefix(p.Loss.Swing, outcomeNames[won]) {
		j.Mark = Blunder
	}
	return j
}

// after is the chance after a turn of who played it: that of the next position, or the result.
func (r *Report) after(i int, s Scale) (float64, bool) {
	p := &r.Positions[i]
	if i+1 == len(r.Positions) { // After is the result
		return s.chance(p.After, true)
	}
	next := &r.Positions[i+1]
	return s.chance(p.After, len(next.Lines) > 0 && certain(next.Lines[0].Bound))
}

func certain(b game.Bound) bool { return b == game.Exact || b == game.WinLoss }

// chance makes a chance in percent of an evaluation.
func (s Scale) chance(e game.Eval, certain bool) (float64, bool) {
	switch v := e.Mid(); {
	case !e.Known() || math.IsNaN(v):
		return 0, false
	case e.Unit == game.WinChance:
		return 100 * v, true
	case e.Unit == game.MateIn || certain:
		return 50 + 50*float64(cmp.Compare(v, 0)), true
	case s.Slope == 0:
		return 0, false
	default:
		return 100 / (1 + math.Exp(-s.Slope*v)), true
	}
}

// accuracy is that of a turn that lost so much of the chance, as lichess has it.
func accuracy(lost float64) float64 {
	if lost <= 0 {
		return 100
	}
	return min(100, max(0, 103.1668100711649*math.Exp(-0.04354415386753951*lost)-2.166924740191411))
}

// spreads are the weights of turns: how much the chance, before the first turn and after each, changes
// around them.
func spreads(ws []float64) []float64 {
	n := len(ws) - 1
	if n < 1 {
		return nil
	}
	window := min(max(2, min(8, n/10)), len(ws))
	var out []float64
	for range window - 2 {
		out = append(out, spread(ws[:window]))
	}
	for i := 0; i+window <= len(ws); i++ {
		out = append(out, spread(ws[i:i+window]))
	}
	return out
}

// spread is a standard deviation, bounded.
func spread(list []float64) float64 {
	var sum, squares float64
	for _, v := range list {
		sum += v
	}
	mean := sum / float64(len(list))
	for _, v := range list {
		squares += (v - mean) * (v - mean)
	}
	return min(12, max(0.5, math.Sqrt(squares/float64(len(list)))))
}

// accuracyOf is that of all turns of a seat: the middle between their weighted and their harmonic mean.
func accuracyOf(turns []Judged, seats []game.Seat, weights []float64, seat game.Seat) float64 {
	const least = 1e-9 // a harmonic mean has no zero
	var sum, all, inverse, n float64
	for i := range turns {
		if seats[i] != seat {
			continue
		}
		sum += turns[i].Accuracy * weights[i]
		all += weights[i]
		inverse += 1 / max(least, turns[i].Accuracy)
		n++
	}
	if n == 0 {
		return 0
	}
	return (sum/all + n/inverse) / 2
}

// asGood is how much of the chance a move may lose, in percent, and count as good as the best.
const asGood = 1.75

// Good are the first moves of a position that are as good as the best, by the lines that were evaluated.
func (r *Report) Good(i int, s Scale) (out []game.Move) {
	p := &r.Positions[i]
	most := math.NaN()
	for k := range p.Lines {
		in := &p.Lines[k]
		w, ok := s.chance(in.Eval, certain(in.Bound))
		if k == 0 {
			most = w
		}
		if len(in.PV) > 0 && (k == 0 || ok && most-w <= asGood) {
			out = append(out, in.PV[0])
		}
	}
	return out
}

// Told is a review as pages tell it.
func (r *Report) Told(s Scale) *wire.Review {
	rv := r.Review(s)
	out := &wire.Review{Turns: []wire.ReviewedTurn{}, Slope: s.Slope}
	for seat := range rv.Sides {
		side := &rv.Sides[seat]
		if out.Accuracy[seat] = -1; side.Known {
			out.Accuracy[seat], out.Marks[seat] = side.Accuracy, [3]int(side.Marks[Inexact:])
		}
	}
	for i := range r.Positions {
		p, j := &r.Positions[i], &rv.Turns[i]
		rank := slices.Index(rv.Sides[p.Seat].Worst, i) + 1
		if !j.Known || j.Mark == NoMark && rank == 0 {
			continue
		}
		t := wire.ReviewedTurn{
			Ply: p.Ply, Seat: p.Seat, Lost: j.Lost, Mark: j.Mark.String(), Rank: rank,
			Best: journal.FormatMoves(p.Best), Good: journal.FormatMoves(r.Good(i, s)),
		}
		if s.Points[0] > 0 && p.Before.Unit != game.WinChance && p.Before.Unit != game.MateIn && p.Loss.Known {
			t.Points = p.Loss.Value
		}
		out.Turns = append(out.Turns, t)
	}
	return out
}
