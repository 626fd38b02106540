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

// A record that leaves the folder has the result that counts and says why; its moves stay,
// and one that was annulled is left out as it is.
func TestRule(t *testing.T) {
	var rulings journal.Rulings
	for id, res := range map[string]game.Result{"1": game.Drawn(game.ByAdjudication, "both had a bug"), "2": {Reason: game.ByAbort}} {
		rulings.Add(&journal.Event{Game: id, Kind: journal.KindRuling, Ruling: &journal.Ruling{Result: res, By: "Ada", Note: "both had a bug"}})
	}
	won := game.Win(game.First, "five", "")
	for id, counts := range map[string]bool{"1": true, "2": false, "3": true} {
		g := &record.Game{ID: id, Names: [2]string{"A", "B"}, Comment: "final", Result: &won}
		if got := Rule(g, rulings); got != counts {
			t.Errorf("game %s counts: %v", id, got)
		}
		text, ruled := g.Tag(record.TagRuled)
		switch {
		case id != "1":
			if ruled || g.Comment != "final" || *g.Result != won {
				t.Errorf("%+v", g)
			}
		case text != "draw, Ada: both had a bug" || g.Comment != "final\nruled: "+text || !g.Result.Draw() || g.Result.Reason != game.ByAdjudication:
			t.Errorf("%+v", g)
		}
	}
	if won.Draw() {
		t.Error("the result of the game itself was changed")
	}
}
