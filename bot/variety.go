package bot

import (
	"slices"

	"kibitz/game"
	"kibitz/player"
)

// varietyLines is how many first moves variety chooses among at most.
const varietyLines = 8

// nearly is by how much a move may be worse than the best to be drawn, in the units of
// evaluations, for engines that are no Varier. Where a game is decided nothing is drawn.
var nearly = map[game.Unit]float64{game.Discs: 1, game.Points: 0.25, game.WinChance: 0.03}

// near returns by how much a move may be worse than one of this evaluation.
func (p *Player) near(best game.Eval) float64 {
	if v, ok := p.engine.(Varier); ok && best.Unit == game.Points {
		return v.Near()
	}
	return nearly[best.Unit]
}

// varied tells that the task belongs to the first plies, in which moves are to vary.
func (p *Player) varied(t *Task) bool {
	return p.opts.Variety > 0 && p.turns() < p.opts.Variety
}

// turns counts the turns since the start of the game, of both seats.
func (p *Player) turns() int {
	n := 0
	for i := range p.log.updates {
		if p.log.updates[i].Ended {
			n++
		}
	}
	return n
}

// vary chooses by lot among the moves that an analysis within the bounds of the task
// finds nearly as good as the best. Without steps it has found none.
func (p *Player) vary(t *Task) player.Answer {
	var lines []game.Info
	heard := t.yield
	t.analysing, t.Lines = true, varietyLines
	t.yield = func(i game.Info) bool {
		if i.Rank <= 1 {
			lines = lines[:0]
			if heard != nil {
				best := i
				best.Rank = 0
				heard(best)
			}
		}
		lines = append(lines, i)
		return true
	}
	nodes := t.Nodes
	if nodes > 0 && nodes == p.Strength().Nodes {
		t.Nodes = analysed(nodes) // those of a low level are too few for several lines
	}
	p.engine.Think(t)
	t.analysing, t.Lines, t.yield, t.Nodes = false, 1, heard, nodes
	n := p.among(t, lines)
	if n == 0 {
		t.count, t.stopped = 0, false // the engine has the bounds in positions once more
		return player.Answer{}
	}
	x := lines[t.Rand.IntN(n)]
	x.Rank = 0
	return player.Answer{Steps: firstSteps(x.PV), Info: x}
}

// among returns how many of the lines, the best first, are nearly as good as the first.
func (p *Player) among(t *Task, lines []game.Info) int {
	for n, l := range lines {
		best := lines[0].Eval
		switch {
		case len(l.PV) == 0 || len(t.Moves) > 0 && !slices.Contains(t.Moves, l.PV[0]):
			return n
		case n > 0 && (l.Eval.Unit != best.Unit || !(l.Eval.Mid() >= best.Mid()-p.near(best)) || p.near(best) == 0):
			return n
		}
	}
	return len(lines)
}

// firstSteps are the decisions of a line that belong together: a move with its shot.
// What a turn has beyond them is asked for once more.
func firstSteps(pv []game.Move) []game.Move {
	if len(pv) > 1 && pv[1].Op == game.Shoot {
		return pv[:2]
	}
	return pv[:1]
}
