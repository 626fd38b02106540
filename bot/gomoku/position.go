package gomoku

import (
	"math"

	"kibitz/bot"
	"kibitz/bot/search"
	"kibitz/game"
	"kibitz/games/gomoku"
)

// Values are from the view of the side to move. A win in n plies is win-n.
const (
	win      = 30_000
	winBound = win - 1000 // values beyond are proved wins or losses
	maxMoves = 64         // of the root
)

// tableBytes is how large the table of positions is unless memory is limited.
const tableBytes = 16 << 20

// pollEvery is the number of positions between two looks at the clock.
const pollEvery = 64

// options is what the search is to do with five in a row on a board of so many cells.
func options(cells int, describe func(*search.Line) game.Info) search.Options[*position] {
	return search.Options[*position]{
		Win: win, MateThreshold: winBound + 1, Enough: winBound + 1,
		MaxDepth: 48, Limit: func(int) int { return 96 },
		TableBytes: tableBytes, PollEvery: pollEvery,
		HistorySize: 1 + 2*cells, HistoryShift: 5, Killers: [2]int32{120, 80},
		LateMoves: width, InternalReduction: 4, Reduce: late, ReduceRoot: true,
		ReverseFutilityMargin: 30, ReverseFutilityDepth: 10, Futility: []int{40, 80, 120, 160, 200, 240, 280, 320},
		Fork: fork, Describe: describe,
	}
}

// width is how many moves are searched to a depth.
func width(depth int) int { return min(22, int(math.Round(10*math.Sqrt(float64(depth))))-6) }

// late is how many plies a quiet move is searched less.
func late(depth, i int) int {
	if depth < 2 || i < 2 {
		return 0
	}
	return int(1 + 0.6*math.Log(float64(depth))*math.Log(float64(i)))
}

// leafFours is how many fours in a row are looked at behind a leaf, and leafBudget in how
// many positions at most.
const (
	leafFours  = 8
	leafBudget = 120
)

// position is what the search moves about: a field with the colour on turn.
type position struct {
	solver
	c     int
	seeks bool            // wins by fours and threats, as it does but in tests
	first []search.Ranked // the moves of the root
	task  *bot.Task       // nil in a copy
	prove bool            // whether a win by threats ends the search
	must  [search.MaxPly + 2]int32
}

// fork returns a copy for another goroutine.
func fork(p, old *position) *position {
	if old == nil {
		w, h := p.f.board.Size()
		old = &position{solver: solver{f: newField(p.rule, w, h, p.f.deck)}}
	}
	old.f.follow(p.f.board)
	old.tried.Resize(p.tried.Bytes())
	old.rule, old.ends = p.rule, p.ends
	old.c, old.seeks, old.first = p.c, p.seeks, p.first
	return old
}

// A move is numbered by its point, and never 0.
func numberOf(at int) search.Move { return search.Move(at + 1) }

func pointOf(m search.Move) int { return int(m) - 1 }

// Enter knows positions whose outcome the patterns tell. Where only one point is left
// the search goes on a ply deeper.
func (p *position) Enter(n *search.Node) bool {
	p.meter = n.Meter
	n.Key = p.key(p.c)
	v, over, forced := p.decided(n.Ply)
	p.must[n.Ply] = int32(forced)
	if forced >= 0 {
		n.Depth = max(n.Depth, 0) + 1
	}
	n.Value = v
	return over
}

// decided answers positions whose outcome the patterns tell: ok is false if there
// is none. forced is the point on which must be played, -1 if that is free.
func (p *position) decided(ply int) (v int, ok bool, forced int) {
	f, c := p.f, p.c
	switch {
	case f.empty <= p.ends:
		return 0, true, -1
	case f.count[c][cFive] > 0:
		return win - ply - 1, true, -1
	case f.empty <= p.ends+1:
		return 0, true, -1 // the last stone, and it makes nothing
	}
	if n := f.count[1-c][cFive]; n > 0 {
		if kindOf(p.rule, stone(1-c)).caro() {
			return 0, false, -1 // there are more ways to answer
		}
		at := f.find(1-c, cFive)
		if n > 1 || f.foul(at, c) {
			return -(win - ply - 2), true, -1
		}
		return 0, false, at
	}
	if f.count[c][cWinFour] > 0 && f.empty > p.ends+3 && f.find(c, cWinFour) >= 0 {
		return win - ply - 3, true, -1
	}
	return 0, false, -1
}

// Evaluate scores a quiet position for the colour to move, which is ahead by a move.
func (p *position) Evaluate() int {
	f, c := p.f, p.c
	v := int(f.sum[c][0]+f.sum[1-c][1]+int32(f.outlooks[f.outlook(c)])) / ValueParts
	return min(max(v, -winBound+1), winBound-1)
}

