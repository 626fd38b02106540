package opening

import "kibitz/game"

// Usual is how balanced openings of a game are made if nobody says otherwise.
type Usual struct {
	Recipe
	// Level is that of the built-in engine which evaluates.
	Level int
	// Unit is what it reports.
	Unit game.Unit
}

// usual are the recipes by game. Windows are such that between a tenth and a third of
// the random lines fall into them; a ply is a decision.
func usual() map[string]Usual {
	return map[string]Usual{
		"amazons":      {Recipe{Plies: 8, Within: 0.7}, 7, game.Points},
		"connect6":     {Recipe{Plies: 5, Within: 2, Near: 2}, 7, game.Points},
		"dotsandboxes": {Recipe{Plies: 8, Within: 0.2}, 7, game.Points},
		"gomoku":       {Recipe{Plies: 5, Within: 40, Near: 2}, 7, game.Points},
		"nogo":         {Recipe{Plies: 6, Within: 0.02}, 7, game.WinChance},
		"othello":      {Recipe{Plies: 8, Within: 1}, 7, game.Discs},
		"phantomgo":    {Recipe{Plies: 6, Within: 0.03}, 7, game.WinChance},
		"surakarta":    {Recipe{Plies: 8, Within: 0.1}, 7, game.Points},
	}
}

// UsualOf returns the usual recipe of a game; ok is false for games whose openings
// are dealt (dark chess).
func UsualOf(id string) (u Usual, ok bool) {
	u, ok = usual()[id]
	return u, ok
}
