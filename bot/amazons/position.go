package amazons

import (
	"cmp"
	"slices"

	"kibitz/bot/search"
	"kibitz/game"
	"kibitz/games/amazons"
)

// won is the value of having won, minus the plies until then; other values are below
// mateThreshold. Values are thousandths of the logarithm of odds.
const (
	won           = 1_000_000
	mateThreshold = won - search.MaxPly
)

// options is what the search is to do with Amazons.
func options() search.Options[*position] {
	return search.Options[*position]{
		Win: won, MateThreshold: mateThreshold, MaxDepth: maxDepth,
		TableBytes: tableBytes, PollEvery: pollEvery,
		Fork:     fork,
		Describe: describe,
	}
}

const maxDepth = 40

// pollEvery is how many positions are looked at between two looks at the clock.
const pollEvery = 256

// How many amazon moves are looked at with their shots, and how many turns are
// searched, by distance from the root.
var (
	shiftWidth = [...]int{24, 12, 10, 8}
	turnWidth  = [...]int{60, 20, 14, 10}
)

func at(widths []int, ply int) int { return widths[min(ply, len(widths)-1)] }

// position is what the search moves about: the board for its hash, and its squares as
// sets.
type position struct {
	board   amazons.Board
	amazons [2]set // of the seats
	empty   set
	sau     bool // the ruling in force
	shifts  []search.Ranked
}

// begin puts the position where a game is.
func (p *position) begin(b *amazons.Board, sau bool) {
	v := look(b)
	side := b.Side()
	p.board, p.empty, p.sau = *b, v.empty, sau
	p.amazons[side], p.amazons[side.Other()] = v.own, v.other
}

// fork returns a copy for another goroutine.
func fork(p, old *position) *position {
	if old == nil {
		old = &position{}
	}
	shifts := old.shifts
	*old = *p
	old.shifts = shifts
	return old
}

// A turn is numbered by its squares. One that only shoots, in the middle of a turn, has
// from equal to to. None is 0, because nothing shoots at where it stands.
func numberOf(t turn) search.Move {
	return search.Move(t.from)<<16 | search.Move(t.to)<<8 | search.Move(t.shot)
}

func turnOf(m search.Move) turn { return turn{uint8(m >> 16), uint8(m >> 8), uint8(m)} }

// Play makes a turn.
func (p *position) Play(m search.Move) {
	t := turnOf(m)
	side := p.board.Side()
	if t.from != t.to {
		p.shift(side, t.from, t.to)
		p.board.Shift(int(t.from), int(t.to))
	}
	p.board.Shoot(int(t.shot))
	p.empty = p.empty.not(bit(t.shot))
}

// Undo takes it back.
func (p *position) Undo(m search.Move) {
	t := turnOf(m)
	p.empty = p.empty.or(bit(t.shot))
	p.board.Unshoot(int(t.shot), int(t.to))
	if t.from != t.to {
		p.board.Unshift(int(t.from), int(t.to))
		p.shift(p.board.Side(), t.to, t.from)
	}
}

func (p *position) shift(side game.Seat, from, to uint8) {
	f, t := bit(from), bit(to)
	p.amazons[side] = p.amazons[side].not(f).or(t)
	p.empty = p.empty.not(t).or(f)
}

// view is that of the side to move.
func (p *position) view() view {
	side := p.board.Side()
	return view{p.amazons[side], p.amazons[side.Other()], p.empty}
}

// Enter knows who is boxed in, and the key.
func (p *position) Enter(n *search.Node) bool {
	n.Key = p.board.Hash()
	v := p.view()
	switch p.end(&v, p.board.Side()) {
	case lost:
		n.Value = n.Ply - won
		return true
	case winning:
		n.Value = won - n.Ply
		return true
	}
	return false
}

// The ends of a game.
const (
	open = iota
	winning
	lost
)

// end says who has won, for the side that is to begin a turn. By the ruling of the
// platform boxed in white loses before black, whoever is to move.
func (p *position) end(v *view, side game.Seat) int {
	stuck := king(v.own, v.empty).empty()
	switch {
	case p.sau && king(v.other, v.empty).empty() && (!stuck || side == game.First):
		return winning
	case stuck:
		return lost
	}
	return open
}

