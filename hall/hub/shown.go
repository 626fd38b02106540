package hub

import "kibitz/game"

// ResultOf is a result as a State has it.
func ResultOf(r game.Result) *Result { return result(r) }

// SaidOf is what an engine reported, as a State has it.
func SaidOf(x *game.Info) *Said { return said(x) }
