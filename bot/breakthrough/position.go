package breakthrough

import (
	"kibitz/bot/search"
	"kibitz/game"
	"kibitz/games/breakthrough"
)

const (
	// won is the value of having won, minus the plies until then.
	won           = 30_000
	mateThreshold = won - search.MaxPly
	// taking is the order of captures, before all quiet moves.
	taking = 1 << 28
	// close is how far from the goal a man that nobody attacks is noisy.
	close = 2
)

// options is what the search is to do with Breakthrough.
func options() search.Options[*position] {
	return search.Options[*position]{
		Win: won, MateThreshold: mateThreshold, MaxDepth: 60,
		TableBytes:  tableBytes,
		HistorySize: 1 + 2<<12, Killers: [2]int32{1<<27 + 1, 1 << 27}, Aspiration: 40,
		Reduce:                search.CarefulReduction,
		InternalReduction:     4,
		Futility:              []int{2 * man, 3 * man},
		ReverseFutilityMargin: man, ReverseFutilityDepth: 3,
		Fork: fork, Describe: describe,
	}
}

// position is what the search moves about.
type position struct {
	board breakthrough.Board
	took  []bool // what each move since the root did
	buf   [breakthrough.MaxMoves]breakthrough.Step
}

// fork returns a copy for another goroutine.
func fork(p, old *position) *position {
	if old == nil {
		old = &position{}
	}
	old.board, old.took = p.board, append(old.took[:0], p.took...)
	return old
}

// A move is numbered by its squares, which differ.
func numberOf(m breakthrough.Step) search.Move { return search.Move(m.From)<<6 | search.Move(m.To) }

func stepOf(m search.Move) breakthrough.Step {
	return breakthrough.Step{From: uint8(m >> 6), To: uint8(m & 63)}
}

// Enter knows the end of the game, races that are decided, and the key.
func (p *position) Enter(n *search.Node) bool {
	n.Key = p.board.Hash()
	if winner, _, over := p.board.Over(); over {
		n.Value = n.Ply - won
		if winner == p.board.Side() {
			n.Value = -n.Value
		}
		return true
	}
	switch plies := race(&p.board); {
	case plies > 0:
		n.Value = won - n.Ply - plies
		return true
	case plies < 0:
		n.Value = n.Ply - plies - won
		return true
	}
	return false
}

// Evaluate returns the value of a quiet position.
func (p *position) Evaluate() int { return evaluate(&p.board) }

// Moves lists all moves.
func (p *position) Moves(n *search.Node) {
	base := 1 + int32(p.board.Side())<<12
	for _, m := range p.board.Moves(p.buf[:0]) {
		r := search.Ranked{Move: numberOf(m)}
		if p.takes(m) {
			r.Order = taking + p.gain(m)
		} else {
			r.HistoryIndex = base + int32(r.Move)
		}
		n.Moves = append(n.Moves, r)
	}
}

// Noisy lists captures, and steps close to the goal to where nobody takes.
func (p *position) Noisy(n *search.Node) {
	attacked := p.board.Attacks(p.board.Side().Other())
	for _, m := range p.board.Moves(p.buf[:0]) {
		if takes := p.takes(m); takes || p.left(m.To) <= close && attacked>>m.To&1 == 0 {
			n.Moves = append(n.Moves, search.Ranked{Move: numberOf(m), Order: p.gain(m)})
		}
	}
}

func (p *position) takes(m breakthrough.Step) bool {
	return p.board.Of(p.board.Side().Other())>>m.To&1 != 0
}

// left is how many rows are left to the goal of the side to move.
func (p *position) left(sq uint8) int {
	if p.board.Side() == game.First {
		return int(sq) / breakthrough.Size
	}
	return breakthrough.Size - 1 - int(sq)/breakthrough.Size
}

// gain orders captures: the man that had come furthest first.
func (p *position) gain(m breakthrough.Step) int32 {
	if p.takes(m) {
		return int32(2 * p.left(m.To))
	}
	return -int32(p.left(m.To))
}

func (p *position) Play(m search.Move) { p.took = append(p.took, p.board.Move(stepOf(m))) }

// Undo takes it back.
func (p *position) Undo(m search.Move) {
	last := len(p.took) - 1
	p.board.Unmove(stepOf(m), p.took[last])
	p.took = p.took[:last]
}
