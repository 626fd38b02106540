package screen

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/internal/twin"
	"kibitz/journal"
	"kibitz/match"
	"kibitz/player"
	"kibitz/rules"
)

// scriptPlayer plays a script, three seconds a turn, and says aloud what it plays.
type scriptPlayer struct {
	script []twin.Turn
	turn   int
	steps  [1]game.Move
}

func (p *scriptPlayer) NewGame(context.Context, *player.Setup) error { return nil }
func (p *scriptPlayer) Tell(*player.Update)                          {}
func (p *scriptPlayer) Stop()                                        {}
func (p *scriptPlayer) Over(game.Result)                             {}
func (p *scriptPlayer) Close() error                                 { return nil }

func (p *scriptPlayer) Choose(_ context.Context, q *player.Prompt) (player.Answer, error) {
	if p.turn == len(p.script) {
		p.steps[0] = game.ResignMove()
		return player.Answer{Steps: p.steps[:]}, nil
	}
	tries := p.script[p.turn]
	d, n := 3*time.Second, time.Duration(len(tries))
	if q.Again == len(tries)-1 {
		p.turn++
		time.Sleep(d - (n-1)*(d/n))
	} else {
		time.Sleep(d / n)
	}
	p.steps[0] = tries[q.Again]
	said := game.Info{Eval: game.Eval{Unit: game.Points, Lo: float64(tries[q.Again].To.X), Hi: 9}, Depth: 1 + int(tries[q.Again].To.Y), Text: fmt.Sprint(tries)}
	return player.Answer{Steps: p.steps[:], Info: said}, nil
}

// screensOf plays a game and returns all that stood on the screen until it was over,
// in the grid and large, drawn anew whenever something has changed and once a second.
func screensOf(t *testing.T, g *match.Game) (screens []string, o match.Outcome) {
	t.Helper()
	m, _ := newModel(t, string(g.Rules.Spec()), 80, 24)
	live := &liveGames{}
	var controls [2]clock.Control
	for i := range controls {
		controls[i] = g.Sides[i].Clock
	}
	began := time.Now() // the same in each bubble
	m.facts.Began = began
	live.begin(newLiveGame(g.ID, [2]string{"A", "B"}, controls, g.Rules.Doc().Info == rules.Private, began))
	draw := func(at time.Time) {
		all := live.all()
		if all[0].result != nil {
			return
		}
		grid := then(m, frameMsg(frame{at: at, games: all, tally: &Tally{}}))
		large := then(grid, press("tab"))
		screens = append(screens, grid.screen(), large.screen())
	}
	last := began
	g.Sink = func(e *journal.Event) {
		for ; last.Before(e.Time); last = last.Add(time.Second) {
			draw(last)
		}
		before := live.at(e.Game).Load()
		live.event(e, g.Rules)
		if live.at(e.Game).Load() != before {
			draw(e.Time)
		}
	}
	o = match.Play(t.Context(), g)
	return screens, o
}

// Two games of Phantom Go that differ only in what nobody but a seat may know, its
// points, its refused attempts, its evaluations, look the same on the screen as long
// as they go on.
func TestTwins(t *testing.T) {
	r := open(t, "phantomgo:size=5,maxplies=40")
	control, err := clock.Parse("600+1")
	if err != nil {
		t.Fatal(err)
	}
	different := 0
	for seed := range uint64(4) {
		watched := game.Seat(seed % 2)
		a, b, stats, err := twin.Pair(r, watched, 40, seed)
		if err != nil {
			t.Fatal(err)
		}
		different += stats.Other + stats.Refused
		play := func(script *twin.Game) (screens []string) {
			synctest.Test(t, func(t *testing.T) {
				g := &match.Game{ID: "000001", Rules: r, Now: time.Now, Views: true}
				for s := range g.Sides {
					g.Sides[s] = match.Side{Player: &scriptPlayer{script: script.Seats[s]}, Clock: control}
				}
				screens, _ = screensOf(t, g)
			})
			return screens
		}
		one, two := play(&a), play(&b)
		compareScreens(t, one, two)
		for _, s := range one {
			if !strings.Contains(s, "hidden") || strings.Contains(s, "thinks") {
				t.Fatalf("evaluations are shown:\n%s", s)
			}
		}
	}
	if different < 20 {
		t.Errorf("the games differ in %d decisions and attempts only", different)
	}
}

