package folder

import (
	"testing"

	"kibitz/game"
	"kibitz/journal"
	"kibitz/record"
	"kibitz/tournament"
)

// What counts for ratings is what counts for estimates of the standings.
func TestOverruledLikeStandings(t *testing.T) {
	move := func(by game.Seat, refused bool) record.Step { return record.Step{By: by, Refused: refused} }
	games := [][]record.Step{
		nil, {move(game.Dealer, false)}, {move(game.First, true)}, {move(game.First, false)}, {move(game.First, false), move(game.Second, false)},
	}
	for _, steps := range games {
		plies := 0
		for _, s := range steps {
			if s.By.IsPlayer() && !s.Refused {
				plies++
			}
		}
		for _, res := range []game.Result{
			game.Win(game.First, game.ByAdjudication, ""), game.Win(game.Second, game.ByAdjudication, ""), game.Drawn(game.ByAdjudication, ""),
			game.Win(game.First, game.ByStart, ""), game.Drawn("full", ""),
			{Reason: game.ByAbort},
		} {
			f := tournament.Finished{Result: res, Plies: plies}
			want := f.Unplayed() || res.Points == [2]float64{}
			if got := Overruled(&record.Game{ID: "1", Steps: steps, Result: &res}, journal.Rulings{}); got != want {
				t.Errorf("%d plies, %s: left out %v, want %v", plies, res.Reason, got, want)
			}
		}
	}
}
