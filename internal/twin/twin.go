// Package twin makes pairs of games of which one seat must not be able to tell
// which of them it plays: they differ in nothing that the seat, or the public, is
// told. Tests play both through the layers between the rules and whoever watches,
// and compare what comes out to the last byte.
package twin

import (
	"errors"
	"math/rand/v2"
	"slices"

	"kibitz/game"
	"kibitz/rules"
)

// Turn is one turn of a seat: attempts that are refused, and the one that stands.
type Turn []game.Move

// Game is what both seats do, turn by turn.
type Game struct {
	Seats [2][]Turn
	// Final is the position at the end, for the arbiter.
	Final string
	// Over tells whether the game ended by its rules.
	Over bool
}

// Stats tell how far a pair of games differs and what was told in it.
type Stats struct {
	// Turns were played in each game; of the hidden seat's Other were different
	// decisions and Refused is the difference of their refused attempts.
	Turns, Other, Refused int
	// Took and Lost count the captures that the watched seat was told of, and
	// WatchedRefused its own refused attempts.
	Took, Lost, WatchedRefused int
}

// maxRefused is how often the hidden seat fails in one turn.
const maxRefused = 3

// Pair plays two games of so many turns at most in step. The watched seat does the
// same in both and is told the same; the hidden seat plays other points, and fails
// another number of times before.
func Pair(r rules.Rules, watched game.Seat, turns int, seed uint64) (a, b Game, stats Stats, err error) {
	p := &pair{
		rng: rand.New(rand.NewPCG(seed, uint64(watched)+1)), watched: watched,
		sides: [2]*side{{state: r.New()}, {state: r.New()}},
	}
	for range turns {
		if p.sides[0].state.Turn().Seat == game.Nobody {
			break
		}
		if p.sides[0].state.Turn() != p.sides[1].state.Turn() {
			return a, b, stats, errors.New("twin: the games are not in step")
		}
		if p.sides[0].state.Turn().Seat == watched {
			p.watchedTurn()
		} else {
			p.hiddenTurn()
		}
		p.stats.Turns++
	}
	for _, s := range p.sides {
		s.game.Final = s.state.Text()
		_, s.game.Over = s.state.Result()
	}
	return p.sides[0].game, p.sides[1].game, p.stats, nil
}

type pair struct {
	rng     *rand.Rand
	watched game.Seat
	sides   [2]*side
	stats   Stats
}

// side is one of the two games.
type side struct {
	state rules.State
	game  Game
	turn  Turn
}

// try returns what an audience would be told of a decision in a game, and whether
// it would stand.
func (s *side) try(m game.Move, to ...game.Audience) (told []game.Notice, stands bool) {
	list, err := s.state.Clone().Apply(m, nil)
	if err != nil {
		return nil, false
	}
	stands = true
	for _, n := range list {
		stands = stands && n.Kind != game.Refused
		if slices.Contains(to, n.To) {
			told = append(told, n)
		}
	}
	return told, stands
}

// play makes a decision and reports whether it stood.
func (s *side) play(m game.Move) bool {
	seat := s.state.Turn().Seat
	list, err := s.state.Apply(m, nil)
	if err != nil {
		panic(err) // it was tried before
	}
	s.turn = append(s.turn, m)
	if slices.ContainsFunc(list, func(n game.Notice) bool { return n.Kind == game.Refused }) {
		return false
	}
	s.game.Seats[seat] = append(s.game.Seats[seat], s.turn)
	s.turn = nil
	return true
}

// candidates lists the decisions of the seat on turn in random order, passes last.
func (p *pair) candidates(s *side) []game.Move {
	all := s.state.Legal(nil)
	p.rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	slices.SortStableFunc(all, func(x, y game.Move) int { return passes(x) - passes(y) })
	return all
}

func passes(m game.Move) int {
	if m.Op == game.Pass {
		return 1
	}
	return 0
}

// watchedTurn makes attempts of which both games tell the seat the same, until one
// stands.
func (p *pair) watchedTurn() {
	to := []game.Audience{game.To(p.watched), game.Public}
	for {
		for _, m := range p.candidates(p.sides[0]) {
			x, stands := p.sides[0].try(m, to...)
			y, stands2 := p.sides[1].try(m, to...)
			if stands != stands2 || !same(x, y) {
				continue
			}
			if !stands && p.rng.IntN(3) > 0 { // not too many of them
				continue
			}
			p.count(x)
			p.sides[0].play(m)
			if p.sides[1].play(m) {
				return
			}
			p.stats.WatchedRefused++
			break
		}
	}
}

// hiddenTurn finds two decisions of which the other seat and the public are told
// the same.
func (p *pair) hiddenTurn() {
	to := []game.Audience{game.To(p.watched), game.Public}
	for _, s := range p.sides {
		for range p.rng.IntN(maxRefused + 1) {
			p.fail(s)
		}
	}
	p.stats.Refused += abs(len(p.sides[0].turn) - len(p.sides[1].turn))
	alike := p.rng.IntN(3) == 0 // stones on the same point can be captured in both games
	for _, m := range p.candidates(p.sides[0]) {
		x, stands := p.sides[0].try(m, to...)
		if !stands {
			continue
		}
		others := p.candidates(p.sides[1])
		if alike || m.Op == game.Pass || len(x) > 1 {
			others = slices.Insert(others, 0, m)
		}
		for _, o := range others {
			y, stands2 := p.sides[1].try(o, to...)
			if !stands2 || !same(x, y) {
				continue
			}
			p.count(x)
			p.sides[0].play(m)
			p.sides[1].play(o)
			if m != o {
				p.stats.Other++
			}
			return
		}
	}
	panic("twin: the hidden seat has no decision, not even a pass")
}

// fail makes an attempt that is refused, if there is one.
func (p *pair) fail(s *side) {
	for _, m := range p.candidates(s) {
		if _, stands := s.try(m); !stands {
			s.play(m)
			return
		}
	}
}

func (p *pair) count(told []game.Notice) {
	for _, n := range told {
		switch n.Kind {
		case game.Took:
			p.stats.Took++
		case game.Lost:
			p.stats.Lost++
		default:
		}
	}
}

func same(a, b []game.Notice) bool {
	return slices.EqualFunc(a, b, func(x, y game.Notice) bool {
		return x.To == y.To && x.Kind == y.Kind && x.By == y.By && x.Move == y.Move && x.Count == y.Count && slices.Equal(x.Points, y.Points)
	})
}

func abs(n int) int { return max(n, -n) }
