package gtp

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/game/grid"
)

// MaxSize is the largest board that the protocol's letters can name.
const MaxSize = 25

// Form is how one game is written over GTP.
type Form struct {
	// Game is the game's identifier.
	Game string
	// Names are what engines may call the game in set_game and list_games, the first is
	// what the engine side answers.
	Names []string
	// AllLetters and FromTop say how points are lettered. The letter i is left out, and
	// rows count from the bottom, without them.
	AllLetters, FromTop bool
	// WhiteFirst tells that the first seat is White.
	WhiteFirst bool
	// Turn writes and reads turns.
	Turn TurnForm
	// Komi tells that the game's specification has a komi.
	Komi bool
	// Over is what genmove answers after the end of the game; empty: pass.
	Over string
	// Default tells that engines of the game speak the protocol unless somebody says
	// otherwise.
	Default bool
	// Hidden tells that the opponent's stones are not told: see phantom.go.
	Hidden bool
	// Square tells that the board is square, whatever its specification says.
	Square bool
	// LikeGo tells that front ends for Go write the game's records as if it were Go.
	LikeGo bool

	// Engines are checked on a board of this Size, with these legal first turns of the
	// seats. FirstMoves are all first moves, if an engine is to be held to them, and Least
	// is how many turns a game has at least; 0 is more than ten.
	Size       int
	FirstTurns [2]string
	FirstMoves []string
	Least      int
}

// TurnForm is how a turn is written.
type TurnForm struct {
	// Points is how many points a turn has at most, and how many a turn is read from.
	Points int
	// Join stands between the points of one turn.
	Join string
	// Stepwise tells that each point is a decision of its own, so that a turn may be over
	// after any of them. Without it the first two points are one, the ends of a step, and
	// the third is an arrow.
	Stepwise bool
}

// OnePoint is the form of games in which a turn is one stone or a pass, TwoStones that of
// Connect6, ShiftAndArrow that of Amazons, and Shift that of games in which a turn is a
// step of a piece.
var (
	OnePoint      = TurnForm{Points: 1, Stepwise: true}
	TwoStones     = TurnForm{Points: 2, Join: ",", Stepwise: true}
	ShiftAndArrow = TurnForm{Points: 3, Join: "-"}
	Shift         = TurnForm{Points: 2, Join: "-"}
)

// Forms are the games that the protocol carries.
type Forms []Form

func (l Forms) of(id string) (Form, error) {
	for _, f := range l {
		if f.Game == id {
			return f, nil
		}
	}
	return Form{}, fmt.Errorf("the protocol gtp is not known to carry %q: it carries %s", id, strings.Join(l.games(), ", "))
}

// defaults are the games whose engines speak the protocol unless somebody says otherwise.
func (l Forms) defaults() (ids []string) {
	for i := range l {
		if l[i].Default {
			ids = append(ids, l[i].Game)
		}
	}
	return ids
}

func (l Forms) games() []string {
	ids := make([]string, len(l))
	for i := range l {
		ids[i] = l[i].Game
	}
	return ids
}

// lettering returns the names of the points of a board, with the switches applied.
func (f *Form) lettering(width, height int, letters, rows string) (grid.Names, error) {
	n := grid.Names{Width: width, Height: height, FromTop: f.FromTop, NoI: !f.AllLetters}
	if letters != "auto" && letters != "" {
		n.NoI = letters == "no-i"
	}
	if rows != "auto" && rows != "" {
		n.FromTop = rows == "top"
	}
	if width > MaxSize || height > MaxSize {
		return n, fmt.Errorf("a %dx%d board has no letters in GTP: at most %d columns and rows", width, height, MaxSize)
	}
	return n, nil
}

// swapped tells whether the switch first exchanges the colours of the game.
func (f *Form) swapped(first string) bool {
	return first == "white" && !f.WhiteFirst || first == "black" && f.WhiteFirst
}

// joins are the values of the switch join and what they put between points.
var joins = map[string]string{"comma": ",", "hyphen": "-", "blank": " ", "none": ""}

