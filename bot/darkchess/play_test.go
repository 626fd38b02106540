package darkchess_test

import (
	"context"
	"testing"
	"time"

	"kibitz/bot"
	engine "kibitz/bot/darkchess"
	"kibitz/bot/random"
	"kibitz/clock"
	"kibitz/game"
	rule "kibitz/games/darkchess"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/rules"
)

func board() player.Position {
	return rules.NewBoard(func(s game.Spec) (rules.Rules, error) {
		return rules.Open([]rules.Game{rule.Game()}, string(s))
	})
}

// score counts games.
type score struct{ won, drawn, lost int }

// series plays games with alternating seats.
func series(t *testing.T, table playertest.Table, games int, a, b func(seed uint64) player.Player) (s score) {
	t.Helper()
	for i := range games {
		seats := [2]player.Player{a(uint64(i)), b(uint64(i))}
		if i%2 == 1 {
			seats[0], seats[1] = seats[1], seats[0]
		}
		table.Position, table.Seed, table.MaxSteps = board(), uint64(i), 10_000
		g, err := table.Play(context.Background(), seats)
		if err != nil {
			t.Fatalf("game %d: %v", i, err)
		}
		switch g.Result.Points[i%2] {
		case 1:
			s.won++
		case 0:
			s.lost++
		default:
			s.drawn++
		}
	}
	t.Logf("%+v", s)
	return s
}

func level(n int) func(uint64) player.Player {
	return func(seed uint64) player.Player {
		return engine.New(bot.Options{Level: n, Seed: seed, Now: time.Now})
	}
}

func chance(seed uint64) player.Player { return random.New(random.Options{Seed: seed}) }

func TestBeatsRandom(t *testing.T) {
	for _, spec := range []game.Spec{"darkchess", "darkchess:noeat=60"} {
		s := series(t, playertest.Table{Spec: spec}, 20, level(3), chance)
		if s.lost > 0 || s.won < 17 {
			t.Errorf("%s: %+v against random", spec, s)
		}
	}
}

func TestStrongerLevelsWin(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many games")
	}
	s := series(t, playertest.Table{Spec: "darkchess"}, 20, level(5), level(1))
	if s.won < 2*s.lost+5 {
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
	var got []game.Info
	err := p.(player.Analyst).Analyse(context.Background(), player.Question{Lines: 3, Depth: 3}, func(i game.Info) bool {
		got = append(got, i)
		return true
	})
	if err != nil || len(got) != 9 {
		t.Fatalf("%d lines, %v", len(got), err)
	}
	for i, info := range got {
		if info.Rank != i%3+1 || info.Depth != i/3+1 || len(info.PV) == 0 {
			t.Errorf("line %d: %+v", i, info)
		}
		if i%3 > 0 && info.Eval.Lo > got[i-1].Eval.Lo {
			t.Errorf("line %d is better than the one before it: %+v", i, info)
		}
	}
}
