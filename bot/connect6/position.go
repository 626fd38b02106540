package connect6

import (
	"slices"

	"kibitz/bot"
	"kibitz/bot/search"
	"kibitz/game"
)

// Values are from the view of the side to move. A win in n turns is win-n.
const (
	win      = 1 << 20
	winBound = win - 1000 // values beyond are proved wins or losses
	hopeless = 50_000     // lost, as far as replies were looked at
	maxDepth = 15
	sideKey  = 0x6a09e667f3bcc909
)

// ahead is what a side's windows count when it is on turn, in 16ths; the other's
// count 16.
const ahead = 30

// checkBudget bounds the search for an attack against the best turn, in positions.
const checkBudget = 16_000

// pollEvery is the number of positions between two looks at the clock.
const pollEvery = 128

// options is what the search is to do with Connect6. Turns are few and ordered by
// what they promise, so that nothing is learned about their order.
func options(describe func(*search.Line) game.Info) search.Options[*position] {
	return search.Options[*position]{
		Win: win, MateThreshold: winBound + 1, Enough: winBound + 1,
		MaxDepth: maxDepth, Limit: func(depth int) int { return 3*depth + 6 },
		TableBytes: tableBytes, PollEvery: pollEvery,
		Fork: fork, Describe: describe,
	}
}

// position is what the search moves about: a field with the side on turn.
type position struct {
	f      *field
	c      int
	attack attacker
	seeks  bool   // attacks, as it does but in tests
	first  []move // the turns of the root
	all    bool   // these are all that can be done
	sound  []pair // those after which no attack was found by a long search
	meter  *search.Meter
	at     [search.MaxPly + 2]place
	buf    []int16
	last   pair
}

// place is what is known of a position on the way.
type place struct {
	depth      int // as asked for, without extension
	threatened bool
	replies    []pair
	cover      [4]pair
	list       []move
}

// begin puts the position where a task finds it.
func (s *position) begin(t *bot.Task, f *field, c int) {
	s.f, s.c = f, c
	s.seeks = true
	s.sound = s.sound[:0]
	s.count(search.NewMeter(t, pollEvery))
}

func (s *position) count(m *search.Meter) {
	s.meter = m
	s.attack.reset(s.f, m.Visit)
}

// fork returns a copy for another goroutine.
func fork(s, old *position) *position {
	if old == nil || old.f.size != s.f.size {
		old = &position{f: newField(s.f.size)}
	}
	for p, c := range s.f.stones {
		old.f.set(p, c)
	}
	old.c, old.seeks, old.first = s.c, s.seeks, s.first
	old.sound = old.sound[:0]
	old.meter = nil
	return old
}

// A turn is numbered by its points, which count from 1 so that it is never 0.
func numberOf(m pair) search.Move { return search.Move(m.a+1)<<16 | search.Move(m.b+1) }

func pairOf(m search.Move) pair { return pair{int16(m>>16) - 1, int16(m&0xffff) - 1} }

// Enter knows who makes six, and what cannot be spoilt. Threats extend the search.
func (s *position) Enter(n *search.Node) bool {
	if s.meter != n.Meter {
		s.count(n.Meter)
	}
	f, at := s.f, &s.at[n.Ply]
	n.Key = f.hash ^ sideKey*uint64(s.c)
	at.depth, at.replies, at.threatened = n.Depth, nil, false
	if n.Ply == 0 {
		return false
	}
	// Further below nobody is let make six.
	if n.Ply == 1 && (f.made(s.last.a, 1-s.c) || s.last.b != none && f.made(s.last.b, 1-s.c)) {
		n.Value = 1 - win
		return true
	}
	if _, ok := f.winning(s.c, 2); ok {
		n.Value = win - n.Ply - 1
		return true
	}
	if f.empty == 0 {
		n.Value = 0
		return true
	}
	at.replies = f.covers(at.cover[:0], 1-s.c, 2)
	at.threatened = len(f.threats(1-s.c)) > 0
	if at.threatened && len(at.replies) == 0 {
		n.Value = n.Ply + 2 - win
		return true
	}
	if f.empty < 2 {
		n.Value = s.Evaluate()
		return true
	}
	if at.threatened {
		n.Depth = max(n.Depth, 1)
	}
	return false
}

// Evaluate is the worth of a position without threats to the side to move.
func (s *position) Evaluate() int { return s.eval(s.c) }

func (s *position) eval(c int) int {
	return (int(s.f.sum[c])*ahead - int(s.f.sum[1-c])*16) / 16
}

// ProveWin looks for a forced win.
func (s *position) ProveWin(n *search.Node) (search.Move, bool) {
	m, turns := s.attacks(s.c, s.at[n.Ply].depth)
	if turns == 0 && n.Ply == 1 && n.PV && s.seeks {
		m, turns = s.check()
	}
	if turns == 0 {
		return 0, false
	}
	n.Value = win - n.Ply - 2*turns + 1
	return numberOf(m), true
}

// check looks longer for a forced win against the turn that is the best so far, once
// for each turn of the root. Most games that were lost to attacks were lost to one
// that this many positions show, and a tenth of them does not.
func (s *position) check() (pair, int) {
	if slices.Contains(s.sound, s.last) {
		return nothing, 0
	}
	m, turns := s.attack.find(s.c, attackTurns, checkBudget)
	if turns == 0 {
		s.sound = append(s.sound, s.last)
	}
	return m, turns
}

// attacks looks for a forced win of side c.
func (s *position) attacks(c, depth int) (pair, int) {
	if !s.seeks {
		return nothing, 0
	}
	switch {
	case depth <= 0:
		return s.attack.find(c, 5, 100)
	case depth == 1:
		return s.attack.find(c, 10, 400)
	}
	return s.attack.find(c, attackTurns, 1_500)
}

// Moves lists the turns that are worth a look.
func (s *position) Moves(n *search.Node) {
	at := &s.at[n.Ply]
	if n.Ply == 0 {
		at.list = append(at.list[:0], s.first...)
	} else {
		var also [6]int16
		danger := also[:0]
		if at.depth >= 1 && !at.threatened {
			danger = s.dangers(danger, s.c, 6, 200)
		}
		at.list = s.turns(at.list[:0], s.c, 2, at.replies, widthOf(at.depth), danger...)
		if !complete(at.replies) {
			n.Floor = 8*n.Ply - hopeless // a loss is not proved
		}
	}
	for _, m := range at.list {
		n.Moves = append(n.Moves, search.Ranked{Move: numberOf(m.m), Order: m.order})
	}
}

// Play makes a turn.
func (s *position) Play(m search.Move) {
	s.last = pairOf(m)
	s.f.play(s.last, s.c)
	s.c = 1 - s.c
}

// Undo takes it back.
func (s *position) Undo(m search.Move) {
	s.c = 1 - s.c
	s.f.undo(pairOf(m), s.c)
}
