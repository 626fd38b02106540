package nogo

import (
	"fmt"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/rules"
)

// State is a position. It implements rules.State and rules.Perfter.
//
// A stone that captures or is a suicide ends the game and stays on the board
// with everything around it: what the referee saw is what is shown and written.
type State struct {
	r     *ruleSet
	board Board
	side  uint8 // 0 black, 1 white: to move, or who would be
	end   ending
	last  int16 // the latest stone, 0 if it is not known
}

// ending says how a game ended; the loser is the side before State.side, of a
// block State.side itself.
type ending uint8

const (
	running ending = iota
	blocked
	captured
	suicide
	passed
)

func (s *State) seat() game.Seat { return game.Seat(s.side) }

// Board returns a copy of the board.
func (s *State) Board() Board { return s.board }

// Side returns the colour to move, Black or White.
func (s *State) Side() uint8 { return s.side + Black }

// Turn says who places the next stone.
func (s *State) Turn() game.Turn {
	if s.end != running {
		return game.Turn{Seat: game.Nobody}
	}
	return game.Turn{Seat: s.seat(), Phase: PhasePlace}
}

// Legal appends the harmless points of the side to move, row by row from the top.
// All other empty points, and the pass, are accepted too, but lose the game.
func (s *State) Legal(dst []game.Move) []game.Move {
	if s.end != running {
		return dst
	}
	b := &s.board
	for y := range s.r.size {
		for x := range s.r.size {
			if b.Harmless(b.At(x, y), s.Side()) {
				dst = append(dst, game.PlaceAt(game.Pt(x, y)))
			}
		}
	}
	return dst
}

// Check accepts every empty point, and a pass unless the rulings know none.
func (s *State) Check(m game.Move) error {
	switch {
	case s.end != running:
		return fmt.Errorf("the game is over: %s cannot be played", s.r.FormatMove(m))
	case m == game.PassMove() && s.r.passes:
		return nil
	case m == game.PassMove():
		return fmt.Errorf("there is no pass under rulings=sau: place a stone")
	case m != game.PlaceAt(m.To) || !m.To.On(s.r.size, s.r.size):
		return fmt.Errorf("%s is not a point of the %dx%d board", s.r.FormatMove(m), s.r.size, s.r.size)
	case s.board.cell[s.at(m.To)] != Empty:
		return fmt.Errorf("%s is occupied", s.r.FormatMove(m))
	}
	return nil
}

func (s *State) at(p game.Point) int { return s.board.At(int(p.X), int(p.Y)) }

// Apply places a stone, or passes and loses.
func (s *State) Apply(m game.Move, dst []game.Notice) ([]game.Notice, error) {
	if err := s.Check(m); err != nil {
		return dst, err
	}
	dst = append(dst, game.Notice{To: game.Public, Kind: game.Played, By: s.seat(), Move: m})
	if m.Op == game.Pass {
		s.end = passed
		s.side ^= 1
		return dst, nil
	}
	p := s.at(m.To)
	v := s.board.Judge(p, s.Side())
	s.board.Place(p, s.Side())
	s.last = int16(p)
	s.side ^= 1
	switch {
	case v == Suicide:
		s.end = suicide
	case v == Capture:
		s.end = captured
	case !s.board.CanMove(s.Side()):
		s.end = blocked
	}
	return dst, nil
}

// look finds out how a position that was not played stands.
func (s *State) look() {
	switch {
	case s.end == passed:
	case s.board.Dead(3 - s.Side()):
		s.end = suicide
	case s.board.Dead(s.Side()):
		s.end = captured
	case !s.board.CanMove(s.Side()):
		s.end = blocked
	}
}

var colours = [2]game.Colour{game.Black, game.White}

// Result returns the outcome after a capture, a suicide, a pass, or when the side
// to move has no harmless point.
func (s *State) Result() (game.Result, bool) {
	mover, next := s.seat().Other(), s.seat()
	switch s.end {
	case blocked:
		return game.Win(mover, ByBlocked, fmt.Sprintf("%s has no harmless point", colours[next])), true
	case captured:
		return game.Win(next, ByCapture, fmt.Sprintf("%s left stones of %s without liberty%s", colours[mover], colours[next], s.place())), true
	case suicide:
		return game.Win(next, BySuicide, fmt.Sprintf("%s left its own stones without liberty%s", colours[mover], s.place())), true
	case passed:
		return game.Win(next, ByPass, fmt.Sprintf("%s passed", colours[mover])), true
	}
	return game.Result{}, false
}

// place names the latest stone, if it is known.
func (s *State) place() string {
	if s.last == 0 {
		return ""
	}
	return " by " + s.r.names.Format(s.point(int(s.last)))
}

func (s *State) point(p int) game.Point { return game.Pt(s.board.XY(p)) }

var letters = [...]byte{Black: 'b', White: 'w'}

// View shows the board; nothing is hidden.
func (s *State) View(a game.Audience) game.View {
	n := s.r.size
	v := s.r.names.Labels(a)
	s.Outline(&v)
	for i := range v.Cells {
		p := s.board.At(i%n, i/n)
		switch c := s.board.cell[p]; {
		case c != Empty:
			if s.board.Loose(p) == 0 {
				v.Won = append(v.Won, s.point(p))
			}
		case s.end == running && !s.board.Harmless(p, s.Side()):
			v.Barred = append(v.Barred, s.point(p))
		}
	}
	if s.last != 0 {
		v.Marks = append(v.Marks, s.point(int(s.last)))
	}
	if r, over := s.Result(); over {
		v.Result = &r
	}
	return v
}

// Outline implements rules.Outliner.
func (s *State) Outline(v *game.View) {
	n := s.r.size
	s.r.names.Outline(v, game.Crossings, s.Turn(), colours)
	for i := range v.Cells {
		if c := s.board.cell[s.board.At(i%n, i/n)]; c != Empty {
			v.Cells[i] = game.Cell{Piece: letters[c], Owner: game.Seat(c - Black)}
		}
	}
}

// Clone returns an independent copy.
func (s *State) Clone() rules.State {
	c := *s
	return &c
}

// Keys of the state hash beside the stones.
const (
	sideKey = 2 * cells
	passKey = sideKey + 1
)

// Hash returns the hash of the stones, the side to move, and a pass.
func (s *State) Hash() uint64 {
	h := s.board.hash
	if s.side == 1 {
		h ^= grid.Key(sideKey)
	}
	if s.end == passed {
		h ^= grid.Key(passKey)
	}
	return h
}

// Perft counts sequences of harmless stones.
func (s *State) Perft(depth int) uint64 {
	if s.end != running && depth > 0 {
		return 0
	}
	return s.board.Perft(s.Side(), depth)
}
