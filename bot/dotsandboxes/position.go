package dotsandboxes

import (
	"kibitz/bot/search/mcts"
	rule "kibitz/games/dotsandboxes"
)

// position is a quiet position in the tree: all is taken that can be, but for what
// is in hand. Side 0 is the one to move at the root.
type position struct {
	settler
	size int
	quiet
	lead int   // boxes of side 0 less those of side 1, without what is in hand
	hand int   // what the side to move may take or leave first
	side uint8 // to move

	list   []choice
	played []outcome
}

// take and leave are what is done with what is in hand. Other moves are lines.
const (
	take  mcts.Move = 1 << 8
	leave mcts.Move = 1<<8 + 1
)

// style is how the tree grows and chooses on a board of so many boxes a side. A round
// goes through about half as many positions as there are lines.
func style(size int) mcts.Options {
	return mcts.Options{Expand: 1, Explore: 0.25, Cost: int64(size * (size + 1))}
}

// Copy takes over a position.
func (p *position) Copy(from *position) {
	p.board, p.size, p.quiet = from.board, from.size, from.quiet
	p.lead, p.hand, p.side = from.lead, from.hand, from.side
}

// Side returns the side to move.
func (p *position) Side() uint8 { return p.side }

// gain gives boxes to the side to move.
func (p *position) gain(boxes int) {
	if p.side == 1 {
		boxes = -boxes
	}
	p.lead += boxes
}

// Play draws a line, after which the other side takes what it can, or decides about what
// is in hand.
func (p *position) Play(m mcts.Move) {
	switch m {
	case take:
		p.gain(p.hand)
		p.hand = 0
	case leave:
		p.gain(-p.hand)
		p.hand = 0
		p.side = 1 - p.side
	default:
		p.draw(rule.Line(m))
		p.side = 1 - p.side
		o := p.settle(&p.quiet)
		p.gain(o.taken)
		p.hand = o.hand
	}
}

// Judge leaves it to the end: what counts is also by how much.
func (p *position) Judge() mcts.Proof { return mcts.Open }

// Moves lists the lines worth trying.
func (p *position) Moves(dst []mcts.Choice) []mcts.Choice {
	if p.hand > 0 {
		dst = append(dst, mcts.Choice{Move: take})
		if !p.open.Empty() {
			dst = append(dst, mcts.Choice{Move: leave})
		}
		return dst
	}
	p.list = p.choices(p.list[:0], p.size, p.board)
	for _, c := range p.list {
		dst = append(dst, mcts.Choice{Move: mcts.Move(c.line)})
	}
	return dst
}

// Playout draws safe lines by chance until there is none, then opens the smallest chains
// first.
func (p *position) Playout(r *mcts.Rand, _ []uint8) (value, points float32) {
	p.played = append(p.played[:0], outcome{hand: p.hand})
	for !p.open.Empty() {
		if safe := p.safe(); !safe.Empty() {
			for range r.Below(safe.Count()) {
				safe = safe.Rest()
			}
			p.draw(safe.First())
			p.played = append(p.played, outcome{})
			continue
		}
		p.list = p.chains(p.list[:0], p.board)
		least := p.list[0]
		for _, c := range p.list[1:] {
			if c.boxes < least.boxes {
				least = c
			}
		}
		p.draw(least.line)
		p.played = append(p.played, p.settle(&p.quiet))
	}
	w := 0
	for i := len(p.played) - 1; i > 0; i-- {
		w = -p.played[i].worth(w)
	}
	p.gain(p.played[0].worth(w))
	return p.score(), float32(p.lead)
}

// score prefers to win, then to win by more.
func (p *position) score() float32 {
	v := 0.5 + 0.125*float32(p.lead)/float32(p.size*p.size)
	switch {
	case p.lead > 0:
		v += 0.375
	case p.lead < 0:
		v -= 0.375
	}
	return v
}
