package factory

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
	"kibitz/run/engines"
)

// idling returns a built-in engine of a pool.
func idling(t *testing.T, b *idlePool, id, level string) *idleEngine {
	t.Helper()
	l := &engines.Launcher{Now: time.Now}
	r, err := b.add(game.Spec(id), func() (player.Player, error) { return l.Bot(id, level, bot.Options{Seed: 1}) })
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Engines that are unloaded after each of their turns play games to their ends by the rules, with
// moves taken back in between.
func TestIdleEngines(t *testing.T) {
	for _, e := range games.All() {
		t.Run(e.ID, func(t *testing.T) {
			r, err := games.Open(e.ID)
			if err != nil {
				t.Fatal(err)
			}
			b := &idlePool{limit: 1}
			g := &match.Game{ID: "g", Rules: r, Now: time.Now, Dealer: match.NewDealer(r, [32]byte{1}), Policy: match.Policy{MaxMoves: 40, Undo: true}}
			var made [2]int
			for i := range g.Sides {
				p := idling(t, b, e.ID, "1")
				build := p.build
				p.build = func() (player.Player, error) { made[i]++; return build() }
				g.Sides[i] = match.Side{Name: fmt.Sprint(i), Player: p}
			}
			g.Sides[1].Player = &fickle{idleEngine: g.Sides[1].Player.(*idleEngine)}
			o := match.Play(t.Context(), g)
			if w := o.Result.Reason; w == game.ByAbort || w == game.ByIllegal || w == game.ByProtocol || w == game.ByStart || o.Fault != nil {
				t.Errorf("%+v", o.Result)
			}
			if made[0] < 2 || made[1] < 2 || b.loaded.Len() > 1 {
				t.Errorf("made again %v times in %d turns, %d are loaded", made, o.Turns, b.loaded.Len())
			}
			for i := range g.Sides {
				if err := g.Sides[i].Player.Close(); err != nil {
					t.Error(err)
				}
			}
			if b.loaded.Len() != 0 {
				t.Error("a closed engine is in the pool")
			}
		})
	}
}

// fickle is an engine that takes a turn back once.
type fickle struct {
	*idleEngine
	turns int
	desk  player.Desk
}

func (f *fickle) Choose(ctx context.Context, q *player.Prompt) (player.Answer, error) {
	a, err := f.idleEngine.Choose(ctx, q)
	if f.turns++; f.turns == 3 {
		f.desk.Act(player.Act{Do: player.AskUndo, Ply: player.LatestTurn}, func(player.Reply) {})
	}
	return a, err
}

func (f *fickle) Attend(d player.Desk) { f.desk = d }
func (f *fickle) CanAnswer() bool      { return false }
func (f *fickle) Asked(player.Asks)    {}

// However many games people think about, no more engines keep their tables than are loaded.
func TestIdlePoolBoundsMemory(t *testing.T) {
	const idle = 300
	b := &idlePool{limit: maxLoaded}
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
	var all []*idleEngine
	for range idle {
		p := idling(t, b, "gomoku", "1")
		g := &match.Game{ID: "g", Rules: r, Now: time.Now, Policy: match.Policy{MaxMoves: 2}}
		for i := range g.Sides {
			g.Sides[i] = match.Side{Name: fmt.Sprint(i), Player: p}
		}
		g.Sides[1].Player = idling(t, b, "gomoku", "1")
		match.Play(t.Context(), g)
		all = append(all, p)
	}
	used := heap() - before
	t.Logf("%d engines that wait hold %d KB each", idle, used/idle>>10)
	if most := int64(maxLoaded+1) * 24 << 20; used > most {
		t.Errorf("they hold %d MB, at most %d", used>>20, most>>20)
	}
	runtime.KeepAlive(all)
}