// ProveWin looks for a win by fours, at the leaves and far from them.
func (p *position) ProveWin(n *search.Node) (search.Move, bool) {
	if !p.seeks || n.Depth > 0 && n.Depth < 3 || p.f.count[1-p.c][cFive] > 0 || !p.hasFours(p.c) {
		return 0, false
	}
	depth := leafFours
	p.budget = leafBudget
	if n.Depth > 0 {
		depth, p.budget = leafFours+6, 400
	}
	p.haste = true
	plies, at := p.force(p.c, depth)
	p.haste = false
	if plies == 0 {
		p.gaveUp(p.c, depth)
		return 0, false
	}
	n.Value = win - n.Ply - plies
	return numberOf(int(at)), true
}

// ProveRoot looks for a win by threats, with more positions the longer the search takes.
func (p *position) ProveRoot(n *search.Node) (search.Move, bool) {
	if !p.prove {
		return 0, false
	}
	plies, at := p.threats(p.c, share(p.task.Count(), 4_000, 4))
	n.Value = win - plies
	return numberOf(int(at)), plies > 0 && at >= 0
}

// VerifyRoot looks for a win by threats of the other side.
func (p *position) VerifyRoot(_ *search.Node, m search.Move, v int) int {
	if !p.seeks || v > winBound || v < -winBound {
		return v
	}
	at := pointOf(m)
	p.f.put(at, stone(p.c))
	plies, _ := p.threats(1-p.c, share(p.task.Count(), 200, 20))
	p.f.undo()
	if plies > 0 {
		return -(win - 1 - plies)
	}
	return v
}

// Moves lists the candidates, and says what a position without one is worth: every
// point may be a foul, or nothing is near.
func (p *position) Moves(n *search.Node) {
	if n.Ply == 0 {
		n.Moves = append(n.Moves, p.first...)
		return
	}
	if at := p.must[n.Ply]; at >= 0 {
		n.Moves = append(n.Moves, search.Ranked{Move: numberOf(int(at))})
		return
	}
	if n.Moves = p.candidates(n.Moves); len(n.Moves) > 0 {
		return
	}
	if n.Value = p.Evaluate(); p.f.count[1-p.c][cFive] > 0 {
		n.Value = -(win - n.Ply - 2)
	}
}

// candidates appends the moves worth a look. Under an open four to come, only fours and
// what could stop it are.
func (p *position) candidates(list []search.Ranked) []search.Ranked {
	f, c := p.f, p.c
	five := f.count[1-c][cFive] > 0 // caro only
	threat := !five && f.count[1-c][cWinFour] > 0 && !kindOf(p.rule, stone(1-c)).caro()
	if threat && c == white && p.rule == gomoku.Renju {
		threat = f.find(black, cWinFour) >= 0
	}
	if threat && p.seeks && f.empty > p.ends+4 { // what does not meet w loses
		if w := p.threat(1 - c); w >= 0 {
			var room [maxAnswers]move
			if few := p.defences(room[:0], w, 1-c); len(few) > 0 {
				for _, m := range few {
					list = append(list, p.ranked(m.at))
				}
				return list
			}
		}
	}
	for _, i := range f.cand {
		if f.cells[i] != gomoku.Empty {
			continue
		}
		if threat {
			bc := f.class(1-c, int(i))
			if !fourClass(f.class(c, int(i))) && !fourClass(bc) && bc != cFoul {
				continue
			}
		}
		if !f.foul(int(i), c) {
			list = append(list, p.ranked(i))
		}
	}
	return list
}

// ranked is the move on a point with its order. It is quiet if no four that wins, or has
// an open three with it, comes of it, and it prevents none. Other fours are as easily
// wasted as any move.
func (p *position) ranked(i int32) search.Ranked {
	f, c := p.f, p.c
	a, b := f.card(c, int(i)), f.card(1-c, int(i))
	m := search.Ranked{Move: numberOf(int(i)), Order: int32(a.own) + int32(b.other)}
	if a.class&classMask < cFourAnd && b.class&classMask < cFourAnd {
		m.HistoryIndex = 1 + int32(c*len(f.cells)) + i
	}
	return m
}

// Play places a stone, Undo takes it back.
func (p *position) Play(m search.Move) {
	p.f.put(pointOf(m), stone(p.c))
	p.c = 1 - p.c
}

// Undo takes the last stone back.
func (p *position) Undo(m search.Move) {
	p.c = 1 - p.c
	p.f.undo()
}
