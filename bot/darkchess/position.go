package darkchess

import (
	"math/bits"

	"kibitz/bot/search"
	"kibitz/games/darkchess"
)

const (
	maxDepth = 40
	sideKey  = 0x9e3779b97f4a7c15
	quietKey = 0xc2b2ae3d27d4eb4f
)

// A move goes from one square to another (from<<5 | to, never 0). A flip is
// search.Chance with its square, and what comes to light by it revealing with the piece
// and the square. passing is a flip somewhere of which nothing is known.
const (
	revealing search.Move = 1 << 10
	passing   search.Move = 1 << 11
)

func shift(from, to int) search.Move { return search.Move(from<<5 | to) }

func flip(sq int) search.Move { return search.Chance | search.Move(sq) }

func reveal(sq int, piece uint8) search.Move {
	return revealing | search.Move(piece)<<5 | search.Move(sq)
}

// squares returns the squares of a move; those of a flip are the same.
func squares(m search.Move) (from, to int) {
	if m&search.Chance != 0 {
		m = m&31 | m&31<<5
	}
	return int(m >> 5 & 31), int(m & 31)
}

// less is how many plies less deep a flip is searched: there are many outcomes.
const less = 2

// spread bounds what a flip is believed to change.
const spread = 2000

// taking is the order of captures, before all quiet moves; first that of what comes
// before everything but the move of the table.
const (
	taking = 1 << 24
	first  = 1 << 28
)

// options is what the search is to do with dark chess.
func options() search.Options[*position] {
	return search.Options[*position]{
		Win: win, MateThreshold: winMin, Enough: winMin, MaxDepth: maxDepth,
		Limit:      func(int) int { return maxDepth },
		TableBytes: tableBytes, PollEvery: 512,
		HistorySize: 1 + 2<<10, Killers: [2]int32{1 << 20, 1<<20 - 1},
		ChanceReduction: less,
		Fork:            fork,
	}
}

// position is what the search moves about.
type position struct {
	board   darkchess.Board
	colour  uint8 // on turn
	noEat   int   // quiet plies that make a draw, 0 for never
	repeats bool
	quiet   int // plies since the last flip or capture
	// skipped tells that the other side has just flipped something, nobody knows what.
	skipped bool
	// path holds the keys of the positions since the game's last flip or capture, the
	// present one included.
	path  []uint64
	done  []undo
	flips uint32 // what may be turned over at the root
	count        // of the pieces
}

// undo is what a move changes.
type undo struct {
	taken   uint8
	skipped bool
	quiet   int16
	count   count
}

// fork returns a copy for another goroutine.
func fork(p, old *position) *position {
	if old == nil {
		old = &position{}
	}
	path, done := old.path[:0], old.done[:0]
	*old = *p
	path = append(path, p.path...)
	old.path, old.done = path, done
	return old
}

// Enter knows the end of the game and draws, and the key.
func (p *position) Enter(n *search.Node) bool {
	switch {
	case p.alive[p.colour] == 0:
		n.Value = n.Ply - win
		return true
	case p.skipped:
		n.Depth--
	case p.drawn() || n.Ply > 0 && p.fled():
		n.Value = 0
		return true
	}
	n.Key = p.key()
	if p.skipped {
		n.Key ^= quietKey
	}
	n.Key += quietKey * uint64(p.quiet/8)
	return false
}

// key is that of the board with the side on turn.
func (p *position) key() uint64 { return keyOf(&p.board, p.colour) }

func keyOf(b *darkchess.Board, colour uint8) uint64 {
	if colour == darkchess.Black {
		return b.Hash() ^ sideKey
	}
	return b.Hash()
}

// drawn reports whether quiet plies or a repetition make a draw. One repetition
// in the search counts as much as the several that the rules ask for.
func (p *position) drawn() bool {
	if p.noEat > 0 && p.quiet >= p.noEat {
		return true
	}
	if !p.repeats || p.quiet < 4 {
		return false
	}
	n := len(p.path) - 1
	now := p.path[n]
	for i := n - 4; i >= 0 && i >= n-p.quiet; i -= 2 {
		if p.path[i] == now {
			return true
		}
	}
	return false
}

