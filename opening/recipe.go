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

// usualLevel judges the openings of every game.
const usualLevel = 7

// usual are the recipes by game, without the level. Windows are such that between a tenth
// and a third of the random lines fall into them; a ply is a decision.
func usual() map[string]Usual {
	return map[string]Usual{
		"amazons":      {Recipe: Recipe{Plies: 8, Within: 0.7}, Unit: game.Points},
		"connect6":     {Recipe: Recipe{Plies: 5, Within: 2, Near: 2}, Unit: game.Points},
		"dotsandboxes": {Recipe: Recipe{Plies: 8, Within: 0.2}, Unit: game.Points},
		"gomoku":       {Recipe: Recipe{Plies: 5, Within: 40, Near: 2}, Unit: game.Points},
		"nogo":         {Recipe: Recipe{Plies: 6, Within: 0.02}, Unit: game.WinChance},
		"othello":      {Recipe: Recipe{Plies: 8, Within: 1}, Unit: game.Discs},
		"phantomgo":    {Recipe: Recipe{Plies: 6, Within: 0.03}, Unit: game.WinChance},
		"surakarta":    {Recipe: Recipe{Plies: 8, Within: 0.1}, Unit: game.Points},
	}
}

// UsualOf returns the usual recipe of a game; ok is false for games whose openings
// are dealt (dark chess).
func UsualOf(id string) (u Usual, ok bool) {
	u, ok = usual()[id]
	u.Level = usualLevel
	return u, ok
}
