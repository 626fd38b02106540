package match_test

import (
	"context"
	"math"
	"testing"

	"kibitz/game"
	"kibitz/match"
	"kibitz/player"
)

// scored returns a player that reports the evaluations in turn, the last for ever.
func scored(unit game.Unit, list ...float64) *fake {
	f := &fake{}
	f.choose = func(_ context.Context, p *player.Prompt) (player.Answer, error) {
		ans := f.first(p)
		v := list[min(f.prompts, len(list))-1]
		if !math.IsNaN(v) {
			ans.Info.Eval = game.Eval{Unit: unit, Lo: v, Hi: v}
		}
		return ans, nil
	}
	return f
}

func TestAdjudication(t *testing.T) {
	nan := math.NaN()
	draw := match.Policy{Draw: match.DrawRule{FromMove: 6, Count: 2, Score: 10}}
	resign := match.Policy{Resign: match.ResignRule{Count: 3, Score: 900}}
	for _, k := range []struct {
		name   string
		policy match.Policy
		a, b   *fake
		winner game.Seat
		why    game.Reason
		turns  int
	}{
		{"both even", draw, scored(game.Points, 5), scored(game.Points, -10), game.Nobody, game.ByAdjudication, 6},
		{"one not", draw, scored(game.Points, 5), scored(game.Points, 11), game.Nobody, "full", 30},
		{"one silent", draw, scored(game.Points, 5), &fake{}, game.Nobody, "full", 30},
		{"interrupted", draw, scored(game.Points, 0, 0, 50, 0, 0), scored(game.Points, 0), game.Nobody, game.ByAdjudication, 9},
		{"book move between", draw, scored(game.Points, 0, 0, nan, 0, 0), scored(game.Points, 0), game.Nobody, game.ByAdjudication, 9},
		{"both agree", resign, scored(game.Points, -1000), scored(game.Points, 950), game.Second, game.ByAdjudication, 6},
		{"only the loser", resign, scored(game.Points, -1000), scored(game.Points, 100), game.Nobody, "full", 30},
		{"the loser alone", match.Policy{Resign: match.ResignRule{Count: 3, Score: 900, Alone: true}}, scored(game.Points, -1000), scored(game.Points, 100), game.Second, game.ByAdjudication, 5},
		{"only the winner", resign, scored(game.Points, -100), scored(game.Points, 1000), game.Nobody, "full", 30},
		{"mates", resign, scored(game.MateIn, 3), scored(game.MateIn, -3), game.First, game.ByAdjudication, 6},
		{"chances", match.Policy{Resign: match.ResignRule{Count: 3, Score: 0.9}}, scored(game.WinChance, 0.04), scored(game.WinChance, 0.96), game.Second, game.ByAdjudication, 6},
		{"even chances", match.Policy{Draw: match.DrawRule{Count: 1, Score: 0.1}}, scored(game.WinChance, 0.53), scored(game.WinChance, 0.47), game.Nobody, game.ByAdjudication, 2},
		{"length", match.Policy{MaxMoves: 12}, &fake{}, &fake{}, game.Nobody, game.ByAdjudication, 12},
	} {
		t.Run(k.name, func(t *testing.T) {
			g := newGame(k.a, k.b)
			g.Rules = &tiny{size: 30, perTurn: 1}
			g.Policy = k.policy
			o := match.Play(t.Context(), g)
			mustEnd(t, o, k.winner, k.why, "")
			if o.Turns != k.turns {
				t.Errorf("%d turns, want %d (%s)", o.Turns, k.turns, o.Result.Detail)
			}
			if k.why == game.ByAdjudication && o.Result.Detail == "" {
				t.Error("no reason given")
			}
		})
	}
}
