package phantomgo_test

import (
	"testing"

	engine "kibitz/bot/phantomgo"
	"kibitz/game"
	rule "kibitz/games/phantomgo"
	"kibitz/player"
	"kibitz/player/playertest"
)

var (
	board = playertest.Board(rule.Game())
	level = playertest.Levels(engine.New)
)

// series plays games and returns the points of the first player and the number of
// games that were too long. No attempt may be made twice in a turn.
func series(t *testing.T, spec game.Spec, games int, a, b func(seed uint64) player.Player) (points float64, long int) {
	t.Helper()
	tried, turn := map[game.Move]bool{}, game.Nobody
	twice := func(p *player.Prompt, a *player.Answer) {
		if p.Again == 0 || p.Seat != turn {
			clear(tried)
		}
		turn = p.Seat
		if m := a.Steps[0]; tried[m] {
			t.Errorf("seat %v: %v was tried twice in one turn, attempt %d of %d", p.Seat, m, p.Again, len(tried))
		}
		tried[a.Steps[0]] = true
	}
	score := playertest.Series{
		Table: playertest.Table{Spec: spec, MaxSteps: 40_000, Inspect: twice}, Board: board, Games: games, A: a, B: b,
		Each: func(_ *testing.T, g *playertest.Played) {
			if g.Result.Reason != rule.ByScore {
				long++
			}
		},
	}.Play(t)
	return score.Points(), long
}

func TestBeatsRandom(t *testing.T) {
	spec, games := game.Spec("phantomgo"), 20
	if testing.Short() {
		spec, games = "phantomgo:size=6", 4
	}
	p, long := series(t, spec, games, level(6), playertest.Chance)
	t.Logf("%v points of %d, %d too long", p, games, long)
	if p < 0.9*float64(games) {
		t.Errorf("%v of %d against random", p, games)
	}
}

func TestStrongerLevelsWin(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many games")
	}
	p, long := series(t, "phantomgo:size=7", 6, level(4), level(1))
	t.Logf("%v points of 6, %d too long", p, long)
	if p < 4 {
		t.Errorf("level 4 made %v of 6 points against level 1", p)
	}
}

func TestOtherSizes(t *testing.T) {
	for i, spec := range []game.Spec{"phantomgo:size=2,komi=0.5", "phantomgo:size=5", "phantomgo:size=13,komi=-3", "phantomgo:size=9,superko=true"} {
		if testing.Short() && i > 1 {
			break
		}
		series(t, spec, 2, level(1), level(1))
	}
}

func TestPlayer(t *testing.T) {
	playertest.Suite{
		New: func() player.Player { return level(9)(3) }, Spec: "phantomgo", Position: board,
		Deterministic: true, Thinks: true, Limits: player.Limits{Nodes: 5_000},
	}.Run(t)
}