// Evaluate returns the value without search.
func (p *position) Evaluate() int {
	v := p.view()
	return evaluate(&v)
}

// worth is the value of a position for the side that has just made a turn at a ply; v is
// that of the other one, which is to begin its own.
func (p *position) worth(v *view, side game.Seat, ply int) int {
	if p.sau {
		switch p.end(v, side) {
		case winning:
			return ply + 1 - won
		case lost:
			return won - ply - 1
		}
	}
	x := -evaluate(v)
	if x >= boxed {
		return won - ply - 1
	}
	return x
}

// Moves lists the turns that look best, with their evaluation.
func (p *position) Moves(n *search.Node) {
	n.Value = n.Ply - won
	p.expand(n, won)
	slices.SortFunc(n.Moves, better)
	n.Moves = n.Moves[:min(len(n.Moves), at(turnWidth[:], n.Ply))]
}

// SearchFrontier returns the turn that looks best. A value of beta is good enough.
func (p *position) SearchFrontier(n *search.Node, _, beta int) search.Move {
	n.Value = n.Ply - won
	best := p.expand(n, beta)
	if best.Move != 0 {
		n.Value = int(best.Order)
	}
	return best.Move
}

// better sorts the best first; equal ones keep an order of their own.
func better(a, b search.Ranked) int {
	return cmp.Or(cmp.Compare(b.Order, a.Order), cmp.Compare(a.Move, b.Move))
}

// expand lists the turns of the most promising amazon moves in n.Moves, with what they
// are worth as Order, and returns the best. It ends early once a turn is worth beta.
func (p *position) expand(n *search.Node, beta int) (best search.Ranked) {
	v := p.view()
	if sq, shooting := p.board.Shooter(); shooting {
		return p.shots(n, &v, turn{from: uint8(sq), to: uint8(sq)}, beta)
	}
	p.rank(n, &v)
	for _, s := range p.shifts {
		t := turnOf(s.Move)
		after := moved(v, t.from, t.to)
		x := p.shots(n, &after, t, beta)
		if n.Meter.Stopped() {
			return best
		}
		if best.Move == 0 || better(x, best) < 0 {
			best = x
		}
		if int(best.Order) >= beta {
			break
		}
	}
	return best
}

// rank collects the amazon moves that look best without their shots.
func (p *position) rank(n *search.Node, v *view) {
	p.shifts = p.shifts[:0]
	other := p.board.Side().Other()
	for q := v.own; !q.empty(); q = q.rest() {
		f := first(q)
		for r := queen(f, v.empty); !r.empty(); r = r.rest() {
			t := first(r)
			after := view{v.other, v.own.not(f).or(t), v.empty.or(f).not(t)}
			m := numberOf(turn{from: q.square(), to: r.square()})
			p.shifts = append(p.shifts, search.Ranked{Move: m, Order: int32(p.worth(&after, other, n.Ply))})
			if n.Meter.Visit() {
				return
			}
		}
	}
	slices.SortFunc(p.shifts, better)
	p.shifts = p.shifts[:min(len(p.shifts), at(shiftWidth[:], n.Ply))]
}

// shots appends the turns of an amazon that has moved in v and returns the best of them.
func (p *position) shots(n *search.Node, v *view, t turn, beta int) (best search.Ranked) {
	other := p.board.Side().Other()
	after := view{own: v.other, other: v.own}
	for r := queen(bit(t.to), v.empty); !r.empty(); r = r.rest() {
		after.empty = v.empty.not(first(r))
		t.shot = r.square()
		x := search.Ranked{Move: numberOf(t), Order: int32(p.worth(&after, other, n.Ply))}
		n.Moves = append(n.Moves, x)
		if best.Move == 0 || better(x, best) < 0 {
			best = x
		}
		if n.Meter.Visit() || int(x.Order) >= beta {
			break
		}
	}
	return best
}
