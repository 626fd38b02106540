package main

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"kibitz/game"
)

// trafficLine is a line that passed between Kibitz and an engine.
type trafficLine struct {
	seat game.Seat
	at   time.Duration // since the game began
	mark byte          // '>' to the engine, '<' from it, '!' its standard error
	text string
}

// trafficOf reads the log of a game, both engines' lines in the order of time. What
// is not a line of an engine is left out.
func trafficOf(log []byte) []trafficLine {
	var out []trafficLine
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
		out = append(out, trafficLine{seat: seat, at: time.Duration(s * float64(time.Second)), mark: rest[0], text: rest[2:]})
	}
	slices.SortStableFunc(out, func(a, b trafficLine) int { return cmp.Compare(a.at, b.at) })
	return out
}
