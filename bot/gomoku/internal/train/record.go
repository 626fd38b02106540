package main

import (
	"fmt"
	"strings"

	"kibitz/game"
)

// record is a game that was played.
type record struct {
	spec   game.Spec
	result int // 1 if the side with the first stone won, -1 if the other did, 0 for a draw
	stones []stone
}

// stone is a move with what the search said before it, for its side, in points.
type stone struct {
	at    game.Point
	value int
}

// byLot stands in the place of a value where a move was drawn by lot.
const byLot = 1 << 20

// String writes a record in a line.
func (r *record) String() string {
	var b strings.Builder
	fmt.Fprint(&b, r.spec, " ", r.result)
	for _, s := range r.stones {
		fmt.Fprintf(&b, " %d,%d,%d", s.at.X, s.at.Y, s.value)
	}
	return b.String()
}

// parseRecord reads such a line.
func parseRecord(line string) (r record, err error) {
	words := strings.Fields(line)
	if len(words) < 2 {
		return r, fmt.Errorf("%q is no game", line)
	}
	r.spec = game.Spec(words[0])
	if _, err := fmt.Sscan(words[1], &r.result); err != nil {
		return r, fmt.Errorf("result %q: %w", words[1], err)
	}
	for _, w := range words[2:] {
		var x, y, v int
		if _, err := fmt.Sscanf(w, "%d,%d,%d", &x, &y, &v); err != nil {
			return r, fmt.Errorf("move %q: %w", w, err)
		}
		r.stones = append(r.stones, stone{game.Pt(x, y), v})
	}
	return r, nil
}
