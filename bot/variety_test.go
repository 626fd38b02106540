package bot_test

import (
	"slices"
	"testing"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/player"
)

// valued reports a line for each of the values of taking one, two, three sticks.
func valued(unit game.Unit, values ...float64) *pile {
	return &pile{think: func(t *bot.Task) player.Answer {
		for i, v := range values[:min(t.Lines, len(values))] {
			t.Report(game.Info{Rank: i + 1, PV: []game.Move{take(i + 1)}, Eval: game.Eval{Unit: unit, Lo: v, Hi: v}})
		}
		return player.Answer{Steps: []game.Move{take(1)}}
	}}
}

// TestVariety checks among which moves is drawn, and how long.
func TestVariety(t *testing.T) {
	for name, tt := range map[string]struct {
		engine *pile
		want   []int
	}{
		"discs":      {valued(game.Discs, 3, 2, 1.9), []int{1, 2}},
		"points":     {valued(game.Points, 3, 2.9, 2.8), []int{1, 2, 3}},
		"chances":    {valued(game.WinChance, 0.6, 0.5, 0.4), []int{1}},
		"decided":    {valued(game.MateIn, 3, 3, 3), []int{1}},
		"no numbers": {valued(game.NoUnit, 0, 0, 0), []int{1}},
		"illegal":    {valued(game.Points, 0, 0, 0, 0), []int{1, 2, 3}},
		"silent":     {&pile{think: func(*bot.Task) player.Answer { return player.Answer{Steps: []game.Move{take(1)}} }}, []int{1}},
	} {
		var early []int
		for seed := range uint64(40) {
			p := start(t, tt.engine, bot.Options{Seed: seed, Variety: 2}, player.Setup{Spec: "pile"})
			for ply := range 4 {
				n := int(choose(t, p, player.Prompt{}).Steps[0].To.X)
				if ply < 2 {
					early = append(early, n)
				} else if n != 1 {
					t.Errorf("%s: ply %d was drawn", name, ply+1)
				}
				tell(p, game.First, 1)
			}
		}
		slices.Sort(early)
		if early = slices.Compact(early); !slices.Equal(early, tt.want) {
			t.Errorf("%s: drawn were %v, want %v", name, early, tt.want)
		}
	}
}