// joined returns the form with the switch join applied.
func (f Form) joined(value string) Form {
	if j, ok := joins[value]; ok {
		f.Turn.Join = j
	}
	return f
}

// write appends the argument of play for decisions of one turn; ok is false for
// decisions that the protocol cannot say.
func (f *TurnForm) write(dst []byte, n grid.Names, steps []game.Move) (text []byte, ok bool) {
	var buf [4]game.Point
	points, ok := appendPoints(buf[:0], steps)
	if !ok || len(points) == 0 || len(points) > f.Points {
		return dst, false
	}
	for i, p := range points {
		if i > 0 {
			dst = append(dst, f.Join...)
		}
		if dst, ok = appendVertex(dst, n, p); !ok {
			return dst, false
		}
	}
	return dst, true
}

// read appends the decisions that a text stands for, after those that have begun
// the turn. Any of the usual signs may stand between points, or none.
func (f *TurnForm) read(dst []game.Move, n grid.Names, text []byte, begun []game.Move) ([]game.Move, error) {
	var buf [4]game.Point
	points, err := readPoints(buf[:0], n, text, f.Points)
	if err != nil {
		return dst, err
	}
	return f.steps(dst, begun, points)
}

// appendPoints lists the points of decisions; a pass is NoPoint.
func appendPoints(dst []game.Point, steps []game.Move) ([]game.Point, bool) {
	for i := range steps {
		switch m := &steps[i]; m.Op {
		case game.Place, game.Shoot:
			dst = append(dst, m.To)
		case game.Shift:
			dst = append(dst, m.From, m.To)
		case game.Pass:
			dst = append(dst, game.NoPoint)
		default:
			return dst, false
		}
	}
	return dst, true
}

// steps makes decisions of points: all of the turn, or what follows the decisions
// that have begun it. NoPoint is a pass.
func (f *TurnForm) steps(dst, begun []game.Move, points []game.Point) ([]game.Move, error) {
	if !f.Stepwise {
		return f.shiftSteps(dst, begun, points)
	}
	for _, p := range points {
		dst = append(dst, placeOrPass(p))
	}
	return dst, nil
}

func placeOrPass(p game.Point) game.Move {
	if p == game.NoPoint {
		return game.PassMove()
	}
	return game.PlaceAt(p)
}

// shiftSteps reads from and to, and an arrow; after a shift the arrow alone, or the shift
// once more with it.
func (f *TurnForm) shiftSteps(dst, begun []game.Move, points []game.Point) ([]game.Move, error) {
	if len(points) == 1 && points[0] == game.NoPoint {
		return append(dst, game.PassMove()), nil
	}
	if slices.Contains(points, game.NoPoint) {
		return dst, fmt.Errorf("a pass is no part of a move")
	}
	if k := len(begun); k > 0 && begun[k-1].Op == game.Shift {
		switch shift := begun[k-1]; {
		case len(points) == 1:
			return append(dst, game.ShootAt(points[0])), nil
		case len(points) == 3 && points[0] == shift.From && points[1] == shift.To:
			return append(dst, game.ShootAt(points[2])), nil
		}
		return dst, fmt.Errorf("only the arrow is due")
	}
	if len(points) < 2 {
		return dst, fmt.Errorf("a move has %s",
			map[bool]string{true: "three points: from, to, arrow", false: "two points: from and to"}[f.Points > 2])
	}
	dst = append(dst, game.ShiftTo(points[0], points[1]))
	if len(points) == 3 {
		dst = append(dst, game.ShootAt(points[2]))
	}
	return dst, nil
}

// appendVertex writes a point without allocating; NoPoint is the pass.
func appendVertex(dst []byte, n grid.Names, p game.Point) ([]byte, bool) {
	if p == game.NoPoint {
		return append(dst, "pass"...), true
	}
	if !p.On(n.Width, n.Height) {
		return dst, false
	}
	dst = append(dst, n.Column(int(p.X))...)
	y := int(p.Y) + 1
	if !n.FromTop {
		y = n.Height - int(p.Y)
	}
	return strconv.AppendInt(dst, int64(y), 10), true
}

