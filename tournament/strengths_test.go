package tournament

import (
	"math"
	"math/rand/v2"
	"testing"

	"kibitz/game"
	"kibitz/rating"
)

// Players of known strength, in tournaments of every format: 95 % of the ratings
// that are found lie within their stated errors, but for what whole tournaments
// scatter.
func TestFormatsFindStrengths(t *testing.T) {
	strength := []float64{-120, -50, 0, 40, 130}
	const advantage = 30.0
	tournaments := 120
	if testing.Short() {
		tournaments = 30
	}
	for i, p := range []Plan{
		{Engines: 5, Games: 40, Rounds: 1},
		{Format: Double, Engines: 5, Games: 20, Rounds: 1},
		{Format: Gauntlet, Engines: 5, Games: 100, Rounds: 1, Seeds: 1},
		{Format: SwissSystem, Engines: 5, Games: 60, Rounds: 5},
		{Format: KnockoutSystem, Engines: 5, Games: 200, Rounds: 1},
		{Format: Pyramid, Engines: 5, Games: 40, Rounds: 1},
		{Format: LadderSystem, Engines: 5, Games: 40, Rounds: 3},
	} {
		r := rand.New(rand.NewPCG(uint64(i), 20261121))
		inside, all := 0, 0
		for range tournaments {
			duels := map[[2]int]*rating.Duel{}
			simulate(NewScheduler(p, DefaultPoints), func(g Pairing) game.Result {
				d := duels[[2]int{g.First, g.Second}]
				if d == nil {
					d = &rating.Duel{First: g.First, Second: g.Second}
					duels[[2]int{g.First, g.Second}] = d
				}
				if r.Float64() < rating.Score(strength[g.First]-strength[g.Second]+advantage) {
					d.Wins++
					return game.Win(game.First, "x", "")
				}
				d.Losses++
				return game.Win(game.Second, "x", "")
			})
			var list []rating.Duel
			for _, d := range duels {
				list = append(list, *d)
			}
			got, err := rating.Field{FitAdvantage: true}.Rate(len(strength), list)
			if err != nil {
				t.Fatal(err)
			}
			for e, elo := range got.Elo {
				all++
				if math.Abs(elo-strength[e]) <= got.Error[e] {
					inside++
				}
			}
		}
		share := float64(inside) / float64(all)
		t.Logf("%s: %.1f %% inside their errors", p.Format, 100*share)
		if limit := 3 * math.Sqrt(0.05*0.95/float64(tournaments)); math.Abs(share-0.95) > limit {
			t.Errorf("%s: %.1f %% of the ratings lie within their 95 %% errors", p.Format, 100*share)
		}
	}
}
