package darkchess_test

import (
	"context"
	"testing"
	"time"

	engine "kibitz/bot/darkchess"
	"kibitz/clock"
	"kibitz/game"
	rule "kibitz/games/darkchess"
	"kibitz/player"
	"kibitz/player/playertest"
)

var (
	board = playertest.Board(rule.Game())
	level = playertest.Levels(engine.New)
)

func TestBeatsRandom(t *testing.T) {
	for _, spec := range []game.Spec{"darkchess", "darkchess:noeat=60"} {
		s := playertest.Series{Table: playertest.Table{Spec: spec, MaxSteps: 10_000}, Board: board, Games: 20, A: level(3), B: playertest.Chance}.Play(t)
		if s.Lost > 0 || s.Won < 17 {
			t.Errorf("%s: %+v against random", spec, s)
		}
	}
}

func TestStrongerLevelsWin(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many games")
	}
	s := playertest.Series{Table: playertest.Table{Spec: "darkchess", MaxSteps: 10_000}, Board: board, Games: 20, A: level(5), B: level(1)}.Play(t)
	if s.Won < 2*s.Lost+5 {
		t.Errorf("level 5 against level 1: %+v", s)
	}
}

func TestPlayer(t *testing.T) {
	playertest.Suite{
		New: func() player.Player { return level(9)(3) }, Spec: "darkchess", Position: board,
		Deterministic: true, Limits: player.Limits{Nodes: 500, Depth: 2},
	}.Run(t)
}

// Won endings without anything face down are won against a good defence, from
// either side of the board and with a short count of quiet plies.
func TestDrivesToTheWin(t *testing.T) {
	for start, want := range map[string]game.Seat{ // the seat on turn is the first
		"G---/----/----/----/----/---n/----/-G-- r": game.First,
		"KG--/----/----/----/----/----/----/---m r": game.First,
		"----/-RR-/----/----/----/----/n---/---n b": game.Second,
		"M--M/----/--p-/----/----/-p--/----/---- b": game.Second,
		"----/-g--/----/--C-/----/----/--g-/---- b": game.First,
		"rr--/----/----/----/----/----/NP--/---P r": game.Second,
	} {
		seats := [2]player.Player{level(5)(1), level(5)(2)}
		seats[want] = level(6)(1)
		table := playertest.Table{Position: board(), Spec: "darkchess:noeat=100", Start: start}
		g, err := table.Play(context.Background(), seats)
		if err != nil {
			t.Fatalf("%s: %v", start, err)
		}
		t.Logf("%s: %v %s after %d plies", start, g.Result.Winner(), g.Result.Reason, len(g.Moves))
		if g.Result.Winner() != want {
			t.Errorf("%s: %+v after %d plies", start, g.Result, len(g.Moves))
		}
	}
}

// begin starts a game in the middle.
func begin(t *testing.T, p player.Player) *player.Prompt {
	t.Helper()
	const start = "XXkX/XGpX/X-rX/XXXX/XcXX/XXXX/XPXX/XXXX r hidden=KGMMRRNNCCPPPPggmmrnncppp"
	b := board()
	if err := b.Reset("darkchess", start); err != nil {
		t.Fatal(err)
	}
	setup := player.Setup{ID: "middle", Spec: "darkchess", Start: start, Colours: b.Colours()}
	if err := p.NewGame(context.Background(), &setup); err != nil {
		t.Fatal(err)
	}
	return &player.Prompt{Seat: game.First, Turn: b.Turn(), Moves: b, Colours: b.Colours()}
}

func TestStopsAtOnce(t *testing.T) {
	p := level(9)(1)
	pr := begin(t, p)
	k := clock.New(clock.Control{Turn: time.Hour})
	pr.Clocks = [2]clock.Clock{k, k}
	done := make(chan struct{})
	go func() { // again and again: the first one may come before the search
		for {
			select {
			case <-time.After(30 * time.Millisecond):
				p.Stop()
			case <-done:
				return
			}
		}
	}()
	began := time.Now()
	a, err := p.Choose(context.Background(), pr)
	close(done)
	if took := time.Since(began); err != nil || took < 30*time.Millisecond || took > 10*time.Second {
		t.Errorf("%v, %v after %v instead of 30ms", a.Steps, err, took)
	}
	began = time.Now()
	pr.Deadline = began.Add(50 * time.Millisecond)
	if a, err = p.Choose(context.Background(), pr); err != nil || time.Since(began) > 10*time.Second {
		t.Errorf("%v, %v after %v instead of 50ms", a.Steps, err, time.Since(began))
	}
}

func TestAnalysisShowsLines(t *testing.T) {
	p := level(9)(1)
	begin(t, p)
	playertest.Lines(t, p, 3, 3)
}
