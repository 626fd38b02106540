// Package movetext reads and writes Othello games as strings of squares, the
// copy-and-paste form of nearly all sites and programs: "f5d6c3d3".
//
// Case, blanks, commas and move numbers mean nothing. Passes are normally left
// out; package replay finds them. Openings come as one string or one board per
// line. Lines of logbooks ("+d3-c5+f6: +12 0") name the colours and the result.
package movetext

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/record"
)

// spec is the only game of the format.
const spec game.Spec = "othello"

// Read returns the games of a file. A line is a game of its own, unless it goes
// on with the move numbers of the line before; numbers that begin again with
// "1." begin a game. Lines that are empty or begin with # hold none, nor does a
// first line that is a bare number, which counts the games that follow. A line of
// 64 cells and a side is a game without moves from that position. What cannot be
// read is left out and joined in the error as *record.Error.
func Read(data []byte) ([]*record.Game, error) {
	var games []*record.Game
	var errs []error
	var pending []byte
	start, n := 0, 0
	flush := func() {
		if len(pending) == 0 {
			return
		}
		g := &record.Game{Spec: spec, Line: start}
		p := parser{text: string(pending), line: start}
		if err := p.game(g); err != nil {
			errs = append(errs, err)
		} else {
			games = append(games, g)
		}
		pending = pending[:0]
	}
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		n++
		text := bytes.TrimSpace(line)
		if len(text) == 0 || text[0] == '#' {
			flush()
			continue
		}
		if n == 1 && bare(text) {
			continue
		}
		if b, ok := board(string(text)); ok {
			flush()
			games = append(games, &record.Game{Spec: spec, Start: b, Line: n})
			continue
		}
		if logbook(text) {
			flush()
			g, err := parseLog(string(text), n)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			games = append(games, g)
			continue
		}
		if k := number(text); k <= 1 || len(pending) == 0 {
			flush()
			start = n
		}
		pending = append(append(pending, bytes.TrimRight(line, "\r")...), '\n')
	}
	flush()
	return games, errors.Join(errs...)
}

func bare(text []byte) bool {
	_, err := strconv.Atoi(string(text))
	return err == nil
}

// number returns the move number at the start of a line, 0 if there is none.
func number(text []byte) int {
	i := 0
	for i < len(text) && i < 4 && text[i] >= '0' && text[i] <= '9' {
		i++
	}
	if i == 0 || i == len(text) || text[i] != '.' {
		return 0
	}
	n, _ := strconv.Atoi(string(text[:i]))
	return n
}

// board returns the position that a line of 64 cells and a side describes, in
// the text form of Othello.
func board(text string) (string, bool) {
	cells := make([]byte, 0, 66)
	text, _, _ = strings.Cut(text, ";")
	for i := range len(text) {
		var c byte
		switch text[i] {
		case 'X', 'x', '*':
			c = 'X'
		case 'O', 'o':
			c = 'O'
		case '-', '.':
			c = '-'
		case ' ', '\t':
			continue
		default:
			return "", false
		}
		if len(cells) == 64 {
			if c == '-' {
				return "", false
			}
			cells = append(cells, ' ')
		}
		if len(cells) > 65 {
			return "", false
		}
		cells = append(cells, c)
	}
	return string(cells), len(cells) == 66
}

// parser reads moves from a text that may span lines.
type parser struct {
	text       string
	pos        int
	line, from int // the line of pos, and where it begins
}

func (p *parser) errorf(format string, args ...any) error {
	return record.Errorf(p.line, p.pos-p.from+1, format, args...)
}

func (p *parser) game(g *record.Game) error {
	begins := p.line
	for p.skip(); p.pos < len(p.text); p.skip() {
		word := p.word()
		moves, bad := split(word)
		if bad > 0 && len(g.Steps) > 0 && p.remark(word) {
			end := strings.IndexByte(p.text[p.pos:], '\n')
			if end < 0 {
				end = len(p.text) - p.pos
			}
			g.Comment = strings.Join(strings.Fields(p.text[p.pos:p.pos+end]), " ")
			p.pos += end
			continue
		}
		at := p.pos
		for _, m := range moves {
			g.Steps = append(g.Steps, record.Step{
				By: game.Nobody, Move: m.move, Line: p.line, Column: at + m.at - p.from + 1,
			})
		}
		if bad > 0 {
			p.pos += len(word) - bad
			return p.errorf("%q is no move, write a square such as f5", game.Shown(word[len(word)-bad:], 20))
		}
		p.pos += len(word)
	}
	if len(g.Steps) == 0 {
		return record.Errorf(begins, 1, "no move found")
	}
	return nil
}

