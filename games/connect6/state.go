package connect6

import (
	"errors"
	"fmt"
	"math/bits"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/rules"
)

// State is one position with the stones of the latest turn. It implements
// rules.State and rules.Perfter.
type State struct {
	rules  *Rules
	board  Board
	seat   game.Seat // to place, or who placed last when the game is over
	second bool      // one stone of the turn lies, another is due
	end    ending
	marks  [2]game.Point // stones of the last turn, or of this one
	marked uint8
}

type ending uint8

const (
	open6 ending = iota // the game goes on
	bySix               // State.seat has six in a line
	byFull
)

var (
	_ rules.State   = (*State)(nil)
	_ rules.Perfter = (*State)(nil)
)

func (r *Rules) start() *State { return &State{rules: r, board: NewBoard(r.size)} }

// Board returns a copy of the fast board.
func (s *State) Board() Board { return s.board }

// Turn says who places a stone, and whether it is the first or the second one.
func (s *State) Turn() game.Turn {
	switch {
	case s.end != open6:
		return game.Turn{Seat: game.Nobody}
	case s.second:
		return game.Turn{Seat: s.seat, Step: 1, Phase: Place}
	}
	return game.Turn{Seat: s.seat, Phase: Place}
}

// Legal appends a stone on every empty point in rows from the top left, then the
// pass that ends a turn early where the rulings allow it.
func (s *State) Legal(dst []game.Move) []game.Move {
	if s.end != open6 {
		return dst
	}
	for y := range s.rules.size {
		for free := s.board.Free(y); free != 0; free &= free - 1 {
			dst = append(dst, game.PlaceAt(game.Pt(bits.TrailingZeros32(free), y)))
		}
	}
	if s.canPass() {
		dst = append(dst, game.PassMove())
	}
	return dst
}

// canPass reports whether the turn may end after its first stone.
func (s *State) canPass() bool { return s.rules.short && s.second }

var (
	errOver   = errors.New("the game is over")
	errSecond = errors.New("a turn has two stones: the second one is due, not a pass")
	errStone  = errors.New("a turn begins with a stone, not with a pass")
)

// Check returns nil if Apply would accept m.
func (s *State) Check(m game.Move) error {
	switch {
	case s.end != open6:
		return errOver
	case m == game.PassMove() && s.canPass():
		return nil
	case m == game.PassMove() && s.second:
		return errSecond
	case m == game.PassMove():
		return errStone
	case m != game.PlaceAt(m.To):
		return fmt.Errorf("%s is not a stone: write a point, for example %s", s.rules.FormatMove(m), s.rules.names.Format(s.anyFree()))
	case !m.To.On(s.rules.size, s.rules.size):
		return fmt.Errorf("point %d,%d is not on the %dx%d board", m.To.X, m.To.Y, s.rules.size, s.rules.size)
	}
	if at := s.board.At(int(m.To.X), int(m.To.Y)); at != game.Nobody {
		return fmt.Errorf("%s is taken by a %s stone", s.rules.names.Format(m.To), colours[at])
	}
	return nil
}

func (s *State) anyFree() game.Point {
	for y := range s.rules.size {
		if free := s.board.Free(y); free != 0 {
			return game.Pt(bits.TrailingZeros32(free), y)
		}
	}
	return game.NoPoint
}

// Apply places a stone, or ends the turn early.
func (s *State) Apply(m game.Move, dst []game.Notice) ([]game.Notice, error) {
	if err := s.Check(m); err != nil {
		return dst, err
	}
	dst = append(dst, game.Notice{To: game.Public, Kind: game.Played, By: s.seat, Move: m})
	if m.Op == game.Pass {
		s.second, s.seat = false, s.seat.Other()
		return dst, nil
	}
	s.place(m.To)
	return dst, nil
}

func (s *State) place(p game.Point) {
	first := int(s.board.empty) == s.rules.size*s.rules.size
	x, y := int(p.X), int(p.Y)
	s.board.Put(x, y, s.seat)
	if !s.second {
		s.marked = 0
	}
	s.marks[s.marked] = p
	s.marked++
	switch {
	case s.board.Wins(x, y, s.seat):
		s.end = bySix
	case s.board.empty == 0:
		s.end = byFull
	case s.second || first:
		s.second, s.seat = false, s.seat.Other()
	default:
		s.second = true
	}
	if s.end != open6 {
		s.second = false
	}
}

// Result returns the outcome once somebody has six or the board is full.
func (s *State) Result() (game.Result, bool) {
	switch s.end {
	case bySix:
		from, to, n := s.board.Longest(s.seat)
		detail := fmt.Sprintf("%s has %d in a line, %s to %s", colours[s.seat], n, s.rules.names.Format(from), s.rules.names.Format(to))
		return game.Win(s.seat, BySix, detail), true
	case byFull:
		return game.Drawn(ByFull, "no empty point is left"), true
	}
	return game.Result{}, false
}

// View shows the position. It is the same for everybody.
func (s *State) View(a game.Audience) game.View {
	v := s.rules.names.Labels(a)
	s.Outline(&v)
	if s.marked > 0 {
		v.Marks = append(v.Marks, s.marks[:s.marked]...)
	}
	if s.second {
		v.Notes = []game.Note{game.Notef(game.NoteSecond, "second stone of the turn")}
	}
	if res, over := s.Result(); over {
		v.Result = &res
		v.Won = s.row()
	}
	return v
}

// Outline implements rules.Outliner.
func (s *State) Outline(v *game.View) {
	size := s.rules.size
	s.rules.names.Outline(v, game.Crossings, s.Turn(), colours)
	for k := range v.Cells {
		if at := s.board.At(k%size, k/size); at != game.Nobody {
			v.Cells[k] = game.Cell{Piece: "bw"[at], Owner: at}
		}
	}
}

// row are the stones of the line that has won, the longest if there are several.
func (s *State) row() []game.Point {
	if s.end != bySix {
		return nil
	}
	from, to, n := s.board.Longest(s.seat)
	out := make([]game.Point, n)
	for i := range out {
		out[i] = game.Pt(int(from.X)+i*sign(from.X, to.X), int(from.Y)+i*sign(from.Y, to.Y))
	}
	return out
}

func sign(from, to int8) int {
	switch {
	case to > from:
		return 1
	case to < from:
		return -1
	}
	return 0
}

// Clone returns an independent copy.
func (s *State) Clone() rules.State {
	c := *s
	return &c
}

// Keys of what is hashed besides the stones, beyond those of the stones.
const (
	keySeat = 1 << 20
	keyStep = keySeat + 1
	keyOver = keySeat + 2
)

// Hash returns the number of the position: the stones, the seat and the step.
func (s *State) Hash() uint64 {
	h := s.board.hash
	if s.end != open6 {
		return h ^ grid.Key(keyOver)
	}
	if s.seat == game.Second {
		h ^= grid.Key(keySeat)
	}
	if s.second {
		h ^= grid.Key(keyStep)
	}
	return h
}
