package dctp

import (
	"fmt"
	"strings"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/record"
)

// Console reads games out of what passed between the client and engines. What an engine wants to
// play comes back as what was played.
func Console() record.Console {
	return record.Console{Protocol: "DCTP", Games: []string{"darkchess"}, Hear: hear}
}

func hear(h *record.Hearing, lines []record.Said) {
	for _, s := range lines {
		r, err := ParseRequest(s.Text)
		if err != nil || r.Word != r.Number.String() {
			continue
		}
		h.Known++
		switch r.Word {
		case "reset_board":
			h.Begin()
		case "move":
			m, err := ReadPly([]byte(strings.Join(r.Args, " ")))
			if err != nil {
				h.Fail(s.Line, "%v", err)
				continue
			}
			h.Turn(s.Line, m)
		case "flip":
			steps, err := flipped(r.Args)
			if err != nil {
				h.Fail(s.Line, "%v", err)
				continue
			}
			h.Turn(s.Line, steps...)
		}
	}
}

// flipped are the flip and what came up.
func flipped(args []string) ([]game.Move, error) {
	if len(args) != 2 {
		return nil, fmt.Errorf("flip %s: a square and a piece were due, such as flip a3 G", strings.Join(args, " "))
	}
	return grid.ReadDarkPly(args[0] + "(" + args[1] + ")")
}