// remark reports whether a word that is no move begins a comment: it stands
// behind moves on their line and does not begin with a square.
func (p *parser) remark(word string) bool {
	return p.pos > p.from && blank(p.text[p.pos-1]) && (len(word) < 2 || !square(word[0], word[1]))
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// skip passes over blanks, commas and move numbers.
func (p *parser) skip() {
	for p.pos < len(p.text) {
		c := p.text[p.pos]
		switch {
		case c == '\n':
			p.line++
			p.from = p.pos + 1
			p.pos++
		case blank(c) || c == ',' || c == ';':
			p.pos++
		case numbered(p.text[p.pos:]) > 0:
			p.pos += numbered(p.text[p.pos:])
		default:
			return
		}
	}
}

// numbered is the length of the move number that a text begins with, as 1., 1..., 1), (1) or 1:; 0 if it does not.
func numbered(text string) int {
	i := 0
	if text[0] == '(' || text[0] == '[' || text[0] == '#' {
		i++
	}
	first := i
	for i < len(text) && text[i] >= '0' && text[i] <= '9' {
		i++
	}
	digits := i
	for i < len(text) && strings.IndexByte(".:)]", text[i]) >= 0 {
		i++
	}
	if first == digits || digits == i {
		return 0
	}
	return i
}

// word returns what stands at the place up to a blank, comma, or move number.
func (p *parser) word() string {
	i := p.pos
	for i < len(p.text) && !blank(p.text[i]) && p.text[i] != ',' && p.text[i] != ';' {
		i++
	}
	return p.text[p.pos:i]
}

type placed struct {
	move game.Move
	at   int
}

// split cuts a word into moves. bad is the length of the rest that is none, 0 if
// all was read.
func split(word string) (moves []placed, bad int) {
	for i := 0; i < len(word); {
		rest := word[i:]
		switch {
		case len(rest) >= 2 && square(rest[0], rest[1]):
			moves = append(moves, placed{game.PlaceAt(game.Pt(int(rest[0]|0x20-'a'), int(rest[1]-'1'))), i})
			i += 2
		case len(rest) >= 4 && strings.EqualFold(rest[:4], "pass"):
			moves = append(moves, placed{game.PassMove(), i})
			i += 4
		case len(rest) >= 2 && (rest[:2] == "--" || strings.EqualFold(rest[:2], "pa") || strings.EqualFold(rest[:2], "ps")):
			moves = append(moves, placed{game.PassMove(), i})
			i += 2
		case len(rest) >= 1 && rest[0] == '-' && i > 0:
			i++ // squares joined by a hyphen
		default:
			return moves, len(rest)
		}
	}
	return moves, 0
}

func square(a, b byte) bool {
	a |= 0x20
	return a >= 'a' && a <= 'h' && b >= '1' && b <= '8'
}

// logbook reports whether a line names colours by signs: "+d3-c5".
func logbook(text []byte) bool {
	return len(text) >= 3 && (text[0] == '+' || text[0] == '-') && square(text[1], text[2])
}

// TagLog is the key under which Game.Tags hold what follows the result of a
// logbook line.
const TagLog = "log"

// parseLog reads a logbook line: signed squares, a colon, Black's disc
// difference, and more. Plus is Black.
func parseLog(text string, line int) (*record.Game, error) {
	g := &record.Game{Spec: spec, Line: line}
	i := 0
	for i+2 < len(text) && (text[i] == '+' || text[i] == '-') && square(text[i+1], text[i+2]) {
		st := record.Step{By: game.First, Move: game.PlaceAt(game.Pt(int(text[i+1]|0x20-'a'), int(text[i+2]-'1'))), Line: line, Column: i + 1}
		if text[i] == '-' {
			st.By = game.Second
		}
		g.Steps = append(g.Steps, st)
		i += 3
	}
	rest := strings.TrimSpace(text[i:])
	if rest == "" {
		return g, nil
	}
	tail, ok := strings.CutPrefix(rest, ":")
	if !ok {
		return nil, record.Errorf(line, i+1, "%q is no signed square, write +f5 for Black and -d6 for White", game.Shown(rest, 20))
	}
	fields := strings.Fields(tail)
	if len(fields) == 0 {
		return g, nil
	}
	d, err := strconv.Atoi(fields[0])
	if err != nil || d < -64 || d > 64 {
		return nil, record.Errorf(line, i+1, "%q is no difference in discs", game.Shown(fields[0], 20))
	}
	if len(fields) > 1 {
		g.Tags = append(g.Tags, record.Tag{Key: TagLog, Value: strings.Join(fields[1:], " ")})
	}
	g.Result = result(d)
	return g, nil
}

// End is the reason of results. It is empty: the format does not tell how a game
// ended, which package replay finds on the board.
const End game.Reason = ""

func result(d int) *game.Result {
	r := game.Drawn(End, "")
	switch {
	case d > 0:
		r = game.Win(game.First, End, "")
	case d < 0:
		r = game.Win(game.Second, End, "")
	}
	r.HasBoard = true
	r.Board = [2]float64{float64(64+d) / 2, float64(64-d) / 2}
	return &r
}

// Append appends the moves of a game as lower-case squares without blanks,
// passes left out. A game from another position or with other decisions cannot
// be written.
func Append(dst []byte, g *record.Game) ([]byte, error) {
	if err := writable(g); err != nil {
		return dst, err
	}
	for i := range g.Steps {
		m := g.Steps[i].Move
		if m.Op != game.Place {
			continue
		}
		dst = append(dst, 'a'+byte(m.To.X), '1'+byte(m.To.Y))
	}
	return dst, nil
}

func writable(g *record.Game) error {
	if g.Spec != spec || g.Start != "" {
		return errors.New("only games of othello from the initial position can be written as move text")
	}
	for i := range g.Steps {
		switch m := g.Steps[i].Move; {
		case m.Op == game.Pass, m.Op == game.Resign:
		case m.Op != game.Place || !m.To.On(8, 8):
			return fmt.Errorf("the decision %q is no square", m)
		}
	}
	return nil
}
