package ccgc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"kibitz/game"
	"kibitz/record"
)

// Dots and Boxes: the game, and its boxes to a side.
const (
	dotsID   = "dotsandboxes"
	dotsSize = 5
)

// dotsGame is the object of a game of Dots and Boxes. R is the red side, B the
// blue or black one.
type dotsGame struct {
	R      string     `json:"R"`
	B      string     `json:"B"`
	Winner string     `json:"winner"`
	RScore float64    `json:"RScore"`
	BScore float64    `json:"BScore"`
	Date   string     `json:"Date"`
	Event  string     `json:"Event"`
	Game   []dotsLine `json:"game"`
}

type dotsLine struct {
	Piece string `json:"piece"`
}

// readDots reads objects one after the other.
func readDots(text string) ([]*record.Game, error) {
	var list []*record.Game
	dec := json.NewDecoder(strings.NewReader(text))
	for {
		var d dotsGame
		begin := int(dec.InputOffset())
		err := dec.Decode(&d)
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		blank := len(text[begin:]) - len(strings.TrimLeft(text[begin:], " \t\r\n"))
		line := 1 + strings.Count(text[:begin+blank], "\n")
		if err != nil {
			return list, record.Errorf(jsonLine(text, err, line), 0, "no record of Dots and Boxes: %v", err)
		}
		g, err := d.record(line)
		if err != nil {
			return list, err
		}
		list = append(list, g)
	}
}

// jsonLine returns the line in which a fault of JSON stands.
func jsonLine(text string, err error, otherwise int) int {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	at := int64(0)
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &kind):
		at = kind.Offset
	}
	if at <= 0 || at > int64(len(text)) {
		return otherwise
	}
	return 1 + strings.Count(text[:at], "\n")
}

// record turns the object into a record. Whoever draws the first line is seat
// First, red if there is none.
func (d *dotsGame) record(line int) (*record.Game, error) {
	g := &record.Game{Spec: dotsID, Line: line, Names: [2]string{d.R, d.B}}
	g.Date, g.Place = splitDate(d.Date)
	first := byte('r')
	if len(d.Game) > 0 && strings.HasPrefix(strings.ToLower(d.Game[0].Piece), "b") {
		first = 'b'
		g.Names = [2]string{d.B, d.R}
	}
	upper, err := d.upperDots()
	if err != nil {
		return nil, record.Errorf(line, 0, "%v", err)
	}
	if upper {
		g.Warnings = append(g.Warnings, fmt.Sprintf("line %d: vertical lines are named by their upper dots", line))
	}
	for i, l := range d.Game {
		by, m, err := readLine(l.Piece, upper)
		if err != nil {
			return nil, record.Errorf(line, 0, "line %d of the game: %v", i+1, err)
		}
		seat := game.Second
		if by == first {
			seat = game.First
		}
		g.Steps = append(g.Steps, record.Step{By: seat, Move: m})
	}
	g.Result = d.result(first)
	readEvent(g, d.Event)
	return g, nil
}

// upperDots reports whether vertical lines are named by the upper of their dots:
// row 6 then occurs and row 1 does not.
func (d *dotsGame) upperDots() (bool, error) {
	var top, bottom bool
	for _, l := range d.Game {
		p := strings.ToLower(strings.ReplaceAll(l.Piece, " ", ""))
		if !strings.HasSuffix(p, ",v)") || len(p) < 4 {
			continue
		}
		switch p[len(p)-4] {
		case '6':
			top = true
		case '1':
			bottom = true
		}
	}
	if top && bottom {
		return false, errors.New("vertical lines are named by their lower dots, in rows 1 to 5, but both row 1 and row 6 occur")
	}
	return top, nil
}

// result is what winner and scores say. Scores count if they are those of a whole
// game.
func (d *dotsGame) result(first byte) *game.Result {
	winner := strings.ToLower(d.Winner)
	if winner != "r" && winner != "b" {
		return nil
	}
	seat := game.Second
	if winner[0] == first {
		seat = game.First
	}
	r := game.Win(seat, "", "")
	if d.RScore >= 0 && d.BScore >= 0 && d.RScore+d.BScore == dotsSize*dotsSize {
		r.Board, r.HasBoard = [2]float64{d.RScore, d.BScore}, true
		if first == 'b' {
			r.Board = [2]float64{d.BScore, d.RScore}
		}
	}
	return &r
}

// readLine reads "r(a6,h)": the player, the dot with its column from the left and
// its row from the bottom, and the direction. Horizontal lines are named by their
// left dot, vertical ones by their lower dot.
func readLine(text string, upper bool) (by byte, m game.Move, err error) {
	t := strings.ToLower(strings.ReplaceAll(text, " ", ""))
	bad := fmt.Errorf("%q is no line: it must be like r(a6,h)", game.Shown(text, 24))
	if len(t) != 7 || t[1] != '(' || t[4] != ',' || t[6] != ')' || t[0] != 'r' && t[0] != 'b' || t[5] != 'h' && t[5] != 'v' {
		return 0, m, bad
	}
	x, y := int(t[2])-'a', dotsSize+1-(int(t[3])-'0')
	width, height := dotsSize, dotsSize+1
	vertical := t[5] == 'v'
	if vertical {
		width, height = dotsSize+1, dotsSize
		if !upper {
			y-- // the line begins at its upper dot
		}
	}
	if !game.Pt(x, y).On(width, height) {
		return 0, m, fmt.Errorf("the line %q is not on the board of %dx%d boxes", game.Shown(text, 24), dotsSize, dotsSize)
	}
	return t[0], game.EdgeAt(game.Pt(x, y), vertical), nil
}

// formatLine writes what readLine reads.
func formatLine(by game.Seat, m game.Move) (string, error) {
	x, y := int(m.To.X), int(m.To.Y)
	width, height, row, dir := dotsSize, dotsSize+1, dotsSize+1-y, 'h'
	if m.Arg == 1 {
		width, height, row, dir = dotsSize+1, dotsSize, dotsSize-y, 'v'
	}
	if m.Op != game.Edge || !m.To.On(width, height) {
		return "", fmt.Errorf("the form has only lines on the board of %dx%d boxes", dotsSize, dotsSize)
	}
	return fmt.Sprintf("%c(%c%d,%c)", "rb"[by], 'a'+x, row, dir), nil
}

// appendDots writes the object; red is the seat that moves first.
func appendDots(g *record.Game) ([]byte, error) {
	d := dotsGame{
		R: field(g.Names[0]), B: field(g.Names[1]), Date: field(joinDate(g.Date, g.Place)), Event: event(g),
		Game: []dotsLine{},
	}
	if r := g.Result; r != nil {
		switch r.Winner() {
		case game.First:
			d.Winner = "R"
		case game.Second:
			d.Winner = "B"
		}
		if r.HasBoard {
			d.RScore, d.BScore = r.Board[0], r.Board[1]
		}
	}
	for i := range g.Steps {
		s := &g.Steps[i]
		if !s.By.IsPlayer() {
			return nil, fmt.Errorf("decision %d, %s: the record does not say whose it is", i+1, s.Move)
		}
		text, err := formatLine(s.By, s.Move)
		if err != nil {
			return nil, fmt.Errorf("decision %d, %s: %w", i+1, s.Move, err)
		}
		d.Game = append(d.Game, dotsLine{text})
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "    ")
	if err := enc.Encode(&d); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
