package wire

import (
	"slices"
	"strconv"
	"strings"

	"kibitz/game"
)

// Board is what v shows, as a value that can be drawn: Of of it is v. What Of leaves out is
// absent, and letters of an unknown kind count as none.
func (v *View) Board() *game.View {
	out := &game.View{
		Shape:  oneOf(string(v.Shape), game.Cells, game.Crossings, game.Dots),
		Ground: oneOf(string(v.Ground), game.UsualGround, game.Chequer, game.Wood, game.Paper, game.Felt, game.Table),
		Loops:  v.Loops, Width: v.Width, Height: v.Height, Columns: v.Columns, Rows: v.Rows,
		Turn:  game.Turn{Seat: v.Seat.Game(), Step: v.Step, Phase: v.Phase},
		Marks: GamePoints(v.Marks), Attempts: GamePoints(v.Attempts), Notes: v.Notes, Barred: GamePoints(v.Barred),
		Won: GamePoints(v.Won), Path: GamePoints(v.Path),
	}
	for i, c := range v.Colours {
		out.Colours[i] = oneOf(string(c), game.NoColour, game.Black, game.White, game.Red)
	}
	for i := range min(len(v.Pieces), len(v.Owners)) {
		c := game.Cell{Piece: v.Pieces[i], Owner: game.Nobody}
		if c.Piece == '.' {
			c.Piece = 0
		}
		if o := v.Owners[i]; o == '0' || o == '1' {
			c.Owner = game.Seat(o - '0')
		}
		out.Cells = append(out.Cells, c)
	}
	for _, l := range v.Lines {
		out.Lines = append(out.Lines, game.Line{At: game.Pt(l[0], l[1]), Vertical: l[2] == 1, By: game.Seat(l[3])})
	}
	for _, t := range v.Trays {
		x := game.Tray{Name: t.Name, Owner: t.Owner.Game()}
		for i, n := range t.Counts {
			x.Items = append(x.Items, game.TrayItem{Piece: t.Pieces[i], Count: n})
		}
		out.Trays = append(out.Trays, x)
	}
	if v.Score != nil {
		out.Score, out.HasScore = *v.Score, true
	}
	return out
}

// oneOf is the value of that name, the first if there is none.
func oneOf[T interface{ String() string }](name string, list ...T) T {
	i := slices.IndexFunc(list, func(x T) bool { return x.String() == name })
	return list[max(i, 0)]
}

// Game is the seat of which SeatOf is s, game.Nobody if there is none.
func (s Seat) Game() game.Seat {
	return oneOf(string(s), game.Nobody, game.First, game.Second, game.Dealer)
}

// GamePoints are the points of which Points is list.
func GamePoints(list []Point) []game.Point {
	var out []game.Point
	for _, p := range list {
		out = append(out, game.Pt(p[0], p[1]))
	}
	return out
}

// MoveName is what a decision is called on the board, by its labels: "e4", "a1-b2", "/c4", "a1h".
func (v *View) MoveName(m game.Move) string {
	switch m.Op {
	case game.Pass, game.Resign:
		return m.Op.String()
	case game.Choose:
		names := [...]string{"stay", "swap", "two"}
		if m.Arg >= 0 && int(m.Arg) < len(names) {
			return names[m.Arg]
		}
		return strconv.Itoa(int(m.Arg))
	case game.Shift:
		return v.pointName(m.From) + "-" + v.pointName(m.To)
	case game.Flip:
		return v.pointName(m.To) + "-" + v.pointName(m.To)
	case game.Shoot:
		return "/" + v.pointName(m.To)
	case game.Edge:
		if m.Arg == 1 { // it is called by its lower end
			return v.pointName(game.Point{X: m.To.X, Y: m.To.Y + 1}) + "v"
		}
		return v.pointName(m.To) + "h"
	}
	return v.pointName(m.To)
}

func (v *View) pointName(p game.Point) string {
	return label(v.Columns, int(p.X)) + label(v.Rows, int(p.Y))
}

func label(list []string, i int) string {
	if i >= 0 && i < len(list) {
		return list[i]
	}
	return strconv.Itoa(i + 1)
}

// Typed is a name of a move as two people may write it differently: "A1 - b2" and "a1b2" are one.
func Typed(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(name))
}