// Moves lists moves, captures and flips. Below the root a flip is a move that changes
// nothing, and none answers another: somebody who still has pieces to turn over is
// never forced to move.
func (p *position) Moves(n *search.Node) {
	hidden := p.board.At(darkchess.Hidden) != 0
	if n.Ply == 0 {
		for set := p.flips; set != 0; set &= set - 1 {
			n.Moves = append(n.Moves, search.Ranked{Move: flip(bits.TrailingZeros32(set))})
		}
	} else if hidden && !p.skipped {
		n.Moves = append(n.Moves, search.Ranked{Move: passing, Order: first})
	}
	slot := 1 + int32(p.colour)<<10
	for own := p.board.Own(p.colour); own != 0; own &= own - 1 {
		from := bits.TrailingZeros32(own)
		for t := p.board.Targets(from); t != 0; t &= t - 1 {
			to := bits.TrailingZeros32(t)
			m := search.Ranked{Move: shift(from, to)}
			if victim := p.board.Cell(to); victim != darkchess.Empty {
				m.Order = p.gain(from, victim)
			} else {
				m.HistoryIndex = slot + int32(m.Move)
			}
			n.Moves = append(n.Moves, m)
		}
	}
	if len(n.Moves) == 0 {
		if n.Value = n.Ply - win; hidden {
			n.Value = p.Evaluate()
		}
	}
}

// Noisy lists captures.
func (p *position) Noisy(n *search.Node) {
	enemies := p.board.Own(1 - p.colour)
	for own := p.board.Own(p.colour); own != 0; own &= own - 1 {
		from := bits.TrailingZeros32(own)
		for t := p.board.Targets(from) & enemies; t != 0; t &= t - 1 {
			to := bits.TrailingZeros32(t)
			n.Moves = append(n.Moves, search.Ranked{Move: shift(from, to), Order: p.gain(from, p.board.Cell(to))})
		}
	}
}

// gain orders captures: the best victim first, by the least attacker.
func (p *position) gain(from int, victim uint8) int32 {
	return taking + int32(p.values[victim])*16 - int32(p.values[p.board.Cell(from)])
}

// ListOutcomes lists what can come to light on a square, the most frequent first.
func (p *position) ListOutcomes(m search.Move, n *search.Node) {
	_, sq := squares(m)
	base := p.Evaluate()
	n.Least, n.Most = base-spread, base+spread
	down := p.board.Down()
	for k := uint8(5); k > 0; k-- {
		for piece, have := range down {
			if have == k {
				n.Outcomes = append(n.Outcomes, search.Outcome{Move: reveal(sq, uint8(piece)), Weight: int32(k)})
			}
		}
	}
}

// Play makes a move or turns something over.
func (p *position) Play(m search.Move) {
	u := undo{taken: darkchess.Empty, skipped: p.skipped, quiet: int16(p.quiet), count: p.count}
	from, to := squares(m)
	p.quiet++
	p.skipped = m == passing
	switch {
	case p.skipped:
		p.quiet = 0
	case m&revealing != 0:
		p.board.Reveal(to, uint8(m>>5&31))
		p.quiet = 0
	default:
		if u.taken = p.board.Move(from, to); u.taken != darkchess.Empty {
			p.without(u.taken)
			p.quiet = 0
		}
	}
	p.colour = 1 - p.colour
	p.path = append(p.path, p.key())
	p.done = append(p.done, u)
}

// Undo takes it back.
func (p *position) Undo(m search.Move) {
	u := &p.done[len(p.done)-1]
	from, to := squares(m)
	switch {
	case m == passing:
	case m&revealing != 0:
		p.board.Hide(to)
	default:
		p.board.Unmove(from, to, u.taken)
		if u.taken != darkchess.Empty {
			p.count = u.count
		}
	}
	p.quiet, p.skipped = int(u.quiet), u.skipped
	p.colour = 1 - p.colour
	p.done = p.done[:len(p.done)-1]
	p.path = p.path[:len(p.path)-1]
}
