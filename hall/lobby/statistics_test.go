package lobby

import (
	"reflect"
	"testing"

	"kibitz/game"
	"kibitz/hall/store"
)

// Each player is counted in each seat, with what was lost otherwise than on the board.
func TestCountSides(t *testing.T) {
	ann, bot := store.Seat{Name: "ann", User: 7}, store.Seat{Name: "Level 2", Engine: "bot=2"}
	play := func(first, second store.Seat, plies int, s float64, r game.Result) store.Game {
		return store.Game{Seats: [2]store.Seat{first, second}, Plies: plies, Seconds: [2]float64{s, 2 * s}, Result: r}
	}
	got := countSides([]store.Game{
		play(ann, bot, 60, 10, game.Win(game.First, "discs", "")),
		play(ann, bot, 20, 30, game.Win(game.Second, game.ByTime, "")),
		play(bot, ann, 40, 5, game.Drawn("discs", "")),
		play(bot, ann, 10, 5, game.Win(game.First, game.ByResign, "")),
		play(bot, ann, 10, 5, game.Result{Reason: game.ByAbort}),
	})
	none := map[string]int{}
	want := []SideStats{
		{Name: "Level 2", Engine: "bot=2", Seat: 0, Games: 3, Wins: 1, Draws: 1, Plies: 20, Seconds: 5, Forfeits: none},
		{Name: "Level 2", Engine: "bot=2", Seat: 1, Games: 2, Wins: 1, Losses: 1, Plies: 40, Seconds: 40, Forfeits: none},
		{Name: "ann", User: 7, Seat: 0, Games: 2, Wins: 1, Losses: 1, Plies: 40, Seconds: 20, Forfeits: map[string]int{"time": 1}},
		{Name: "ann", User: 7, Seat: 1, Games: 3, Draws: 1, Losses: 1, Plies: 20, Seconds: 10, Forfeits: none},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}
