package trial

import (
	"math/rand/v2"
	"slices"
	"sync"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/match"
	"kibitz/rules"
)

// line is how a game begins: moves from the initial position, chance included.
type line struct {
	moves []game.Move
	seed  [32]byte // of the dealer
}

func (l *line) dealer(r rules.Rules) rules.Dealer { return match.NewDealer(r, l.seed) }

// Lines are those of one game, for trials that share them. The zero value has found none
// yet.
type Lines struct {
	seats [2]struct {
		once sync.Once
		list []line
	}
}

func (l *Lines) of(r rules.Rules, seat game.Seat) []line {
	s := &l.seats[seat]
	s.once.Do(func() { s.list = linesOf(r, seat) })
	return s.list
}

// least is how many decisions a line has at least: twenty of either side.
const least = 40

// tries is how many games are drawn to choose lines from, triesForPass where none of
// them has a line of the fourth kind. A position with fewer than few moves is chosen
// only if there is no better one.
const (
	tries        = 24
	triesForPass = 2000
	few          = 6
)

// linesOf draws games and returns lines after which a seat is on turn: those from which
// a wrong reading shows at once. The first two are late in a game, where few moves are
// left and none of them is legal on any other side of the board; the third is in its
// middle; the fourth, where the game knows forced passes, is followed by one. They are the same
// each time.
func linesOf(r rules.Rules, seat game.Seat) []line {
	f := finder{rules: r, seat: seat, sides: symmetries(r)[1:]}
	_, canPass := r.New().(rules.Forcer)
	for i := 0; i < tries || canPass && !f.best[3].found && i < triesForPass; i++ {
		f.draw(uint16(i))
	}
	var out []line
	for _, b := range f.best {
		if b.found {
			out = append(out, b.line)
		}
	}
	return out
}

// symmetries are those of the board's points, in the order of grid.Symmetries: what a
// reader can mistake, whether the rules have them or not.
func symmetries(r rules.Rules) []func(game.Point) game.Point {
	return grid.Symmetries(r.Doc().Width, r.Doc().Height)
}

type finder struct {
	rules rules.Rules
	seat  game.Seat
	sides []func(game.Point) game.Point
	best  [4]candidate // late in games of even and odd number, middle, before a pass
	legal []game.Move
}

type candidate struct {
	line  line
	score float64 // less is better
	found bool
}

func (c *candidate) offer(l line, n int, score float64) {
	if !c.found || score < c.score {
		*c = candidate{line{slices.Clone(l.moves[:n]), l.seed}, score, true}
	}
}

// draw plays one game by chance, which ends no sooner than it must, and offers its
// positions.
func (f *finder) draw(seed uint16) {
	l := line{seed: [32]byte{byte(seed), byte(seed >> 8), 1}}
	rng, dealer := rand.New(rand.NewPCG(uint64(seed), 7)), l.dealer(f.rules)
	s := f.rules.New()
	for len(l.moves) < 1000 {
		t := s.Turn()
		if t.Seat == f.seat && t.Step == 0 && len(l.moves) >= least {
			f.offer(s, l)
		}
		var m game.Move
		var ok bool
		if t.Seat == game.Dealer {
			var err error
			m, err = dealer.Deal(s)
			ok = err == nil
		} else {
			m, ok = f.drawMove(s, rng)
		}
		if !ok {
			return
		}
		if _, err := s.Apply(m, nil); err != nil {
			return
		}
		l.moves = append(l.moves, m)
	}
}

// drawMove draws a move that does not end the game, as long as there is one.
func (f *finder) drawMove(s rules.State, rng *rand.Rand) (game.Move, bool) {
	f.legal = s.Legal(f.legal[:0])
	for n := len(f.legal); n > 0; n-- {
		i := rng.IntN(n)
		if m := f.legal[i]; !f.ends(s, m) {
			return m, true
		}
		f.legal[i], f.legal[n-1] = f.legal[n-1], f.legal[i]
	}
	return game.Move{}, false
}

func (f *finder) ends(s rules.State, m game.Move) bool {
	c := s.Clone()
	_, err := c.Apply(m, nil)
	_, over := c.Result()
	return err != nil || over
}

// offer weighs a position in which the seat is on turn.
func (f *finder) offer(s rules.State, l line) {
	f.legal = s.Legal(f.legal[:0])
	if len(f.legal) == 0 || f.legal[0].Op == game.Pass {
		return
	}
	n, alike := len(l.moves), f.alike()+float64(max(0, few-len(f.legal)))/20+float64(len(l.moves))/100_000
	f.best[l.seed[0]%2].offer(l, n, alike)
	if n < least+8 {
		f.best[2].offer(l, n, alike)
	}
	if passes(s, f.legal) {
		f.best[3].offer(l, n, alike)
	}
}

// alike is the greatest part of the legal moves that are legal on another side of the
// board too.
func (f *finder) alike() float64 {
	worst, set := 0.0, make(map[game.Move]bool, len(f.legal))
	for _, m := range f.legal {
		set[m] = true
	}
	for _, side := range f.sides {
		n := 0
		for _, m := range f.legal {
			if set[m.Through(side)] {
				n++
			}
		}
		worst = max(worst, float64(n)/float64(len(f.legal)))
	}
	return worst
}

// passes reports whether every move of a position forces the other side to pass, and
// the game goes on after it.
func passes(s rules.State, legal []game.Move) bool {
	if len(legal) > 2 {
		return false
	}
	for _, m := range legal {
		c := s.Clone()
		if _, err := c.Apply(m, nil); err != nil {
			return false
		}
		forcer, ok := c.(rules.Forcer)
		if !ok {
			return false
		}
		pass, forced := forcer.Forced()
		if !forced {
			return false
		}
		if _, err := c.Apply(pass, nil); err != nil {
			return false
		}
		if _, over := c.Result(); over {
			return false
		}
	}
	return true
}
