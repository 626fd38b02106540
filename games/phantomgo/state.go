package phantomgo

import (
	"fmt"
	"slices"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/rules"
)

// State is a position as the referee knows it. It implements rules.State,
// rules.Permitter and rules.Perfter.
type State struct {
	r      *ruleSet
	board  Board
	side   uint8 // 0 black, 1 white
	passes uint8 // passes just before
	plies  int16 // placements and passes that stood
	// tried are the points refused in this turn, by row and column.
	tried   [MaxSize]uint32
	last    [2]int16 // the latest stone of each colour, 0 if none or captured since
	history []uint64 // hashes of all boards so far, under superko
	// gone holds the points of all captures so far, each capture in the order of
	// its notices, which share it. Nothing in it is ever written twice, and there
	// is room for every stone that can still be captured.
	gone []game.Point
}

// begin makes room for what is remembered of the game from here on.
func (s *State) begin() {
	s.gone = make([]game.Point, 0, s.catchable())
	if s.r.superko {
		s.history = append(make([]uint64, 0, s.r.maxPlies+1), s.board.hash)
	}
}

// catchable returns how many stones can still be captured at most: those on the
// board and those that the limit of moves still allows.
func (s *State) catchable() int {
	n := s.r.maxPlies - int(s.plies)
	for y := range s.r.size {
		for p := At(0, y); p < At(s.r.size, y); p++ {
			if s.board.cell[p] != Empty {
				n++
			}
		}
	}
	return n
}

func (s *State) seat() game.Seat { return game.Seat(s.side) }

func (s *State) over() bool { return s.passes == 2 || int(s.plies) >= s.r.maxPlies }

// Turn says who attempts next. A refused attempt does not change it.
func (s *State) Turn() game.Turn {
	if s.over() {
		return game.Turn{Seat: game.Nobody}
	}
	return game.Turn{Seat: s.seat(), Phase: PhaseMove}
}

// Board returns a copy of the referee's board.
func (s *State) Board() Board { return s.board }

// Side returns the colour to move, Black or White.
func (s *State) Side() uint8 { return s.side + Black }

// Legal appends what the seat on turn may attempt as far as it can know: points
// without a stone of its own that were not refused in this turn, row by row from
// the top, and the pass.
func (s *State) Legal(dst []game.Move) []game.Move {
	if s.over() {
		return dst
	}
	own := s.side + Black
	for y := range s.r.size {
		for x := range s.r.size {
			if s.board.cell[At(x, y)] != own && s.tried[y]>>x&1 == 0 {
				dst = append(dst, game.PlaceAt(game.Pt(x, y)))
			}
		}
	}
	return append(dst, game.PassMove())
}

// Check accepts a pass and every attempt on the board: what stands there is not
// for the seat to know before it has tried.
func (s *State) Check(m game.Move) error {
	switch {
	case s.over():
		return fmt.Errorf("the game is over: %s cannot be played", s.r.FormatMove(m))
	case m == game.PassMove():
		return nil
	case m != game.PlaceAt(m.To) || !m.To.On(s.r.size, s.r.size):
		return fmt.Errorf("%s is neither a point of the %dx%d board nor a pass", s.r.FormatMove(m), s.r.size, s.r.size)
	}
	return nil
}

// Permits reports whether an attempt would stand: for the referee alone.
func (s *State) Permits(m game.Move) bool {
	if s.Check(m) != nil {
		return false
	}
	return m.Op == game.Pass || s.stands(At(int(m.To.X), int(m.To.Y)))
}

func (s *State) stands(p int) bool {
	colour := s.side + Black
	if !s.board.Legal(p, colour) {
		return false
	}
	if !s.r.superko {
		return true
	}
	after := s.board.After(p, colour)
	return !slices.Contains(s.history, after)
}

