package compat

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"kibitz/game"
)

// Line is a line that passed between Kibitz and an engine.
type Line struct {
	Seat game.Seat
	At   time.Duration // since the game began
	Mark byte          // '>' to the engine, '<' from it, '!' its standard error
	Text string
}

// Lines reads the log of a game, both engines' lines in the order of time. What is not a
// line of an engine is left out.
func Lines(log []byte) []Line {
	var out []Line
	seat := game.Seat(-1)
	for line := range bytes.Lines(log) {
		text := strings.TrimRight(string(line), "\r\n")
		if strings.HasPrefix(text, "== ") {
			if seat++; strings.HasPrefix(text, "== evidence") {
				break
			}
			continue
		}
		at, rest, ok := strings.Cut(text, " ")
		s, err := strconv.ParseFloat(at, 64)
		if !ok || err != nil || len(rest) < 2 || !seat.IsPlayer() {
			continue
		}
		out = append(out, Line{Seat: seat, At: time.Duration(s * float64(time.Second)), Mark: rest[0], Text: rest[2:]})
	}
	slices.SortStableFunc(out, func(a, b Line) int { return cmp.Compare(a.At, b.At) })
	return out
}
