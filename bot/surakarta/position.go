package surakarta

import (
	"kibitz/bot/search"
	"kibitz/games/surakarta"
)

const (
	// won is the value of having won, minus the plies until then. What would be won
	// if a repetition below the root went on is worth counted, minus the plies.
	won     = 30000
	counted = 10000
	// mateThreshold is the least value of those.
	mateThreshold = counted - search.MaxPly
	// near is the number of plies before the limit without captures from which on
	// the table knows positions by their distance from it.
	near = 20
	// taking is the order of captures, before all quiet moves.
	taking = 1 << 28
)

// options is what the search is to do with Surakarta.
func options() search.Options[*position] {
	return search.Options[*position]{
		Win: won, MateThreshold: mateThreshold, MaxDepth: 60, Limit: func(int) int { return 60 },
		TableBytes:  tableBytes,
		HistorySize: 1 + 2<<12, Killers: [2]int32{1<<27 + 1, 1 << 27},
		Reduce:        search.CarefulReduction,
		NullReduction: 3, NullDepth: 3,
		Futility: []int{2 * piece},
		Fork:     fork,
		Describe: describe,
	}
}

// fork returns a copy for another goroutine.
func fork(p, old *position) *position {
	if old == nil {
		old = &position{}
	}
	old.weights = p.weights
	old.follow(&p.history)
	return old
}

// history is a position with what decides about its end.
type history struct {
	board      surakarta.Board
	repetition int // occurrence of a position that ends the game, 0 for none
	noCapture  int // plies without a capture that end it, 0 for none
	quiet      int // plies since the last capture
	// past are all positions so far, the present one last.
	past []passed
}

// passed is a position that was on the board.
type passed struct {
	key uint64
	// quiet is the number of plies without a capture before the move that led to it;
	// took says whether that was a capture.
	quiet int32
	took  bool
}

// begin forgets what was before.
func (h *history) begin() { h.past = append(h.past[:0], passed{key: h.board.Hash()}) }

// move makes a move; undo takes it back.
func (h *history) move(m surakarta.Step) (took bool) {
	quiet := h.quiet
	took = h.board.Move(m)
	h.quiet++
	if took {
		h.quiet = 0
	}
	h.past = append(h.past, passed{h.board.Hash(), int32(quiet), took})
	return took
}

func (h *history) undo(m surakarta.Step) {
	last := &h.past[len(h.past)-1]
	h.quiet = int(last.quiet)
	h.board.Unmove(m, last.took)
	h.past = h.past[:len(h.past)-1]
}

// position is what the search moves about.
type position struct {
	history
	weights *weights
	root    int // length of past without what the search has made
	buf     [surakarta.MaxMoves]surakarta.Step
}

// follow puts the position where a game is.
func (p *position) follow(h *history) {
	past := p.past[:0]
	p.history, p.root = *h, len(h.past)-1
	p.past = past
	p.past = append(p.past, h.past...)
}

// A move is numbered by its points, and never 0 because these differ.
func numberOf(m surakarta.Step) search.Move { return search.Move(m.From)<<6 | search.Move(m.To) }

func stepOf(m search.Move) surakarta.Step {
	return surakarta.Step{From: uint8(m >> 6), To: uint8(m & 63)}
}

// Enter knows the end of the game, and the key.
func (p *position) Enter(n *search.Node) bool {
	if p.board.Of(p.board.Side()) == 0 {
		n.Value = n.Ply - won
		return true
	}
	if n.Depth > 0 { // otherwise nobody asks the table
		n.Key = p.key()
	}
	if p.quiet == 0 {
		return false
	}
	var over bool
	n.Value, over = p.ended(n.Ply)
	return over
}

// Evaluate returns the value of a quiet position.
func (p *position) Evaluate() int { return p.weights.evaluate(&p.board) }

// Moves lists captures and quiet moves.
func (p *position) Moves(n *search.Node) {
	p.Noisy(n)
	slot := 1 + int32(p.board.Side())<<12
	for _, m := range p.board.Quiet(p.buf[:0]) {
		x := numberOf(m)
		n.Moves = append(n.Moves, search.Ranked{Move: x, HistoryIndex: slot + int32(x)})
	}
	if len(n.Moves) == 0 {
		n.Value = p.count(won, n.Ply)
	}
}

// Noisy lists the captures.
func (p *position) Noisy(n *search.Node) {
	for _, m := range p.board.Captures(p.buf[:0]) {
		n.Moves = append(n.Moves, search.Ranked{Move: numberOf(m), Order: taking})
	}
}

func (p *position) Play(m search.Move) { p.move(stepOf(m)) }

// Undo takes it back.
func (p *position) Undo(m search.Move) { p.undo(stepOf(m)) }

// CanNull reports whether there are enough pieces for moving to be an advantage.
func (p *position) CanNull() bool { return p.board.Count(p.board.Side()) > 3 }

// MakeNull hands over the turn.
func (p *position) MakeNull() {
	p.board.Skip()
	p.past = append(p.past, passed{key: p.board.Hash()})
}

// UnmakeNull takes that back.
func (p *position) UnmakeNull() {
	p.past = p.past[:len(p.past)-1]
	p.board.Skip()
}

// count is the value for the side to move if pieces are counted and more of them
// are worth win.
func (p *position) count(win, ply int) int {
	me := p.board.Side()
	switch own, other := p.board.Count(me), p.board.Count(me.Other()); {
	case own > other:
		return win - ply
	case own < other:
		return ply - win
	}
	return 0
}

// ended returns the value of the position if the game is over by repetition or for
// want of captures. A position that has occurred below the root is not searched
// again: what was repeated once can be repeated until it ends the game.
func (p *position) ended(ply int) (value int, over bool) {
	if p.noCapture > 0 && p.quiet >= p.noCapture {
		return p.count(won, ply), true
	}
	last := len(p.past) - 1
	times := 1
	for i := last - 4; i >= last-p.quiet && i >= 0; i -= 2 {
		if p.past[i].key != p.past[last].key {
			continue
		}
		switch times++; {
		case times == p.repetition:
			return p.count(won, ply), true
		case i >= p.root && p.repetition == 0:
			return 0, true // nobody gets on this way
		case i >= p.root:
			return p.count(counted, ply), true
		}
	}
	return 0, false
}

// key is the position's key in the table.
func (p *position) key() uint64 {
	k := p.board.Hash()
	if left := p.noCapture - p.quiet; p.noCapture > 0 && left < near {
		k ^= uint64(left+1) * 0x9e3779b97f4a7c15
	}
	return k
}