// Apply makes an attempt. If it is forbidden, the seat is told and stays on turn.
func (s *State) Apply(m game.Move, dst []game.Notice) ([]game.Notice, error) {
	if err := s.Check(m); err != nil {
		return dst, err
	}
	seat := s.seat()
	if m.Op == game.Pass {
		s.board.Pass()
		s.passes++
		s.advance()
		return append(dst, game.Notice{To: game.Public, Kind: game.Played, By: seat, Move: m}), nil
	}
	p := At(int(m.To.X), int(m.To.Y))
	if !s.stands(p) {
		s.tried[m.To.Y] |= 1 << m.To.X
		return append(dst, game.Notice{To: game.To(seat), Kind: game.Refused, By: seat, Move: m}), nil
	}
	before := s.board.cell
	n := s.board.Place(p, s.side+Black)
	s.last[s.side] = int16(p)
	s.passes = 0
	dst = append(dst,
		game.Notice{To: game.To(seat), Kind: game.Played, By: seat, Move: m},
		game.Notice{To: game.Public, Kind: game.Moved, By: seat, Count: n})
	if n > 0 {
		points := s.captured(&before)
		if s.board.cell[s.last[1-s.side]] != 2-s.side {
			s.last[1-s.side] = 0
		}
		dst = append(dst,
			game.Notice{To: game.To(seat), Kind: game.Took, By: seat, Points: points, Count: n},
			game.Notice{To: game.To(seat.Other()), Kind: game.Lost, By: seat, Points: points, Count: n})
	}
	s.advance()
	if s.r.superko {
		s.history = append(s.history, s.board.hash)
	}
	return dst, nil
}

// captured lists the points that became empty, column by column from the left,
// each from the top.
func (s *State) captured(before *[cells]uint8) []game.Point {
	from := len(s.gone)
	for x := range s.r.size {
		for y := range s.r.size {
			if p := At(x, y); before[p] != Empty && s.board.cell[p] == Empty {
				s.gone = append(s.gone, game.Pt(x, y))
			}
		}
	}
	return s.gone[from:len(s.gone):len(s.gone)]
}

func (s *State) advance() {
	s.side ^= 1
	s.plies++
	s.tried = [MaxSize]uint32{}
}

// Result returns the outcome after two passes or at the limit.
func (s *State) Result() (game.Result, bool) {
	if !s.over() {
		return game.Result{}, false
	}
	black, white := s.board.Area()
	score := [2]float64{float64(black), float64(white) + s.r.komi}
	if s.passes < 2 {
		res := game.Drawn(ByLimit, fmt.Sprintf("%d moves were played", s.plies))
		return res, true
	}
	if s.r.sau {
		return game.Win(game.Second, ByPasses, fmt.Sprintf("two passes; the platform announces white, by area black has %d and white %d", black,
			white)), true
	}
	detail := fmt.Sprintf("black %d, white %d and komi %g", black, white, s.r.komi)
	res := game.Drawn(ByScore, detail)
	switch {
	case score[0] > score[1]:
		res = game.Win(game.First, ByScore, detail)
	case score[1] > score[0]:
		res = game.Win(game.Second, ByScore, detail)
	}
	res.Board, res.HasBoard = score, true
	return res, true
}

// Clone returns an independent copy.
func (s *State) Clone() rules.State {
	c := *s
	c.gone = make([]game.Point, 0, s.catchable())
	if s.history != nil {
		c.history = append(make([]uint64, 0, cap(s.history)), s.history...)
	}
	return &c
}

// Keys of the state hash beside the stones.
const (
	sideKey  = 3 * cells
	passKey  = sideKey + 1
	koKey    = sideKey + 2
	triedKey = koKey + cells
)

// Hash returns the hash of the stones, the side, the ko, a pass just before and
// what was refused in this turn.
func (s *State) Hash() uint64 {
	h := s.board.hash
	if s.side == 1 {
		h ^= grid.Key(sideKey)
	}
	if s.passes > 0 {
		h ^= grid.Key(passKey) * uint64(s.passes)
	}
	if s.board.ko != NoKo {
		h ^= grid.Key(koKey + uint64(s.board.ko))
	}
	for y, row := range s.tried[:s.r.size] {
		if row != 0 {
			h ^= grid.Key(triedKey + uint64(y)<<32 + uint64(row))
		}
	}
	return h
}

// Perft counts turns as the referee sees them: placements that stand, and passes.
func (s *State) Perft(depth int) uint64 {
	if s.r.superko {
		return rules.Perft(s, depth)
	}
	b := s.board
	return b.Perft(s.side+Black, int(s.passes), s.r.maxPlies-int(s.plies), depth)
}
