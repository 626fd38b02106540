package dotsandboxes

import (
	"fmt"
	"math/bits"

	"kibitz/game"
	"kibitz/rules"
)

// State is a position with who drew which line. It implements rules.State and
// rules.Perfter.
type State struct {
	rules *ruleSet
	board Board
	by    [2]Lines // who drew which lines, as far as they were played
	last  Line
	any   bool // last is a line that was played
}

// Board returns a copy of the fast board.
func (s *State) Board() Board { return s.board }

// Turn says who draws a line.
func (s *State) Turn() game.Turn {
	if s.board.Over() {
		return game.Turn{Seat: game.Nobody}
	}
	return game.Turn{Seat: s.board.Side(), Step: s.board.Step(), Phase: PhaseLine}
}

// Legal appends the open lines: the horizontal ones row by row from the top left,
// then the vertical ones.
func (s *State) Legal(dst []game.Move) []game.Move {
	for open := s.board.open; !open.Empty(); open = open.Rest() {
		dst = append(dst, open.First().Move())
	}
	return dst
}

// line returns the number of the line that a decision draws, if it is one of the
// board.
func (s *State) line(m game.Move) (Line, bool) {
	n := s.rules.size
	down := m.Arg == 1
	if m != game.EdgeAt(m.To, down) || !m.To.On(n+1, n+1) {
		return 0, false
	}
	if down && int(m.To.Y) == n || !down && int(m.To.X) == n {
		return 0, false
	}
	return LineAt(int(m.To.X), int(m.To.Y), down), true
}

// Check says why a line cannot be drawn.
func (s *State) Check(m game.Move) error {
	l, ok := s.line(m)
	switch {
	case s.board.Over():
		return fmt.Errorf("the game is over: %s cannot be drawn", s.rules.FormatMove(m))
	case !ok:
		return fmt.Errorf("%s is not a line of the board: write the left or lower dot and h or v, for example %s", s.rules.FormatMove(m),
			s.rules.FormatMove(s.board.open.First().Move()))
	case s.board.drawn.Has(l):
		return fmt.Errorf("line %s is already drawn", s.rules.FormatMove(m))
	}
	return nil
}

// Apply draws a line.
func (s *State) Apply(m game.Move, dst []game.Notice) ([]game.Notice, error) {
	if err := s.Check(m); err != nil {
		return dst, err
	}
	l, _ := s.line(m)
	by := s.board.Side()
	s.by[by] = s.by[by].With(l)
	s.last, s.any = l, true
	closed := s.board.Draw(l)
	dst = append(dst, game.Notice{To: game.Public, Kind: game.Played, By: by, Move: m})
	if closed != 0 {
		dst = append(dst, game.Notice{To: game.Public, Kind: game.Scored, By: by, Points: points(closed, l), Count: bits.OnesCount64(closed)})
	}
	return dst, nil
}

// boxes holds for each line the two boxes beside it, the left or upper one first,
// so that notices need no memory of their own.
var boxes = boxTable()

func boxTable() *[128][2]game.Point {
	var t [128][2]game.Point
	for l := range t {
		step := stride
		if Line(l).Vertical() {
			step = 1
		}
		n := l % vertical
		t[l] = [2]game.Point{dot(max(0, n-step)), dot(n)}
	}
	return &t
}

// points returns the boxes that line l has closed.
func points(closed uint64, l Line) []game.Point {
	both := &boxes[l]
	switch n := int(l % vertical); {
	case bits.OnesCount64(closed) == 2:
		return both[:]
	case closed>>n&1 != 0:
		return both[1:]
	}
	return both[:1:1]
}

// Result returns the outcome once all lines are drawn.
func (s *State) Result() (game.Result, bool) {
	if !s.board.Over() {
		return game.Result{}, false
	}
	a, b := s.board.Boxes(game.First), s.board.Boxes(game.Second)
	detail := fmt.Sprintf("%d boxes to %d", a, b)
	r := game.Drawn(Full, detail)
	switch {
	case a > b:
		r = game.Win(game.First, Full, detail)
	case b > a:
		r = game.Win(game.Second, Full, detail)
	}
	r.Board, r.HasBoard = [2]float64{float64(a), float64(b)}, true
	return r, true
}

// View shows dots, lines and boxes; nothing is hidden. A cell is the box to the
// right of its dot and below it, so that the last column and row stay empty.
func (s *State) View(a game.Audience) game.View {
	b, n := &s.board, s.rules.size+1
	v := s.rules.names.View(a, game.Dots, s.Turn(), s.rules.doc.Colours)
	v.Score, v.HasScore = [2]float64{float64(b.Boxes(game.First)), float64(b.Boxes(game.Second))}, true
	for seat, owned := range b.owned {
		for ; owned != 0; owned &= owned - 1 {
			p := dot(bits.TrailingZeros64(owned))
			v.Cells[p.Index(n)] = game.Cell{Piece: letters[seat], Owner: game.Seat(seat)}
		}
	}
	for drawn := b.drawn; !drawn.Empty(); drawn = drawn.Rest() {
		l := drawn.First()
		v.Lines = append(v.Lines, game.Line{At: l.Dot(), Vertical: l.Vertical(), By: s.drewBy(l)})
	}
	if s.any {
		from := s.last.Dot()
		v.Marks = []game.Point{from, end(from, s.last.Vertical())}
	}
	if r, over := s.Result(); over {
		v.Result = &r
	}
	return v
}

const letters = "bw"

// drewBy returns who drew a line, Nobody if it was there from the start.
func (s *State) drewBy(l Line) game.Seat {
	for seat := range s.by {
		if s.by[seat].Has(l) {
			return game.Seat(seat)
		}
	}
	return game.Nobody
}

// end returns the right or lower end of a line.
func end(p game.Point, down bool) game.Point {
	if down {
		p.Y++
	} else {
		p.X++
	}
	return p
}

// Clone returns an independent copy.
func (s *State) Clone() rules.State {
	c := *s
	return &c
}

// Hash returns the hash of the lines, the owners of the boxes, the side and the
// lines of the turn under way.
func (s *State) Hash() uint64 { return s.board.Hash() }

// Perft counts turns, each order of their lines.
func (s *State) Perft(depth int) uint64 { return s.board.Perft(depth) }
