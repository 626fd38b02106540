package paste

import (
	"slices"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/record"
)

// boards reads what a program for Connect6 prints that draws the board after each turn and says
// "White moved: (I9, J9)". The stone with which the game begins stands on the first board alone.
func boards() record.Console {
	return record.Console{Protocol: "Connect6 with boards", Games: []string{"connect6"}, Hear: hearBoards}
}

var (
	moved    = pattern(`(?:White|Black)\b.*moved: \((\w+)(?:, (\w+))?\)`)
	drawn    = pattern(`^\s*(\d+)((?: \S){5,})\s*$`)
	lettered = pattern(`^([A-Za-z])(\d{1,2})$`)
)

func hearBoards(h *record.Hearing, lines []record.Said) {
	var first []game.Move // of the first board
	var at int
	rows := 0
	for _, s := range lines {
		switch f := drawn().FindStringSubmatch(s.Text); {
		case f != nil && h.Empty() && first == nil:
			row, _ := strconv.Atoi(f[1]) // digits
			if rows++; rows == 1 {
				h.Size(row)
			}
			if x := slices.IndexFunc(strings.Fields(f[2]), func(c string) bool { return c != "-" }); x >= 0 {
				first, at = []game.Move{game.PlaceAt(game.Pt(x, h.Height-row))}, s.Line
			}
		case strings.Contains(s.Text, "GAME STARTED"):
			h.Begin()
			first, rows = nil, 0
		default:
			f := moved().FindStringSubmatch(s.Text)
			if f == nil {
				continue
			}
			h.Known++
			if h.Empty() && first != nil {
				h.Turn(at, first...)
			}
			hearStones(h, s.Line, f[1:])
		}
	}
}

// hearStones reads a turn: a stone, or two.
func hearStones(h *record.Hearing, line int, words []string) {
	var steps []game.Move
	for _, w := range words {
		if w == "" {
			continue
		}
		f := lettered().FindStringSubmatch(w)
		if f == nil {
			h.Fail(line, "%q is no point such as J10", w)
			return
		}
		row, _ := strconv.Atoi(f[2]) // digits
		p := game.Pt(int(f[1][0]|0x20-'a'), h.Height-row)
		if !p.On(h.Width, h.Height) {
			h.Fail(line, "%s is no point of a board of %dx%d", w, h.Width, h.Height)
			return
		}
		steps = append(steps, game.PlaceAt(p))
	}
	h.Turn(line, steps...)
}
