// Package pos reads openings and positions of five in a row that are bare lists of
// points: pos strings (h8i9g7), the binary .pos files of the renju world, and openings
// as offsets from the centre of the board. It writes the first and the last.
//
// In pos strings letters are columns from the left, the letter i included, and
// numbers are rows counted from the top. Beware of programs that count them from
// the bottom.
package pos

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/record"
)

// MaxSize is the largest board whose columns have a letter each.
const MaxSize = 26

// parse reads a pos string. Capitals, and blanks, commas and semicolons between
// points, are accepted. The error names the column of the fault.
func parse(text string, line int) ([]game.Point, *record.Error) {
	var list []game.Point
	for i := 0; i < len(text); {
		c := text[i]
		if strings.IndexByte(" \t\r\n,;", c) >= 0 {
			i++
			continue
		}
		if c |= 0x20; c < 'a' || c > 'z' {
			return list, record.Errorf(line, i+1, "%q is no column letter: a point is a letter and a row, for example h8", text[i:i+1])
		}
		j := i + 1
		for j < len(text) && j < i+4 && text[j] >= '0' && text[j] <= '9' {
			j++
		}
		row, err := strconv.Atoi(text[i+1 : j])
		if err != nil || row < 1 || row > MaxSize {
			return list, record.Errorf(line, i+1, "%q is no point: the row must be 1 to %d", text[i:j], MaxSize)
		}
		list = append(list, game.Pt(int(c-'a'), row-1))
		i = j
	}
	return list, nil
}

// Append appends the points as a pos string. A point that has no letter is an
// error.
func Append(dst []byte, points []game.Point) ([]byte, error) {
	for _, p := range points {
		if !p.On(MaxSize, MaxSize) {
			return dst, fmt.Errorf("the point %d,%d has no name: columns and rows go from 0 to %d", p.X, p.Y, MaxSize-1)
		}
		dst = append(dst, 'a'+byte(p.X))
		dst = strconv.AppendInt(dst, int64(p.Y)+1, 10)
	}
	return dst, nil
}

// Format returns the points as a pos string, with "?" for a point without a name.
func Format(points []game.Point) string {
	var b []byte
	for _, p := range points {
		var err error
		if b, err = Append(b, []game.Point{p}); err != nil {
			b = append(b, '?')
		}
	}
	return string(b)
}

// Opening is one line of a file of openings.
type Opening struct {
	Points []game.Point
	// Line is where it stands in the file, from 1.
	Line int
}

// Read reads a file with one pos string in each line. Empty lines and lines that
// start with # are passed over; a line that cannot be read, or that names a point
// twice, is left out and reported.
func Read(data []byte) ([]Opening, []*record.Error) {
	return readLines(data, parse, func(points []game.Point, line int) Opening { return Opening{points, line} })
}

// readLines reads a file with one opening of points P in each line.
func readLines[P comparable, O any](
	data []byte, parse func(text string, line int) ([]P, *record.Error), open func(points []P, line int) O,
) (list []O, faults []*record.Error) {
	n := 0
	for line := range bytes.Lines(data) {
		n++
		text := strings.TrimSpace(string(line))
		if n == 1 {
			text = strings.TrimPrefix(text, "\ufeff")
		}
		if text == "" || text[0] == '#' {
			continue
		}
		points, fault := parse(text, n)
		if fault == nil {
			fault = twice(points, n)
		}
		if fault != nil {
			faults = append(faults, fault)
			continue
		}
		list = append(list, open(points, n))
	}
	return list, faults
}

func twice[P comparable](points []P, line int) *record.Error {
	seen := map[P]bool{}
	for i, p := range points {
		if seen[p] {
			return record.Errorf(line, 0, "stone %d is on a point that is taken", i+1)
		}
		seen[p] = true
	}
	return nil
}
