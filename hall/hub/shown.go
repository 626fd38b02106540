package hub

import (
	"kibitz/game"
	"kibitz/hall/live"
)

// ResultOf is a result as a State has it.
func ResultOf(r game.Result) *live.Result { return result(r) }

// SaidOf is what an engine reported, as a State has it.
func SaidOf(x *game.Info) *live.Said { return said(x) }

// LastFrame is the frame of a game that is over.
func LastFrame(s *live.State) Frame { return newFrame(ID{s.Attempt, s.Seq}, "view", s, true) }
