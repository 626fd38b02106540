package opening

import "kibitz/game"

// Usual is how balanced openings of a game are made if nobody says otherwise.
type Usual struct {
	Recipe
	// Unit is what the built-in engine reports.
	Unit game.Unit
}

// JudgeLevel is the level of the built-in engine that judges openings, in every game.
const JudgeLevel = 7
