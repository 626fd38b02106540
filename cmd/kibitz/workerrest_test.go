package main

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/games"
	"kibitz/match"
	"kibitz/player"
)

// benched returns a built-in engine on a bench.
func benched(t *testing.T, b *bench, id, level string) *resting {
	t.Helper()
	a := &app{now: time.Now}
	r, err := b.seat(game.Spec(id), func() (player.Player, error) { return a.launcher().Bot(id, level, bot.Options{Seed: 1}) })
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Engines that rest after each of their turns play games to their ends by the rules, with
// moves taken back in between.
func TestRestingEngines(t *testing.T) {
	for _, e := range games.All() {
		t.Run(e.ID, func(t *testing.T) {
			r, err := games.Open(e.ID)
			if err != nil {
				t.Fatal(err)
			}
			b := &bench{most: 1}
			g := &match.Game{ID: "g", Rules: r, Now: time.Now, Dealer: dealerFor(r, [32]byte{1}), Policy: match.Policy{MaxMoves: 40, Undo: true}}
			var made [2]int
			for i := range g.Sides {
				p := benched(t, b, e.ID, "1")
				build := p.build
				p.build = func() (player.Player, error) { made[i]++; return build() }
				g.Sides[i] = match.Side{Name: fmt.Sprint(i), Player: p}
			}
			g.Sides[1].Player = &fickle{resting: g.Sides[1].Player.(*resting)}
			o := match.Play(t.Context(), g)
			if w := o.Result.Reason; w == game.ByAbort || w == game.ByIllegal || w == game.ByProtocol || w == game.ByStart || o.Fault != nil {
				t.Errorf("%+v", o.Result)
			}
			if made[0] < 2 || made[1] < 2 || b.awake.Len() > 1 {
				t.Errorf("made again %v times in %d turns, %d are awake", made, o.Turns, b.awake.Len())
			}
			for i := range g.Sides {
				if err := g.Sides[i].Player.Close(); err != nil {
					t.Error(err)
				}
			}
			if b.awake.Len() != 0 {
				t.Error("a closed engine is on the bench")
			}
		})
	}
}

// fickle is an engine that takes a turn back once.
type fickle struct {
	*resting
	turns int
	desk  player.Desk
}

func (f *fickle) Choose(ctx context.Context, q *player.Prompt) (player.Answer, error) {
	a, err := f.resting.Choose(ctx, q)
	if f.turns++; f.turns == 3 {
		f.desk.Act(player.Act{Do: player.AskUndo, Ply: player.LatestTurn}, func(player.Reply) {})
	}
	return a, err
}

func (f *fickle) Attend(d player.Desk) { f.desk = d }
func (f *fickle) CanAnswer() bool      { return false }
func (f *fickle) Asked(player.Asks)    {}

// However many games people think about, no more engines keep their tables than sit awake.
func TestBenchBoundsMemory(t *testing.T) {
	const idle = 300
	b := &bench{most: mostAwake}
	r, err := games.Open("gomoku")
	if err != nil {
		t.Fatal(err)
	}
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	var all []*resting
	for range idle {
		p := benched(t, b, "gomoku", "1")
		g := &match.Game{ID: "g", Rules: r, Now: time.Now, Policy: match.Policy{MaxMoves: 2}}
		for i := range g.Sides {
			g.Sides[i] = match.Side{Name: fmt.Sprint(i), Player: p}
		}
		g.Sides[1].Player = benched(t, b, "gomoku", "1")
		match.Play(t.Context(), g)
		all = append(all, p)
	}
	used := heap() - before
	t.Logf("%d engines that wait hold %d KB each", idle, used/idle>>10)
	if most := int64(mostAwake+1) * 24 << 20; used > most {
		t.Errorf("they hold %d MB, at most %d", used>>20, most>>20)
	}
	runtime.KeepAlive(all)
}
