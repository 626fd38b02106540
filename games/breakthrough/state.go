package breakthrough

import (
	"fmt"
	"math/bits"

	"kibitz/game"
	"kibitz/rules"
)

// State is a position. It implements rules.State and rules.Perfter.
type State struct {
	board  Board
	marks  [2]game.Point
	marked bool
	// taken are the squares of captures. Notices refer to them; no entry is ever used
	// again.
	taken [2 * Men]game.Point
	takes uint8
}

func newState(b Board) *State { return &State{board: b} }

// Board returns a copy of the fast board.
func (s *State) Board() Board { return s.board }

// Turn says who moves.
func (s *State) Turn() game.Turn {
	if _, _, over := s.board.Over(); over {
		return game.Turn{Seat: game.Nobody}
	}
	return game.Turn{Seat: s.board.Side(), Phase: PhaseMove}
}

// MoveOf returns a step as a decision.
func MoveOf(m Step) game.Move {
	return game.ShiftTo(game.Pt(int(m.From)%Size, int(m.From)/Size), game.Pt(int(m.To)%Size, int(m.To)/Size))
}

// StepOf returns a decision as a step; ok is false if it moves no man on the board.
func StepOf(m game.Move) (s Step, ok bool) {
	if m != game.ShiftTo(m.From, m.To) || !m.From.On(Size, Size) || !m.To.On(Size, Size) {
		return s, false
	}
	return Step{uint8(m.From.Index(Size)), uint8(m.To.Index(Size))}, true
}

// Legal appends the moves by the squares that they come from.
func (s *State) Legal(dst []game.Move) []game.Move {
	if _, _, over := s.board.Over(); over {
		return dst
	}
	var buf [MaxMoves]Step
	for _, m := range s.board.Moves(buf[:0]) {
		dst = append(dst, MoveOf(m))
	}
	return dst
}

// Check says why a decision is not possible.
func (s *State) Check(m game.Move) error {
	if _, _, over := s.board.Over(); over {
		return fmt.Errorf("the game is over: %s cannot be played", formatMove(m))
	}
	step, ok := StepOf(m)
	if !ok {
		return fmt.Errorf("%s does not move a man: write from and to, for example %s", formatMove(m), formatMove(s.Legal(nil)[0]))
	}
	own, other := s.board.men[s.board.side], s.board.men[s.board.side^1]
	forward := m.From.Y - m.To.Y
	if s.board.side == 1 {
		forward = -forward
	}
	aside := m.To.X - m.From.X
	switch {
	case own>>step.From&1 == 0:
		return fmt.Errorf("there is no man of the side to move on %s", names.Format(m.From))
	case forward != 1 || aside < -1 || aside > 1:
		return fmt.Errorf("%s is not possible: a man goes one step forward, straight or diagonally", formatMove(m))
	case own>>step.To&1 != 0:
		return fmt.Errorf("%s is not possible: a man of the same side stands on %s", formatMove(m), names.Format(m.To))
	case aside == 0 && other>>step.To&1 != 0:
		return fmt.Errorf("%s is not possible: a man takes diagonally only", formatMove(m))
	}
	return nil
}

// Apply moves a man.
func (s *State) Apply(m game.Move, dst []game.Notice) ([]game.Notice, error) {
	if err := s.Check(m); err != nil {
		return dst, err
	}
	seat := s.board.Side()
	dst = append(dst, game.Notice{To: game.Public, Kind: game.Played, By: seat, Move: m})
	step, _ := StepOf(m)
	if s.board.Move(step) {
		n := s.takes
		s.taken[n] = m.To
		s.takes++
		dst = append(dst, game.Notice{To: game.Public, Kind: game.Took, By: seat, Points: s.taken[n : n+1 : n+1], Count: 1})
	}
	s.marks, s.marked = [2]game.Point{m.From, m.To}, true
	return dst, nil
}

// Result returns the outcome once the game is over.
func (s *State) Result() (game.Result, bool) {
	winner, why, over := s.board.Over()
	if !over {
		return game.Result{}, false
	}
	white, black := s.board.Count(game.First), s.board.Count(game.Second)
	r := game.Win(winner, why, fmt.Sprintf("%d white and %d black men", white, black))
	r.Board, r.HasBoard = [2]float64{float64(white), float64(black)}, true
	return r, true
}

var colours = [2]game.Colour{game.White, game.Black}

// View shows the board; nothing is hidden.
func (s *State) View(a game.Audience) game.View {
	v := names.Labels(a)
	s.Outline(&v)
	v.Score, v.HasScore = [2]float64{float64(s.board.Count(game.First)), float64(s.board.Count(game.Second))}, true
	if s.marked {
		v.Marks = append(v.Marks, s.marks[:]...)
	}
	if r, over := s.Result(); over {
		v.Result = &r
	}
	return v
}

// Outline implements rules.Outliner.
func (s *State) Outline(v *game.View) {
	names.Outline(v, game.Cells, s.Turn(), colours)
	for seat, set := range s.board.men {
		for ; set != 0; set &= set - 1 {
			v.Cells[bits.TrailingZeros64(set)] = game.Cell{Piece: "wb"[seat], Owner: game.Seat(seat)}
		}
	}
}

// Clone returns an independent copy.
func (s *State) Clone() rules.State {
	c := *s
	return &c
}

// Hash returns the hash of the men and the side to move.
func (s *State) Hash() uint64 { return s.board.hash }

// Perft counts plies.
func (s *State) Perft(depth int) uint64 {
	b := s.board
	return b.Perft(depth)
}
