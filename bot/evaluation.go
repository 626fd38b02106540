package bot

import "kibitz/game"

// Evaluation returns what the value of a search says to people, and how certain it is:
// the points given, or the turns until the game is decided. A value beyond bound, on
// either side of zero, is that of a decided game: win, less one for each ply until then.
func Evaluation(value, win, bound int, points float64) (game.Eval, game.Bound) {
	switch {
	case value > bound:
		n := float64((win - value + 1) / 2)
		return game.Eval{Unit: game.MateIn, Lo: n, Hi: n}, game.WinLoss
	case value < -bound:
		n := -float64((win + value + 1) / 2)
		return game.Eval{Unit: game.MateIn, Lo: n, Hi: n}, game.WinLoss
	}
	return game.Eval{Unit: game.Points, Lo: points, Hi: points}, game.Searched
}
