package sau

import "kibitz/game"

// Explain names the switch for an engine that exchanges columns and rows, if its move
// would be legal that way, in games of pieces: a stone that fits elsewhere proves nothing.
func (h *Host) Explain(raw string, would func([]game.Move) bool) string {
	if h.form == nil || !h.form.Pieces {
		return ""
	}
	l := h.opt.letters
	l.Transpose = !l.Transpose
	arg, ok := Find([]byte(raw), wordMove, h.opt.anywhere)
	if !ok {
		return ""
	}
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
