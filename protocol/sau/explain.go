package sau

import (
	"fmt"
	"slices"

	"kibitz/game"
)

// Explain names the letters of the board where a point is off it. It names the switch for
// an engine that exchanges columns and rows, if its move would be legal that way, in games
// of pieces: a stone that fits elsewhere proves nothing.
func (h *Host) Explain(raw string, would func([]game.Move) bool) string {
	if h.form == nil {
		return ""
	}
	arg, ok := Find([]byte(raw), wordMove, h.opt.anywhere)
	if !ok {
		return ""
	}
	if text := h.beyond(arg); text != "" || !h.form.Pieces {
		return text
	}
	l := h.opt.letters
	l.Transpose = !l.Transpose
	steps, why := h.form.Argument.read(reading{letters: &l, opening: !h.told, loose: h.loose}, arg, nil)
	if why != "" || !would(steps) {
		return ""
	}
	value := "true"
	if !l.Transpose {
		value = "false"
	}
	return "with columns and rows exchanged it would be legal: dialect.transpose=" + value
}

// beyond says which letters there are, if a point is off the board.
func (h *Host) beyond(arg []byte) string {
	l := &h.opt.letters
	steps, why := h.form.Argument.read(reading{letters: l, opening: !h.told, loose: h.loose}, arg, nil)
	off := func(m game.Move) bool {
		return (m.Op == game.Place || m.Op == game.Shift || m.Op == game.Shoot) && !m.To.On(h.width, h.height) ||
			m.Op == game.Shift && !m.From.On(h.width, h.height)
	}
	if why != "" || !slices.ContainsFunc(steps, off) {
		return ""
	}
	first, last := l.appendPoint(nil, game.Pt(0, 0)), l.appendPoint(nil, game.Pt(h.width-1, h.height-1))
	if first[0] == first[1] && last[0] == last[1] {
		return fmt.Sprintf("both letters go from %c to %c", first[0], last[0])
	}
	return fmt.Sprintf("the first letter goes from %c to %c, the second from %c to %c", first[0], last[0], first[1], last[1])
}
