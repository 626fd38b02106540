package sau

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"kibitz/game"
)

// What stands on a point of a sparring board.
const (
	free uint8 = iota
	blackPiece
	whitePiece
	burnt
)

// sparring is what a check knows of the game: enough to see that a move is none, and
// to answer one. It is no judge: whether a capture in Surakarta runs through an arc,
// or a stone of NoGo has a liberty, it does not ask.
type sparring struct {
	form  *form
	n     int     // points along one side
	cell  []uint8 // row by row
	lines map[game.Move]bool
	turns int
	over  bool
}

// boardSizes are the points along one side where the specification names none.
var boardSizes = map[string]int{"amazons": 10, "connect6": 19, "nogo": 9, "dotsandboxes": 6, "phantomgo": 9, "surakarta": 6}

func newSparring(spec game.Spec) *sparring {
	s := &sparring{form: formOf(spec), n: boardSizes[spec.ID()]}
	if v, ok := spec.Option("size"); ok {
		if n, err := strconv.Atoi(v); err == nil {
			if s.n = n; spec.ID() == "dotsandboxes" {
				s.n++
			}
		}
	}
	s.reset()
	return s
}

// reset sets up the initial position.
func (s *sparring) reset() {
	s.cell, s.lines, s.turns, s.over = make([]uint8, s.n*s.n), map[game.Move]bool{}, 0, false
	switch s.form.game {
	case "amazons":
		for i, at := range []string{"AG", "DJ", "GJ", "JG", "AD", "DA", "GA", "JD"} {
			p, _ := Plain.point([]byte(at))
			s.set(p, blackPiece+uint8(i/4))
		}
	case "surakarta":
		for i := range 2 * s.n {
			s.cell[i], s.cell[len(s.cell)-1-i] = blackPiece, whitePiece
		}
	}
}

// clone returns a copy.
func (s *sparring) clone() sparring {
	c := *s
	c.cell, c.lines = slices.Clone(s.cell), maps.Clone(s.lines)
	return c
}

func pieceOf(seat game.Seat) uint8 { return blackPiece + uint8(seat) }

func (s *sparring) on(p game.Point) bool         { return p.On(s.n, s.n) }
func (s *sparring) at(p game.Point) uint8        { return s.cell[p.Index(s.n)] }
func (s *sparring) set(p game.Point, what uint8) { s.cell[p.Index(s.n)] = what }

// play applies a turn of a seat, or says what is wrong with it.
func (s *sparring) play(seat game.Seat, steps []game.Move) error {
	for i, m := range steps {
		if err := s.step(seat, steps, i); err != nil {
			return fmt.Errorf("%s of it: %w", string(s.form.write(&Plain, nil, []game.Move{m})), err)
		}
	}
	s.turns++
	want := 0
	switch {
	case s.form.game == "connect6" && s.turns == 1:
		want = 1
	case s.form.game == "connect6" && !s.over:
		want = 2
	}
	if want > 0 && len(steps) != want {
		return fmt.Errorf("%d stones where %d are due", len(steps), want)
	}
	return nil
}

func (s *sparring) step(seat game.Seat, steps []game.Move, i int) error {
	m := steps[i]
	switch m.Op {
	case game.Pass:
		return fmt.Errorf("a pass is no move of this game")
	case game.Edge:
		return s.line(m, i == len(steps)-1)
	}
	if !s.on(m.To) || m.Op == game.Shift && !s.on(m.From) {
		return fmt.Errorf("off the %dx%d board", s.n, s.n)
	}
	if m.Op == game.Shift {
		return s.shift(seat, m)
	}
	if s.at(m.To) != free {
		return fmt.Errorf("the point is taken")
	}
	if m.Op == game.Shoot {
		if !s.clear(steps[i-1].To, m.To) {
			return fmt.Errorf("no free straight line leads there")
		}
		s.set(m.To, burnt)
		return nil
	}
	s.set(m.To, pieceOf(seat))
	s.over = s.over || s.form.game == "connect6" && s.six(m.To)
	return nil
}

func (s *sparring) shift(seat game.Seat, m game.Move) error {
	switch {
	case s.at(m.From) != pieceOf(seat):
		return fmt.Errorf("no piece of %s stands there", sideNames[seat])
	case s.form.game == "amazons" && !s.clear(m.From, m.To):
		return fmt.Errorf("no free straight line leads there")
	case s.form.game == "surakarta" && s.at(m.To) == pieceOf(seat):
		return fmt.Errorf("an own piece stands there")
	case s.form.game == "surakarta" && s.at(m.To) == free && max(abs(m.From.X-m.To.X), abs(m.From.Y-m.To.Y)) != 1:
		return fmt.Errorf("a piece that takes nothing goes one step")
	}
	s.set(m.From, free)
	s.set(m.To, pieceOf(seat))
	return nil
}

func abs(d int8) int8 { return max(d, -d) }

// clear reports whether a queen could go from a to b over free points.
func (s *sparring) clear(a, b game.Point) bool {
	dx, dy := b.X-a.X, b.Y-a.Y
	n := max(abs(dx), abs(dy))
	if n == 0 || dx != 0 && dy != 0 && abs(dx) != abs(dy) {
		return false
	}
	for k := int8(1); k <= n; k++ {
		if s.at(game.Point{X: a.X + dx/n*k, Y: a.Y + dy/n*k}) != free {
			return false
		}
	}
	return true
}

