package pos

import (
	"fmt"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/record"
)

// MaxOffset bounds the numbers of an offset opening: they stay below it.
const MaxOffset = 50

// Offset is the place of a stone relative to the centre of the board, X to the
// right, Y downwards.
type Offset struct{ X, Y int }

// Offsets is one opening of an offset file, black first.
type Offsets struct {
	Stones []Offset
	// Line is where it stands in the file, from 1.
	Line int
}

// parseOffsets reads "dx,dy, dx,dy, ...": whole numbers below 50, separated by
// commas, blanks or both.
func parseOffsets(text string, line int) ([]Offset, *record.Error) {
	var numbers []int
	for i := 0; i < len(text); {
		if strings.IndexByte(" \t\r\n,", text[i]) >= 0 {
			i++
			continue
		}
		j := i
		for j < len(text) && strings.IndexByte(" \t\r\n,", text[j]) < 0 {
			j++
		}
		n, err := strconv.Atoi(text[i:j])
		if err != nil {
			return nil, record.Errorf(line, i+1, "%q is no whole number: an opening is dx,dy, dx,dy and so on", text[i:j])
		}
		if n <= -MaxOffset || n >= MaxOffset {
			return nil, record.Errorf(line, i+1, "%d is too far from the centre: offsets stay below %d", n, MaxOffset)
		}
		numbers = append(numbers, n)
		i = j
	}
	if len(numbers)%2 != 0 {
		return nil, record.Errorf(line, 0, "%d numbers make no pairs: one is missing", len(numbers))
	}
	list := make([]Offset, len(numbers)/2)
	for i := range list {
		list[i] = Offset{numbers[2*i], numbers[2*i+1]}
	}
	return list, nil
}

// ReadOffsets reads a file with one offset opening in each line. Empty lines and
// lines that start with # are passed over; a faulty line is left out and reported.
func ReadOffsets(data []byte) ([]Offsets, []*record.Error) {
	return readLines(data, parseOffsets, func(stones []Offset, line int) Offsets { return Offsets{stones, line} })
}

// Place puts the opening on a board: the centre is half of each side, rounded
// down (7 on 15, 10 on 20). The error names the stone that falls off the board.
func (o Offsets) Place(width, height int) ([]game.Point, error) {
	points := make([]game.Point, len(o.Stones))
	for i, d := range o.Stones {
		x, y := width/2+d.X, height/2+d.Y
		if x < 0 || y < 0 || x >= width || y >= height {
			return nil, record.Errorf(o.Line, 0, "stone %d, at %d,%d from the centre, lies outside the board of %dx%d", i+1, d.X, d.Y, width, height)
		}
		points[i] = game.Pt(x, y)
	}
	return points, nil
}

// OffsetsOf returns the offsets of points on a board, the inverse of Place.
func OffsetsOf(points []game.Point, width, height int) []Offset {
	list := make([]Offset, len(points))
	for i, p := range points {
		list[i] = Offset{int(p.X) - width/2, int(p.Y) - height/2}
	}
	return list
}

// WriteOffsets returns a file with one offset opening in each line. An offset that
// the format cannot hold is an error.
func WriteOffsets(openings []Offsets) ([]byte, error) {
	var b []byte
	for i, o := range openings {
		for j, d := range o.Stones {
			if max(d.X, -d.X, d.Y, -d.Y) >= MaxOffset {
				return nil, fmt.Errorf("opening %d, stone %d: %d,%d is too far from the centre: offsets stay below %d", i+1, j+1, d.X, d.Y, MaxOffset)
			}
			if j > 0 {
				b = append(b, ", "...)
			}
			b = strconv.AppendInt(b, int64(d.X), 10)
			b = append(b, ',')
			b = strconv.AppendInt(b, int64(d.Y), 10)
		}
		b = append(b, '\n')
	}
	return b, nil
}