// readPoints appends the points of a text, at least one and at most as many as
// told.
func readPoints(dst []game.Point, n grid.Names, text []byte, most int) ([]game.Point, error) {
	for count := 0; ; count++ {
		word, rest := nextWord(text)
		switch {
		case len(word) == 0 && count > 0:
			return dst, nil
		case count >= most:
			return dst, fmt.Errorf("%q is one point too many: %d at most", word, most)
		case isWord(word, "pass") || isWord(word, "pa"):
			dst = append(dst, game.NoPoint)
		default:
			p, err := readVertex(n, word)
			if err != nil {
				return dst, err
			}
			dst = append(dst, p)
		}
		text = rest
	}
}

// nextWord cuts the next letters and digits off a text, with the signs before
// them. What is neither becomes a word that is no point.
func nextWord(b []byte) (word, rest []byte) {
	const signs = " \t,;:-/()[]>"
	for len(b) > 0 && strings.IndexByte(signs, b[0]) >= 0 {
		b = b[1:]
	}
	n := 0
	for n < len(b) && (b[n]|0x20) >= 'a' && (b[n]|0x20) <= 'z' {
		n++
	}
	for n < len(b) && b[n] >= '0' && b[n] <= '9' {
		n++
	}
	if n == 0 {
		return b, nil
	}
	return b[:n], b[n:]
}

// readVertex reads a letter and a number in either case.
func readVertex(n grid.Names, text []byte) (game.Point, error) {
	if len(text) >= 2 && len(text) <= 3 {
		c := text[0] | 0x20
		x := int(c - 'a')
		if n.NoI && c > 'i' {
			x--
		}
		row := 0
		for _, d := range text[1:] {
			if d < '0' || d > '9' {
				row = -1
				break
			}
			row = row*10 + int(d-'0')
		}
		y := row - 1
		if !n.FromTop {
			y = n.Height - row
		}
		if c >= 'a' && c <= 'z' && (c != 'i' || !n.NoI) && row > 0 && x < n.Width && y >= 0 && y < n.Height {
			return game.Pt(x, y), nil
		}
	}
	// The general reader says what is wrong.
	p, err := n.Parse(string(text))
	if err != nil {
		return game.NoPoint, err
	}
	return p, nil
}

// isWord compares without regard to case; word is in lower case.
func isWord(b []byte, word string) bool {
	if len(b) != len(word) {
		return false
	}
	for i := range b {
		c := b[i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		if c != word[i] {
			return false
		}
	}
	return true
}

// colourOf reads a colour argument.
func colourOf(text string) (game.Colour, error) {
	b := []byte(text)
	switch {
	case isWord(b, "b") || isWord(b, "black"):
		return game.Black, nil
	case isWord(b, "w") || isWord(b, "white"):
		return game.White, nil
	}
	return game.NoColour, fmt.Errorf("%q is no colour: b, black, w or white", text)
}

func other(c game.Colour) game.Colour {
	switch c {
	case game.Black:
		return game.White
	case game.White:
		return game.Black
	}
	return c
}

// style says how turns of several points are told and asked for.
type style uint8

const (
	// whole: one command has all points of a turn.
	whole style = iota
	// pointwise: a command for each point, all of the mover's colour.
	pointwise
	// alternating: a command for each point, the colours in turn: mover, other,
	// mover.
	alternating
)

// styleOf returns the style of the switch turn; auto is whole.
func styleOf(value string) style {
	switch value {
	case "points":
		return pointwise
	case "alternate":
		return alternating
	}
	return whole
}

// colourAt returns the colour of a command for the point number at of a turn.
func (s style) colourAt(c game.Colour, at int) game.Colour {
	if s == alternating && at%2 == 1 {
		return other(c)
	}
	return c
}
