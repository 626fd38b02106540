package othello

import (
	"errors"
	"fmt"
	"math/bits"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/rules"
)

// State is a position with the seat to move. It needs no history.
type State struct {
	board Board
	moves uint64 // squares on which board.Own may place
	seat  game.Seat
	over  bool
	last  int8 // square of the disc just placed, -1 if none
}

var (
	_ rules.State    = (*State)(nil)
	_ rules.Perfter  = (*State)(nil)
	_ rules.Outliner = (*State)(nil)
)

// NewState returns the state in which the seat, First for black, is to move on
// the board.
func NewState(b Board, seat game.Seat) *State {
	s := &State{board: b, seat: seat, last: -1}
	s.refresh()
	return s
}

// refresh computes what follows from the board.
func (s *State) refresh() {
	s.moves = s.board.Moves()
	s.over = s.moves == 0 && !s.board.Swap().HasMoves()
}

// Board returns the board as the side to move sees it, and that side; after the
// end, the side that would be to move.
func (s *State) Board() (Board, game.Seat) { return s.board, s.seat }

// Turn says who is to move.
func (s *State) Turn() game.Turn {
	if s.over {
		return game.Turn{Seat: game.Nobody}
	}
	return game.Turn{Seat: s.seat, Phase: phase}
}

// Legal appends the legal moves in the order a1, b1, ... h8, or the pass.
func (s *State) Legal(dst []game.Move) []game.Move {
	if s.over {
		return dst
	}
	if s.moves == 0 {
		return append(dst, game.PassMove())
	}
	for m := s.moves; m != 0; m &= m - 1 {
		dst = append(dst, game.PlaceAt(PointOf(bits.TrailingZeros64(m))))
	}
	return dst
}

var errOver = errors.New("the game is over")

// Check returns why the move is illegal, nil if it is legal.
func (s *State) Check(m game.Move) error {
	if s.over {
		return errOver
	}
	switch m {
	case game.PassMove():
		if s.moves != 0 {
			return fmt.Errorf("a pass is only allowed without a move, and %s can be played",
				FormatMove(game.PlaceAt(PointOf(bits.TrailingZeros64(s.moves)))))
		}
		return nil
	case game.PlaceAt(m.To):
	default:
		return fmt.Errorf("%s is no move of this game", m)
	}
	square, ok := SquareOf(m.To)
	switch {
	case !ok:
		return fmt.Errorf("%s is not on the board", m)
	case s.moves>>uint(square)&1 != 0:
		return nil
	case s.board.Empty()>>uint(square)&1 == 0:
		return fmt.Errorf("%s is occupied", FormatMove(m))
	case s.moves == 0:
		return fmt.Errorf("%s flips nothing; there is no move but the pass", FormatMove(m))
	default:
		return fmt.Errorf("%s flips nothing", FormatMove(m))
	}
}

// Apply makes the move and appends its one public notice.
func (s *State) Apply(m game.Move, dst []game.Notice) ([]game.Notice, error) {
	if err := s.Check(m); err != nil {
		return dst, err
	}
	dst = append(dst, game.Notice{To: game.Public, Kind: game.Played, By: s.seat, Move: m})
	if m.Op == game.Pass {
		s.board, s.last = s.board.Swap(), -1
	} else {
		square := m.To.Index(Size)
		s.board = s.board.Play(square, s.board.Flips(square))
		s.last = int8(square)
	}
	s.seat = s.seat.Other()
	s.refresh()
	return dst, nil
}

// Result returns the outcome when neither side can move.
func (s *State) Result() (game.Result, bool) {
	if !s.over {
		return game.Result{}, false
	}
	r := game.Result{HasBoard: true, Reason: s.reason()}
	d := s.board.Score()
	own := float64(Squares+d) / 2
	r.Board[s.seat], r.Board[s.seat.Other()] = own, Squares-own
	switch {
	case d > 0:
		r.Points[s.seat] = 1
	case d < 0:
		r.Points[s.seat.Other()] = 1
	default:
		r.Points = [2]float64{0.5, 0.5}
	}
	first, second := s.discs()
	r.Detail = fmt.Sprintf("%d-%d discs", first, second)
	if n := s.board.Empties(); n > 0 {
		r.Detail = fmt.Sprintf("%d-%d discs, %d empty: %g-%g", first, second, n, r.Board[0], r.Board[1])
	}
	return r, true
}

func (s *State) reason() game.Reason {
	switch {
	case s.board.Empty() == 0:
		return Full
	case (s.board.Own == 0) != (s.board.Opp == 0):
		return Wipeout
	default:
		return Blocked
	}
}

// discs returns the number of discs of both seats.
func (s *State) discs() (first, second int) {
	own, opp := s.board.Discs()
	if s.seat == game.First {
		return own, opp
	}
	return opp, own
}

// View builds the position, of which everybody may know everything. Its score
// are the discs on the board.
func (s *State) View(a game.Audience) game.View {
	v := game.View{
		For: a, Ground: game.Felt,
		Columns:  []string{"a", "b", "c", "d", "e", "f", "g", "h"},
		Rows:     []string{"1", "2", "3", "4", "5", "6", "7", "8"},
		HasScore: true,
	}
	s.Outline(&v)
	first, second := s.discs()
	v.Score = [2]float64{float64(first), float64(second)}
	if s.last >= 0 {
		v.Marks = []game.Point{PointOf(int(s.last))}
	}
	if r, over := s.Result(); over {
		v.Result = &r
	}
	return v
}

// Outline implements rules.Outliner.
func (s *State) Outline(v *game.View) {
	grid.Outline(v, game.Cells, Size, Size, s.Turn(), [2]game.Colour{game.Black, game.White})
	for i, set := range [2]uint64{s.board.Own, s.board.Opp} {
		c := game.Cell{Owner: s.seat ^ game.Seat(i)}
		c.Piece = "BW"[c.Owner]
		for ; set != 0; set &= set - 1 {
			v.Cells[bits.TrailingZeros64(set)] = c
		}
	}
}

// Text returns the board line of the position.
func (s *State) Text() string { return FormatPosition(s.board, s.seat) }

// Clone returns an independent copy.
func (s *State) Clone() rules.State {
	c := *s
	return &c
}

// Hash returns a number of board and side to move.
func (s *State) Hash() uint64 {
	h := s.board.Hash()
	if s.seat == game.Second {
		h = ^h * 0x94d049bb133111eb
	}
	return h
}

// Perft counts leaves by convention A.
func (s *State) Perft(depth int) uint64 { return s.board.Perft(depth) }
