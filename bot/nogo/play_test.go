package nogo_test

import (
	"context"
	"slices"
	"testing"
	"time"

	engine "kibitz/bot/nogo"
	"kibitz/clock"
	"kibitz/game"
	rule "kibitz/games/nogo"
	"kibitz/player"
	"kibitz/player/playertest"
)

var (
	board = playertest.Board(rule.Game())
	level = playertest.Levels(engine.New)
)

// series plays games in which none may end otherwise than by a block: nobody has to
// capture.
func series(t *testing.T, spec game.Spec, games int, a, b func(seed uint64) player.Player) (points float64) {
	t.Helper()
	return playertest.Series{
		Table: playertest.Table{Spec: spec}, Board: board, Games: games, A: a, B: b,
		Each: func(t *testing.T, g *playertest.Played) {
			if g.Result.Reason != rule.ByBlocked {
				t.Errorf("a game ended by %s: %s", g.Result.Reason, g.Result.Detail)
			}
		},
	}.Play(t).Points()
}

func TestBeatsRandom(t *testing.T) {
	spec, games, by := game.Spec("nogo:size=9"), 20, 4
	if testing.Short() {
		spec, games, by = "nogo:size=6", 2, 3
	}
	if p := series(t, spec, games, level(by), playertest.Chance); p < float64(games) {
		t.Errorf("%v of %d against random", p, games)
	}
}

func TestStrongerLevelsWin(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many games")
	}
	p := series(t, "nogo:size=7", 12, level(5), level(2))
	t.Logf("%v points of 12", p)
	if p < 9 {
		t.Errorf("level 5 made %v of 12 points against level 2", p)
	}
}

func TestOtherSizes(t *testing.T) {
	for i, spec := range []game.Spec{"nogo:size=2", "nogo:size=3", "nogo:size=5,rulings=sau", "nogo:size=13", "nogo:size=19"} {
		if testing.Short() && i > 2 {
			break
		}
		series(t, spec, 2, level(1), level(2))
	}
}

func TestPlayer(t *testing.T) {
	playertest.Suite{
		New: func() player.Player { return level(9)(3) }, Spec: "nogo:size=9", Position: board,
		Deterministic: true, Thinks: true, Limits: player.Limits{Nodes: 5_000},
	}.Run(t)
}

func place(x, y int) game.Move { return game.PlaceAt(game.Pt(x, y)) }

// The engine follows a start, a history and an undo, and answers the same as one
// that was put there at once.
func TestSamePositionSameAnswer(t *testing.T) {
	ask := func(p player.Player) game.Move {
		t.Helper()
		a, err := p.Choose(context.Background(), &player.Prompt{Seat: game.First})
		if err != nil {
			t.Fatal(err)
		}
		return a.Steps[0]
	}
	tell := func(p player.Player, by game.Seat, m game.Move) {
		p.Tell(&player.Update{By: by, Steps: []game.Move{m}, Ended: true})
	}
	set := player.Setup{Spec: "nogo:size=7", ID: "g", History: []player.Update{
		{By: game.First, Steps: []game.Move{place(3, 3)}}, {By: game.Second, Steps: []game.Move{place(1, 1)}},
	}}
	a, b := level(4)(7), level(4)(7)
	for _, p := range []player.Player{a, b} {
		if err := p.NewGame(context.Background(), &set); err != nil {
			t.Fatal(err)
		}
	}
	want := ask(a)
	tell(b, game.First, place(5, 5))
	tell(b, game.Second, place(0, 6))
	_ = ask(b)
	b.Tell(&player.Update{Rewind: 2})
	if got := ask(b); got != want {
		t.Errorf("after an undo %v, else %v", got, want)
	}
	if got := ask(a); got != want {
		t.Errorf("asked again %v, first %v", got, want)
	}
	c := level(4)(7)
	set.History, set.Start = nil, "......./.w...../......./...b.../......./......./....... b"
	if err := c.NewGame(context.Background(), &set); err != nil {
		t.Fatal(err)
	}
	if got := ask(c); got == (game.Move{}) {
		t.Error("no answer from a start")
	}
}

// Under a clock the engine keeps its tree, whatever the other side answers.
func TestPlaysOnTheClock(t *testing.T) {
	p := level(9)(1)
	b := board()
	if err := b.Reset("nogo:size=6", ""); err != nil {
		t.Fatal(err)
	}
	if err := p.NewGame(context.Background(), &player.Setup{Spec: "nogo:size=6"}); err != nil {
		t.Fatal(err)
	}
	k := clock.New(clock.Control{Turn: 5 * time.Millisecond})
	for b.Turn().Seat != game.Nobody {
		seat := b.Turn().Seat
		var m game.Move
		if seat == game.First {
			a, err := p.Choose(context.Background(), &player.Prompt{Seat: seat, Moves: b, Clocks: [2]clock.Clock{k, k}})
			if err != nil {
				t.Fatal(err)
			}
			m = a.Steps[0]
		} else {
			legal := b.Legal(nil)
			m = legal[b.Len()%len(legal)]
		}
		if !slices.Contains(b.Legal(nil), m) {
			t.Fatalf("%s: %v is not harmless", b.Text(), m)
		}
		if _, err := b.Apply(m); err != nil {
			t.Fatal(err)
		}
		p.Tell(&player.Update{By: seat, Steps: []game.Move{m}, Ended: true, Next: b.Turn()})
	}
	if r, _ := b.Result(); r.Winner() != game.First {
		t.Errorf("lost against moves by the list: %+v", r)
	}
}

func TestAnalysis(t *testing.T) {
	p := level(9)(1)
	a, ok := p.(player.Analyst)
	if !ok {
		t.Fatal("no analyst")
	}
	if err := p.NewGame(context.Background(), &player.Setup{Spec: "nogo:size=4"}); err != nil {
		t.Fatal(err)
	}
	var got []game.Info
	err := a.Analyse(context.Background(), player.Question{Lines: 3, Depth: 2}, func(i game.Info) bool {
		got = append(got, i)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 6 || got[3].Rank != 1 || got[5].Rank != 3 || len(got[3].PV) == 0 || got[3].PV[0] == got[4].PV[0] {
		t.Errorf("%+v", got)
	}
	for _, i := range got {
		if i.Eval.Unit != game.WinChance || i.Eval.Lo < 0 || i.Eval.Lo > 1 {
			t.Errorf("%+v", i)
		}
	}
}
