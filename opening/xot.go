package opening

import (
	"bytes"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/record"
)

// ReadXOT calls f for each line of a list of Othello openings as the XOT program
// and its relatives use them: squares behind each other in any case, eight of them
// in the published lists, alone on the line or in a column among others. Columns are
// parted by blanks, tabs, commas, semicolons or bars. Columns of numbers are
// evaluations or numbers of the line, the others its name. Comments begin with #.
// The record is valid during the call only.
func ReadXOT(data []byte, f func(*record.Game) error) error {
	var g record.Game
	n := 0
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		n++
		text := strings.TrimPrefix(string(line), "\ufeff")
		if t := strings.TrimSpace(text); t == "" || t[0] == '#' {
			continue
		}
		g = record.Game{Spec: "othello", Line: n, Steps: g.Steps[:0]}
		if err := xotLine(text, n, &g); err != nil {
			return err
		}
		if err := f(&g); err != nil {
			return err
		}
	}
	return nil
}

// LooksXOT reports whether a line is one that ReadXOT knows and that is more than
// bare squares and words: its columns hold squares in one piece, and numbers.
func LooksXOT(line string) bool {
	squares, numbers := 0, 0
	for _, c := range columns(line) {
		switch {
		case len(c.text) >= 4 && isSquares(c.text):
			squares++
		case isNumber(c.text):
			numbers++
		}
	}
	return squares == 1 && numbers > 0
}

// column is a part of a line with its place, from 0.
type column struct {
	text string
	at   int
}

func columns(line string) []column {
	const parts = " \t\r,;|"
	var out []column
	for i := 0; i < len(line); {
		if strings.IndexByte(parts, line[i]) >= 0 {
			i++
			continue
		}
		j := i
		for j < len(line) && strings.IndexByte(parts, line[j]) < 0 {
			j++
		}
		out = append(out, column{line[i:j], i})
		i = j
	}
	return out
}

func isSquares(text string) bool {
	if len(text) == 0 || len(text)%2 != 0 {
		return false
	}
	for i := 0; i < len(text); i += 2 {
		if c := text[i] | 0x20; c < 'a' || c > 'h' || text[i+1] < '1' || text[i+1] > '8' {
			return false
		}
	}
	return true
}

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

// xotLine reads the squares of a line; words that are neither squares nor numbers
// are its name.
func xotLine(line string, n int, g *record.Game) error {
	var words []string
	list := columns(line)
	for _, c := range list {
		switch {
		case isSquares(c.text):
			for i := 0; i < len(c.text); i += 2 {
				p := game.Pt(int(c.text[i]|0x20-'a'), int(c.text[i+1]-'1'))
				g.Steps = append(g.Steps, record.Step{By: game.Nobody, Move: game.PlaceAt(p), Line: n, Column: c.at + i + 1})
			}
		case !isNumber(c.text):
			words = append(words, c.text)
		}
	}
	if len(g.Steps) == 0 {
		at := 0
		if len(list) > 0 {
			at = list[0].at
		}
		return record.Errorf(n, at+1, "no column of this line holds squares: write them behind each other, for example f5d6c3d3")
	}
	if len(words) > 0 {
		g.Tags = append(g.Tags, record.Tag{Key: TagName, Value: strings.Join(words, " ")})
	}
	return nil
}
