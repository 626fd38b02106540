package journal

import (
	"encoding/json"
	"fmt"

	"kibitz/game"
)

// wireView is the form of a view. Cells are two strings of one character for each
// point: the piece ('.' for none) and its owner ('0', '1', '-').
type wireView struct {
	For      string         `json:"for"`
	Shape    game.Shape     `json:"shape,omitempty"`
	Width    int            `json:"width"`
	Height   int            `json:"height"`
	Ground   game.Ground    `json:"ground,omitempty"`
	Loops    int            `json:"loops,omitempty"`
	Columns  []string       `json:"columns,omitempty"`
	Rows     []string       `json:"rows,omitempty"`
	Pieces   string         `json:"pieces,omitempty"`
	Owners   string         `json:"owners,omitempty"`
	Lines    []wireLine     `json:"lines,omitempty"`
	Seat     string         `json:"seat"`
	Step     int            `json:"step,omitempty"`
	Phase    string         `json:"phase,omitempty"`
	Colours  [2]game.Colour `json:"colours"`
	Score    *[2]float64    `json:"score,omitempty"`
	Trays    []wireTray     `json:"trays,omitempty"`
	Marks    [][2]int8      `json:"marks,omitempty"`
	Attempts [][2]int8      `json:"attempts,omitempty"`
	Barred   [][2]int8      `json:"barred,omitempty"`
	Won      [][2]int8      `json:"won,omitempty"`
	Path     [][2]int8      `json:"path,omitempty"`
	Notes    []wireNote     `json:"notes,omitempty"`
	Result   *plainResult   `json:"result,omitempty"`
}

// wireNote is a note. Journals before version 0.3 hold its text alone.
type wireNote game.Note

// UnmarshalJSON reads a note, or its text.
func (n *wireNote) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &n.Text)
	}
	return json.Unmarshal(data, (*game.Note)(n))
}

func notes[To, From wireNote | game.Note](list []From) (out []To) {
	for _, n := range list {
		out = append(out, To(n))
	}
	return out
}

type wireLine struct {
	X        int8   `json:"x"`
	Y        int8   `json:"y"`
	Vertical bool   `json:"vertical,omitempty"`
	By       string `json:"by"`
}

type wireTray struct {
	Name   string `json:"name"`
	Owner  string `json:"owner"`
	Pieces string `json:"pieces,omitempty"`
	Counts []int  `json:"counts,omitempty"`
}

type plainResult struct {
	Points [2]float64  `json:"points"`
	Board  *[2]float64 `json:"board,omitempty"`
	Reason game.Reason `json:"reason"`
	Detail string      `json:"detail,omitempty"`
}

func ownerLetter(s game.Seat) byte {
	switch s {
	case game.First:
		return '0'
	case game.Second:
		return '1'
	default:
		return '-'
	}
}

func ownerOf(c byte) game.Seat {
	switch c {
	case '0':
		return game.First
	case '1':
		return game.Second
	default:
		return game.Nobody
	}
}

func pairs(list []game.Point) [][2]int8 {
	var out [][2]int8
	for _, p := range list {
		out = append(out, [2]int8{p.X, p.Y})
	}
	return out
}

func points(list [][2]int8) []game.Point {
	var out []game.Point
	for _, p := range list {
		out = append(out, game.Point{X: p[0], Y: p[1]})
	}
	return out
}

func wireViewOf(v *game.View) *wireView {
	w := &wireView{
		For: v.For.String(), Shape: v.Shape, Width: v.Width, Height: v.Height, Ground: v.Ground, Loops: v.Loops, Columns: v.Columns, Rows: v.Rows,
		Seat: v.Turn.Seat.String(), Step: v.Turn.Step, Phase: v.Turn.Phase, Colours: v.Colours,
		Marks: pairs(v.Marks), Attempts: pairs(v.Attempts), Notes: notes[wireNote](v.Notes),
		Barred: pairs(v.Barred), Won: pairs(v.Won), Path: pairs(v.Path),
	}
	pieces, owners := make([]byte, len(v.Cells)), make([]byte, len(v.Cells))
	for i, c := range v.Cells {
		pieces[i], owners[i] = c.Piece, ownerLetter(c.Owner)
		if c.Piece == 0 {
			pieces[i] = '.'
		}
	}
	w.Pieces, w.Owners = string(pieces), string(owners)
	for _, l := range v.Lines {
		w.Lines = append(w.Lines, wireLine{l.At.X, l.At.Y, l.Vertical, l.By.String()})
	}
	for _, t := range v.Trays {
		x := wireTray{Name: t.Name, Owner: t.Owner.String()}
		for _, item := range t.Items {
			x.Pieces += string(rune(item.Piece))
			x.Counts = append(x.Counts, item.Count)
		}
		w.Trays = append(w.Trays, x)
	}
	if v.HasScore {
		s := v.Score
		w.Score = &s
	}
	if r := v.Result; r != nil {
		w.Result = &plainResult{Points: r.Points, Reason: r.Reason, Detail: r.Detail}
		if r.HasBoard {
			b := r.Board
			w.Result.Board = &b
		}
	}
	return w
}

func (w *wireView) value() (*game.View, error) {
	v := &game.View{
		Shape: w.Shape, Width: w.Width, Height: w.Height, Ground: w.Ground, Loops: w.Loops, Columns: w.Columns, Rows: w.Rows,
		Turn: game.Turn{Step: w.Step, Phase: w.Phase}, Colours: w.Colours,
		Marks: points(w.Marks), Attempts: points(w.Attempts), Notes: notes[game.Note](w.Notes),
		Barred: points(w.Barred), Won: points(w.Won), Path: points(w.Path),
	}
	var err error
	if v.For, err = parseAudience(w.For); err != nil {
		return nil, err
	}
	if v.Turn.Seat, err = parseSeat(w.Seat); err != nil {
		return nil, err
	}
	if len(w.Pieces) != len(w.Owners) {
		return nil, fmt.Errorf("a view with %d pieces and %d owners", len(w.Pieces), len(w.Owners))
	}
	for i := range len(w.Pieces) {
		c := game.Cell{Piece: w.Pieces[i], Owner: ownerOf(w.Owners[i])}
		if c.Piece == '.' {
			c.Piece = 0
		}
		v.Cells = append(v.Cells, c)
	}
	for _, l := range w.Lines {
		by, err := parseSeat(l.By)
		if err != nil {
			return nil, err
		}
		v.Lines = append(v.Lines, game.Line{At: game.Point{X: l.X, Y: l.Y}, Vertical: l.Vertical, By: by})
	}
	for _, t := range w.Trays {
		x, err := t.value()
		if err != nil {
			return nil, err
		}
		v.Trays = append(v.Trays, x)
	}
	if w.Score != nil {
		v.Score, v.HasScore = *w.Score, true
	}
	if r := w.Result; r != nil {
		v.Result = &game.Result{Points: r.Points, Reason: r.Reason, Detail: r.Detail}
		if r.Board != nil {
			v.Result.Board, v.Result.HasBoard = *r.Board, true
		}
	}
	return v, nil
}

func (t *wireTray) value() (game.Tray, error) {
	owner, err := parseSeat(t.Owner)
	if err != nil {
		return game.Tray{}, err
	}
	if len(t.Pieces) != len(t.Counts) {
		return game.Tray{}, fmt.Errorf("a tray with %d pieces and %d counts", len(t.Pieces), len(t.Counts))
	}
	x := game.Tray{Name: t.Name, Owner: owner}
	for i, n := range t.Counts {
		x.Items = append(x.Items, game.TrayItem{Piece: t.Pieces[i], Count: n})
	}
	return x, nil
}
