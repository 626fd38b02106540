package ponder

import (
	"strings"

	"kibitz/game"
	"kibitz/record"
)

// Console reads games out of what passed between the client and engines. What an engine wants to
// play comes back as what was played, with the time.
func Console() record.Console {
	return record.Console{Protocol: "Ponder", Games: []string{"darkchess"}, Hear: hear}
}

func hear(h *record.Hearing, lines []record.Said) {
	for _, s := range lines {
		f := strings.Fields(s.Text)
		if len(f) < 2 {
			continue
		}
		old := len(f[1]) == 1 // columns and rows, not squares
		switch f[0] {
		case "/start":
			h.Known++
			old := strings.HasPrefix(f[1], "8,") || strings.ContainsAny(f[1][:1], "0123456789")
			st, err := parseStart(strings.Join(f[1:], " "), old)
			if err != nil {
				h.Fail(s.Line, "%v", err)
				continue
			}
			h.Begin()
			if len(st.history) > 0 {
				h.Become(past(h.Spec, s.Line, st.history))
			}
		case "/turn":
			h.Known++
		case "/move", "/flip":
			told := 3 // a ply and the time; less is what an engine asks for
			if old {
				told = map[string]int{"/move": 6, "/flip": 5}[f[0]]
			}
			if len(f) < told {
				continue
			}
			ply, _, _, err := parsePly(s.Text, old)
			if err != nil {
				h.Fail(s.Line, "%v", err)
				continue
			}
			h.Known++
			h.Turn(s.Line, ply...)
		}
	}
}

// past is a game that goes on, up to there.
func past(spec game.Spec, line int, plies [][]game.Move) *record.Game {
	g := &record.Game{Spec: spec, Line: 1}
	for _, ply := range plies {
		for _, m := range ply {
			g.Steps = append(g.Steps, record.Step{By: game.Nobody, Move: m, Line: line})
		}
	}
	return g
}
