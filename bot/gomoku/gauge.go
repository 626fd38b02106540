package gomoku

import (
	"math"

	"kibitz/bot"
	"kibitz/bot/search"
	"kibitz/game"
	"kibitz/games/gomoku"
)

// Value returns what a search said in points; a won or lost game is beyond Proved.
func Value(x *game.Info) int {
	v := x.Eval.Mid()
	if x.Eval.Unit == game.MateIn {
		return int(math.Copysign(win-2*math.Abs(v), v))
	}
	return int(v)
}

// Proved is beyond all values of games that are not decided.
const Proved = winBound

// Gauge sees positions as the search does. It is for the program that fits the weights.
type Gauge struct{ p position }

// NewGauge returns a gauge with an empty board.
func NewGauge(rule gomoku.Rule, width, height int) *Gauge {
	f := newField(rule, width, height, deal(rule, Plain()))
	g := &Gauge{position{
		solver: solver{f: f, rule: rule, meter: search.NewMeter(&bot.Task{}, pollEvery)}, seeks: true,
	}}
	g.p.tried.Resize(1 << 16)
	return g
}

// Clear takes all stones off the board.
func (g *Gauge) Clear() { g.p.f.clear() }

// Place puts a stone on an empty point.
func (g *Gauge) Place(at game.Point, c gomoku.Stone) { g.p.f.put(g.p.f.board.Index(at), c) }

// quiet reports whether nobody makes five at once and the colour on turn has no open
// four: the search would not look at weights otherwise.
func (g *Gauge) quiet() bool {
	f := g.p.f
	return f.count[black][cFive]+f.count[white][cFive] == 0 && f.count[g.p.c][cWinFour] == 0 && len(f.cand) > 0
}

// Weighed appends to dst the number of a weight for each empty point and each colour, if
// the search would evaluate the position with c on turn by weights at all.
func (g *Gauge) Weighed(c gomoku.Stone, dst []int32) ([]int32, bool) {
	p, f := &g.p, g.p.f
	if p.c = side(c); !g.quiet() {
		return dst, false
	}
	if p.hasFours(p.c) {
		p.budget = leafBudget
		if n, _ := p.force(p.c, leafFours); n > 0 {
			return dst, false
		}
	}
	for i, c := range f.cells {
		if c == gomoku.Empty {
			dst = append(dst, g.weight(i, 0), g.weight(i, 1))
		}
	}
	return dst, true
}

// Outlook numbers what both sides threaten together, in a position that Weighed has seen.
func (g *Gauge) Outlook() int { return g.p.f.outlook(g.p.c) }

// weight numbers the weight of a point for the colour on turn, or the other.
func (g *Gauge) weight(i, role int) int32 {
	f, c := g.p.f, g.p.c^role
	var p [4]uint8
	for d := range p {
		p[d] = f.pattern(c, i, d)
	}
	return int32(setOf(f.kind(c), role) + combination(p))
}

// Choice is a move that the search would look at, with the weights that give its order.
type Choice struct {
	At         game.Point
	Own, Other int32
}

// Choices lists the moves that the search would look at with c on turn, none where it
// would not need an order.
func (g *Gauge) Choices(c gomoku.Stone) (list []Choice) {
	if g.p.c = side(c); !g.quiet() {
		return nil
	}
	for _, m := range g.p.candidates(nil) {
		i := pointOf(m.Move)
		list = append(list, Choice{g.p.f.point(i), g.weight(i, 0), g.weight(i, 1)})
	}
	return list
}
