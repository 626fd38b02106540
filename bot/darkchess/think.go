package darkchess

import (
	"math"
	"math/bits"
	"slices"

	"kibitz/bot"
	"kibitz/bot/search"
	"kibitz/game"
	"kibitz/games/darkchess"
	"kibitz/player"
)

// Think searches by iterative deepening.
func (e *engine) Think(t *bot.Task) player.Answer {
	if !e.known {
		return e.begin(t)
	}
	e.prepare(t)
	if !t.Analysing() && e.pos.decisions() == 1 {
		t.Depth = 1
	}
	r := e.search.Run(t, &e.pos, 1, e.memory)
	if len(r.Lines) == 0 {
		return player.Answer{}
	}
	return e.answer(&r.Lines[0], r.Depth)
}

// begin turns over any square: nothing tells them apart.
func (e *engine) begin(t *bot.Task) player.Answer {
	hidden := e.board.At(darkchess.Hidden)
	if hidden == 0 {
		return player.Answer{}
	}
	for range t.Rand.IntN(bits.OnesCount32(hidden)) {
		hidden &= hidden - 1
	}
	m := decision(flip(bits.TrailingZeros32(hidden)))
	info := game.Info{Eval: game.Eval{Unit: game.Points}, PV: []game.Move{m}}
	t.Report(info)
	e.steps = append(e.steps[:0], m)
	return player.Answer{Steps: e.steps, Info: info}
}

// prepare puts the search on the position of the game.
func (e *engine) prepare(t *bot.Task) {
	p := &e.pos
	p.board, p.colour, p.quiet, p.skipped = e.board, e.colour(), e.quiet, false
	p.noEat, p.repeats = e.noEat, e.repeats
	p.path, p.done = append(p.path[:0], e.path...), p.done[:0]
	p.count = countOf(&p.board)
	p.flips = e.flips(t)
}

// flips returns the squares worth turning over. Among those with nothing face up beside
// them one stands for all.
func (e *engine) flips(t *bot.Task) uint32 {
	hidden := e.board.At(darkchess.Hidden)
	up := e.board.Own(darkchess.Red) | e.board.Own(darkchess.Black)
	var alone uint32
	for set := hidden; set != 0; set &= set - 1 {
		if sq := bits.TrailingZeros32(set); near[sq]&up == 0 {
			alone |= 1 << sq
		}
	}
	if alone == 0 || t.Analysing() && t.Lines > 1 {
		return hidden
	}
	hidden &^= alone
	for range t.Rand.IntN(bits.OnesCount32(alone)) {
		alone &= alone - 1
	}
	return hidden | alone&-alone
}

// decisions returns how many first moves there are.
func (p *position) decisions() int {
	return p.board.CountMoves(p.colour) + bits.OnesCount32(p.flips)
}

func (e *engine) answer(l *search.Line, depth int) player.Answer {
	e.steps = append(e.steps[:0], decision(l.Move))
	return player.Answer{Steps: e.steps, Info: e.search.Info(l, depth, 0)}
}

// describe tells a line, which ends where something is turned over.
func (e *engine) describe(l *search.Line) game.Info {
	info := game.Info{PV: make([]game.Move, 0, len(l.PV))}
	for _, m := range l.PV {
		if m == passing {
			break
		}
		info.PV = append(info.PV, decision(m))
	}
	bound := winMin - 1
	if e.board.At(darkchess.Hidden) != 0 { // something is left to chance
		bound = win // which nothing is beyond
	}
	info.Eval, info.Bound = bot.Evaluation(l.Value, win, bound, float64(l.Value)/100)
	return info
}

func decision(m search.Move) game.Move {
	from, to := squares(m)
	if from == to {
		return game.FlipAt(pointOf(to))
	}
	return game.ShiftTo(pointOf(from), pointOf(to))
}

func pointOf(sq int) game.Point { return game.Pt(sq%darkchess.Width, sq/darkchess.Width) }

// Blunder makes one of the poorer decisions.
func (e *engine) Blunder(t *bot.Task) player.Answer {
	if !e.known {
		return player.Answer{}
	}
	e.prepare(t)
	t.Depth = 1
	r := e.search.Run(t, &e.pos, math.MaxInt, e.memory)
	if len(r.Lines) < 2 || r.Part {
		return player.Answer{}
	}
	slices.SortStableFunc(r.Lines, func(a, b search.Line) int { return b.Value - a.Value })
	return e.answer(&r.Lines[1+t.Rand.IntN(len(r.Lines)-1)], 1)
}
