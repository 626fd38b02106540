package bot_test

import (
	"testing"

	"kibitz/bot"
	"kibitz/game"
)

// A decided game is told by the turns that are left of it, from either side.
func TestEvaluation(t *testing.T) {
	const win, bound = 1000, 900
	for _, c := range []struct {
		value int
		unit  game.Unit
		want  float64
		bound game.Bound
	}{
		{0, game.Points, 7, game.Searched},
		{bound, game.Points, 7, game.Searched},
		{-bound, game.Points, 7, game.Searched},
		{bound + 1, game.MateIn, 50, game.WinLoss},
		{win - 1, game.MateIn, 1, game.WinLoss},
		{win - 2, game.MateIn, 1, game.WinLoss},
		{win - 3, game.MateIn, 2, game.WinLoss},
		{-win + 2, game.MateIn, -1, game.WinLoss},
		{-win + 5, game.MateIn, -3, game.WinLoss},
	} {
		e, b := bot.Evaluation(c.value, win, bound, 7)
		if e != (game.Eval{Unit: c.unit, Lo: c.want, Hi: c.want}) || b != c.bound {
			t.Errorf("%d: %+v, %v", c.value, e, b)
		}
	}
}
