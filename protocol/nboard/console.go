package nboard

import (
	"bytes"
	"errors"

	"kibitz/game"
	"kibitz/record"
	"kibitz/record/ggf"
)

// Console reads games out of what passed between NBoard and engines.
func Console() record.Console {
	return record.Console{Protocol: "NBoard", Games: []string{"othello"}, Hear: hear}
}

func hear(h *record.Hearing, lines []record.Said) {
	// chosen is what an engine answered: it is played if nothing says otherwise.
	var chosen *game.Move
	var at int
	decided := func() {
		if chosen != nil {
			h.Turn(at, *chosen)
			chosen = nil
		}
	}
	for _, s := range lines {
		text := []byte(s.Text)
		switch c := ParseCommand(text); c.Kind {
		case Hello, SetDepth, SetContempt, Ping:
			h.Known++
		case SetGame:
			h.Known++
			decided()
			g, err := ggf.Parse(c.Text)
			if err != nil {
				h.Fail(s.Line, "%s", withoutPlace(err))
				continue
			}
			for i := range g.Steps {
				g.Steps[i].Line, g.Steps[i].Column = s.Line, 0
			}
			h.Become(g)
		case Move:
			if h.Known > 0 && !c.Bare {
				chosen = nil
				h.Turn(s.Line, c.Answer.Move)
			}
		case BadCommand:
			if w, _ := word(bytes.TrimSpace(text)); h.Known > 0 && string(w) == "move" {
				h.Fail(s.Line, "%s is no move: a square such as F5, or PA", clip(c.Text))
			}
		default:
			if r := ParseReply(text); r.Kind == Chosen {
				h.Known++
				if !r.Answer.Valid {
					h.Fail(s.Line, "%s is no move: a square such as F5, or PA", clip(r.Text))
					continue
				}
				chosen, at = &r.Answer.Move, s.Line
			}
		}
	}
	decided()
}

// withoutPlace is what is wrong with a game, without where in its line.
func withoutPlace(err error) string {
	if e, ok := errors.AsType[*record.Error](err); ok {
		return e.Msg
	}
	return err.Error()
}
