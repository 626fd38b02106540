package amazons

import (
	"fmt"

	"kibitz/game"
	"kibitz/rules"
)

// State is a position with what was last moved. It implements rules.State and
// rules.Perfter.
type State struct {
	board   Board
	rulings Rulings
	over    bool
	marks   [3]game.Point // from, to and arrow of the last turn, or of this one
	marked  uint8
}

func newState(b Board, rulings Rulings) *State {
	s := &State{board: b, rulings: rulings}
	s.over = s.board.over(rulings)
	return s
}

// over reports whether the game has ended. A turn under way never ends it.
func (b *Board) over(rulings Rulings) bool { return b.winner(rulings) != game.Nobody }

func (b *Board) winner(rulings Rulings) game.Seat {
	if b.from != noFrom {
		return game.Nobody
	}
	if rulings == SAU {
		switch {
		case !b.CanMove(game.Second):
			return game.First
		case !b.CanMove(game.First):
			return game.Second
		}
		return game.Nobody
	}
	if !b.CanMove(b.Side()) {
		return b.Side().Other()
	}
	return game.Nobody
}

// Board returns a copy of the fast board.
func (s *State) Board() Board { return s.board }

// Turn says who moves or shoots.
func (s *State) Turn() game.Turn {
	switch {
	case s.over:
		return game.Turn{Seat: game.Nobody}
	case s.board.from != noFrom:
		return game.Turn{Seat: s.board.Side(), Step: 1, Phase: PhaseShoot}
	}
	return game.Turn{Seat: s.board.Side(), Phase: PhaseShift}
}

func point(sq int) game.Point { return game.Pt(sq%Size, sq/Size) }

// Legal appends the amazon moves, by square from the top left, or the shots.
func (s *State) Legal(dst []game.Move) []game.Move {
	if s.over {
		return dst
	}
	var buf [4 * Size]uint8
	if sq, ok := s.board.Shooter(); ok {
		for _, at := range s.board.Reach(sq, buf[:0]) {
			dst = append(dst, game.ShootAt(point(int(at))))
		}
		return dst
	}
	own := Black + s.board.side
	for sq, what := range s.board.cell {
		if what != own {
			continue
		}
		for _, to := range s.board.Reach(sq, buf[:0]) {
			dst = append(dst, game.ShiftTo(point(sq), point(int(to))))
		}
	}
	return dst
}

// Check says why a decision is not possible.
func (s *State) Check(m game.Move) error {
	switch sq, shooting := s.board.Shooter(); {
	case s.over:
		return fmt.Errorf("the game is over: %s cannot be played", formatMove(m))
	case shooting && (m != game.ShootAt(m.To) || !m.To.On(Size, Size)):
		return fmt.Errorf("%s is not an arrow: the amazon on %s must shoot, for example %s", formatMove(m), names.Format(point(sq)),
			formatMove(s.Legal(nil)[0]))
	case shooting && !s.board.Sees(sq, m.To.Index(Size)):
		return fmt.Errorf("the amazon on %s cannot shoot at %s: something is in between, or it is not on a line", names.Format(point(sq)),
			names.Format(m.To))
	case shooting:
		return nil
	case m != game.ShiftTo(m.From, m.To) || !m.From.On(Size, Size) || !m.To.On(Size, Size):
		return fmt.Errorf("%s does not move an amazon: write from and to, for example %s", formatMove(m), formatMove(s.Legal(nil)[0]))
	case s.board.cell[m.From.Index(Size)] != Black+s.board.side:
		return fmt.Errorf("there is no amazon of the side to move on %s", names.Format(m.From))
	case !s.board.Sees(m.From.Index(Size), m.To.Index(Size)):
		return fmt.Errorf("the amazon on %s cannot go to %s: something is in between, or it is not on a line", names.Format(m.From),
			names.Format(m.To))
	}
	return nil
}

// Apply moves an amazon or shoots.
func (s *State) Apply(m game.Move, dst []game.Notice) ([]game.Notice, error) {
	if err := s.Check(m); err != nil {
		return dst, err
	}
	dst = append(dst, game.Notice{To: game.Public, Kind: game.Played, By: s.board.Side(), Move: m})
	if m.Op == game.Shift {
		s.board.Shift(m.From.Index(Size), m.To.Index(Size))
		s.marks, s.marked = [3]game.Point{m.From, m.To}, 2
		return dst, nil
	}
	s.board.Shoot(m.To.Index(Size))
	s.marks[2], s.marked = m.To, 3
	s.over = s.board.over(s.rulings)
	return dst, nil
}

// Result returns the outcome once a side is boxed in.
func (s *State) Result() (game.Result, bool) {
	if !s.over {
		return game.Result{}, false
	}
	w := s.board.winner(s.rulings)
	return game.Win(w, Blocked, fmt.Sprintf("all amazons of %s are boxed in", colours[w.Other()])), true
}

var colours = [2]game.Colour{game.Black, game.White}

var letters = [...]byte{Empty: 0, Black: 'b', White: 'w', Burnt: '#'}

// View shows the board; nothing is hidden.
func (s *State) View(a game.Audience) game.View {
	v := names.Labels(a)
	s.Outline(&v)
	if s.marked > 0 {
		v.Marks = append(v.Marks, s.marks[:s.marked]...)
	}
	if r, over := s.Result(); over {
		v.Result = &r
	}
	return v
}

// Outline implements rules.Outliner.
func (s *State) Outline(v *game.View) {
	names.Outline(v, game.Cells, s.Turn(), colours)
	for sq, what := range s.board.cell {
		v.Cells[sq].Piece = letters[what]
		if what == Black || what == White {
			v.Cells[sq].Owner = game.Seat(what - Black)
		}
	}
}

// Clone returns an independent copy.
func (s *State) Clone() rules.State {
	c := *s
	return &c
}

// Hash returns the hash of the board, the side and the shooter.
func (s *State) Hash() uint64 { return s.board.hash }

// Perft counts turns, a move with its shot each.
func (s *State) Perft(depth int) uint64 {
	b := s.board
	return b.Perft(depth, s.rulings)
}
