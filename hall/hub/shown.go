package hub

import "kibitz/hall/live"

// LastFrame is the frame of a game that is over.
func LastFrame(s *live.State) Frame { return newFrame(ID{s.Attempt, s.Seq}, "view", s, true) }