func compareScreens(t *testing.T, one, two []string) {
	t.Helper()
	if len(one) < 10 || len(one) != len(two) {
		t.Fatalf("%d and %d screens", len(one), len(two))
	}
	for i := range one {
		if one[i] != two[i] {
			t.Fatalf("a difference is seen:\n%s\nand\n%s", one[i], two[i])
		}
	}
}

// Games of dark chess from shuffles that turn up the same so far look the same,
// whatever lies under the others.
func TestDarkChess(t *testing.T) {
	r := open(t, "darkchess")
	turns := []twin.Turn{}
	for _, at := range []string{"a1", "b1"} {
		m, err := r.ParseMove(at + "-" + at)
		if err != nil {
			t.Fatal(err)
		}
		turns = append(turns, twin.Turn{m})
	}
	scripts := [2][]twin.Turn{turns[:1], turns[1:]}
	shown := map[string][][]string{}
	for i := range 60 {
		synctest.Test(t, func(t *testing.T) {
			g := &match.Game{ID: "000001", Rules: r, Now: time.Now, Views: true, Dealer: r.(rules.Shuffler).Shuffle([32]byte{byte(i)})}
			for s := range g.Sides {
				g.Sides[s] = match.Side{Player: &scriptPlayer{script: scripts[s]}}
			}
			screens, o := screensOf(t, g)
			up := ""
			for _, s := range o.Steps {
				up += r.FormatMove(s.Move) + " "
			}
			shown[up] = append(shown[up], screens)
		})
	}
	compared := 0
	for _, list := range shown {
		for _, other := range list[1:] {
			compareScreens(t, list[0], other)
			compared++
		}
	}
	if compared < 3 {
		t.Errorf("only %d games begin alike", compared)
	}
}

// A warning is shown once no game runs that may have caused it and hides something.
func TestReadable(t *testing.T) {
	list := []warning{{"one", 1}, {"two\x1b[2J", 2}, {"three", 3}}
	games := func(private bool, running ...int) (out []*liveGame) {
		for i := 1; i <= 3; i++ {
			g := &liveGame{order: i, private: private, result: &game.Result{}}
			for _, n := range running {
				if n == i {
					g.result = nil
				}
			}
			out = append(out, g)
		}
		return out
	}
	for _, c := range []struct {
		games []*liveGame
		want  string
		held  int
	}{
		{nil, "[one two [2J three]", 0},
		{games(false, 1, 2, 3), "[one two [2J three]", 0},
		{games(true, 1, 3), "[]", 3},
		{games(true, 2, 3), "[one]", 2},
		{games(true, 3), "[one two [2J]", 1},
		{games(true), "[one two [2J three]", 0},
	} {
		if got, held := readable(list, c.games); fmt.Sprint(got) != c.want || held != c.held {
			t.Errorf("%v, %d held instead of %s, %d", got, held, c.want, c.held)
		}
	}
}

// Of the games that are over a few are kept, of those that run all; a game that is
// begun again takes the place of the broken one.
func TestLiveGamesForget(t *testing.T) {
	r := open(t, "othello")
	l := &liveGames{}
	for i := range 200 {
		l.begin(newLiveGame(gameID(i+1), [2]string{}, [2]clock.Control{}, false, screenNow))
		if i%10 != 0 {
			l.event(&journal.Event{Game: gameID(i + 1), To: game.Public, Kind: journal.KindResult, Result: &journal.Result{}}, r)
		}
	}
	l.begin(newLiveGame(gameID(1), [2]string{}, [2]clock.Control{}, false, screenNow))
	running := 0
	for _, g := range l.all() {
		if g.result == nil {
			running++
		}
	}
	if running != 20 || len(l.all()) > 20+mostOver+1 || l.count() != 201 {
		t.Errorf("%d of %d games run, %d began", running, len(l.all()), l.count())
	}
	l.event(&journal.Event{Game: "gone", To: game.Public, Kind: journal.KindResult, Result: &journal.Result{}}, r)
}
