package sau

import (
	"bytes"

	"kibitz/game"
	"kibitz/record"
)

// Console reads games out of what passed between the platform and engines.
func (l Forms) Console() record.Console {
	return record.Console{Protocol: "SAU", Games: l.Games(), Hear: l.hear}
}

func (l Forms) hear(h *record.Hearing, lines []record.Said) {
	f := l.of(h.Spec)
	for _, s := range lines {
		switch c := parseCommand([]byte(s.Text)); c.word {
		case wordAsk:
			h.Known++
		case wordNew:
			if bytes.EqualFold(c.arg, []byte(argBlack)) || bytes.EqualFold(c.arg, []byte(argWhite)) {
				h.Known++
				h.Begin()
			}
		case wordError:
			if len(c.arg) == 0 {
				h.Back()
			}
		case wordAccept, wordRefuse, wordTake, wordTaked:
			if h.Known > 0 && !f.Hidden {
				h.Fail(s.Line, "%q is a word of Phantom Go", c.word)
			}
		case wordMove:
			if len(c.arg) > 0 && !bytes.EqualFold(c.arg, []byte(argGo)) {
				hearMove(h, f, s.Line, c.arg)
			}
		}
	}
}

// hearMove reads a turn. What stands behind it, and what cannot be read, is a fault only where the
// protocol is spoken.
func hearMove(h *record.Hearing, f *Form, line int, arg []byte) {
	steps, why := f.Argument.read(reading{letters: &Plain, opening: h.Empty(), loose: looseOf(h.Spec)}, arg, nil)
	if why == "" && !wholly(f, h.Empty(), steps, arg) {
		why = "no turn of this game is written as " + clip(arg)
	}
	if why == "" && f.Lone && h.Empty() && len(steps) > 1 {
		why = "the first turn is one stone"
	}
	switch {
	case why == "":
		h.Known++
		h.Turn(line, steps...)
	case h.Known > 0:
		h.Fail(line, "%s", why)
	}
}

// wholly tells that a turn has no more than it is read as, but for a text behind a blank. Some engines
// write a lone first stone without the second.
func wholly(f *Form, first bool, steps []game.Move, arg []byte) bool {
	arg, _, _ = bytes.Cut(arg, []byte{' '})
	if f.Argument.edges {
		return true // their number is told
	}
	return bytes.EqualFold(f.Argument.write(&Plain, nil, steps), arg) || f.Lone && first && len(arg) == 2
}