// six reports whether the stone on p stands in a row of six.
func (s *sparring) six(p game.Point) bool {
	for _, d := range [4]game.Point{{X: 1}, {Y: 1}, {X: 1, Y: 1}, {X: 1, Y: -1}} {
		n := 1
		for _, sign := range [2]int8{1, -1} {
			for k := sign; ; k += sign {
				q := game.Point{X: p.X + k*d.X, Y: p.Y + k*d.Y}
				if !s.on(q) || s.at(q) != s.at(p) {
					break
				}
				n++
			}
		}
		if n >= 6 {
			return true
		}
	}
	return false
}

// line draws a line of Dots and Boxes. The last of a turn completes no box, all
// others do, unless the board is full.
func (s *sparring) line(m game.Move, last bool) error {
	end := game.Point{X: m.To.X + 1 - int8(m.Arg), Y: m.To.Y + int8(m.Arg)}
	switch {
	case !s.on(m.To) || !s.on(end):
		return fmt.Errorf("off the board of %dx%d dots", s.n, s.n)
	case s.lines[m]:
		return fmt.Errorf("the line is drawn already")
	}
	s.lines[m] = true
	s.over = len(s.lines) == 2*s.n*(s.n-1)
	switch boxes := s.boxes(m); {
	case boxes == 0 && !last:
		return fmt.Errorf("the turn goes on although the line completes no box")
	case boxes > 0 && last && !s.over:
		return fmt.Errorf("the turn stops although the line completes a box")
	}
	return nil
}

// boxes counts the complete boxes on both sides of a line.
func (s *sparring) boxes(m game.Move) int {
	n := 0
	for back := range int8(2) {
		at := game.Point{X: m.To.X - back*int8(m.Arg), Y: m.To.Y - back*(1-int8(m.Arg))}
		right, below := game.Point{X: at.X + 1, Y: at.Y}, game.Point{X: at.X, Y: at.Y + 1}
		if s.lines[game.EdgeAt(at, false)] && s.lines[game.EdgeAt(at, true)] && s.lines[game.EdgeAt(right, true)] && s.lines[game.EdgeAt(below, false)] {
			n++
		}
	}
	return n
}

// reply finds a harmless turn for a seat and plays it; nil if it finds none.
func (s *sparring) reply(seat game.Seat) []game.Move {
	var steps []game.Move
	switch s.form.game {
	case "amazons", "surakarta":
		steps = s.walk(seat)
	case "connect6":
		n := 2
		if s.turns == 0 {
			n = 1
		}
		for k := 0; len(steps) < n; k++ {
			if p := s.scattered(s.turns*14 + k*7); s.at(p) == free && !slices.Contains(steps, game.PlaceAt(p)) {
				steps = append(steps, game.PlaceAt(p))
			}
		}
	case "dotsandboxes":
		return s.draw()
	default:
		if p, ok := s.lonely(); ok {
			steps = append(steps, game.PlaceAt(p))
		}
	}
	if len(steps) == 0 || s.play(seat, steps) != nil {
		return nil
	}
	return steps
}

// scattered is point number k of a walk that makes no rows.
func (s *sparring) scattered(k int) game.Point { return game.Pt(k*3%s.n, (k*3/s.n*5+k)%s.n) }

// lonely finds a free point whose neighbours are free.
func (s *sparring) lonely() (game.Point, bool) {
	for i := range s.cell {
		p := game.Pt(i%s.n, i/s.n)
		alone := s.at(p) == free
		for _, d := range [4]game.Point{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
			if q := (game.Point{X: p.X + d.X, Y: p.Y + d.Y}); s.on(q) && s.at(q) != free {
				alone = false
			}
		}
		if alone {
			return p, true
		}
	}
	return game.NoPoint, false
}

// walk finds a piece that can go one step to a free point; an amazon shoots back to
// where it came from.
func (s *sparring) walk(seat game.Seat) []game.Move {
	for k := range s.cell {
		i := (k + 7*s.turns) % len(s.cell) // another piece each time
		if s.cell[i] != pieceOf(seat) {
			continue
		}
		from := game.Pt(i%s.n, i/s.n)
		for d := range int8(9) {
			to := game.Point{X: from.X + d%3 - 1, Y: from.Y + d/3 - 1}
			if !s.on(to) || s.at(to) != free {
				continue
			}
			if s.form.game == "amazons" {
				return []game.Move{game.ShiftTo(from, to), game.ShootAt(from)}
			}
			return []game.Move{game.ShiftTo(from, to)}
		}
	}
	return nil
}

// draw draws the first line that is left, and goes on as long as boxes close.
func (s *sparring) draw() (steps []game.Move) {
	for i := range 2 * s.n * s.n {
		at, vertical := game.Pt(i/2%s.n, i/2/s.n), i%2 == 1
		m := game.EdgeAt(at, vertical)
		if s.lines[m] || !vertical && int(at.X) == s.n-1 || vertical && int(at.Y) == s.n-1 {
			continue
		}
		s.lines[m] = true
		s.over = len(s.lines) == 2*s.n*(s.n-1)
		if steps = append(steps, m); s.boxes(m) == 0 || s.over {
			break
		}
	}
	s.turns++
	return steps
}
