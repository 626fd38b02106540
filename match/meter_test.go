package match_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/game"
	"kibitz/journal"
	"kibitz/match"
	"kibitz/player"
)

// metered is a player with a process that works in a share of its own thinking time
// and of its opponent's.
type metered struct {
	*fake
	think         time.Duration
	busy, idle    float64
	cpu           time.Duration // before the game
	thought       time.Duration // of the game
	began         time.Time
	peak, reset   int64 // the peak before the game and in it
	unknown, dies bool
}

func (m *metered) NewGame(ctx context.Context, s *player.Setup) error {
	m.cpu += 700 * time.Millisecond // to start
	m.began = time.Now()
	return m.fake.NewGame(ctx, s)
}

func (m *metered) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	time.Sleep(m.think)
	m.thought += m.think
	if m.dies && m.prompts == 2 { // in the third
		return player.Answer{}, player.Fail(game.ByCrash, nil, "gone")
	}
	return m.fake.Choose(ctx, p)
}

func (m *metered) Used() (player.Used, bool) {
	waited := time.Since(m.began) - m.thought
	cpu := m.cpu + time.Duration(m.busy*float64(m.thought)+m.idle*float64(waited))
	return player.Used{CPU: cpu, Peak: m.peak}, !m.unknown
}

func (m *metered) Begin() (player.Used, bool) {
	m.peak = m.reset
	return m.Used()
}

// A game's figures are those of the game: not what it cost to start, not the peak of
// a game before.
func TestResources(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &metered{fake: &fake{}, think: time.Second, busy: 1.5, peak: 900, reset: 50, cpu: time.Hour}
		b := &metered{fake: &fake{}, think: 2 * time.Second, busy: 0.5, reset: 70}
		g := newGame(a, b)
		events := collect(t, g)
		o := match.Play(t.Context(), g)
		want := [2]journal.Resources{{Known: true, CPU: 6 * time.Second, Memory: 50}, {Known: true, CPU: 4 * time.Second, Memory: 70}}
		if o.Resources != want {
			t.Errorf("%+v, want %+v", o.Resources, want)
		}
		if got := fold(t, *events).Result.Resources; got != want {
			t.Errorf("the journal has %+v", got)
		}
		if len(o.Warnings) > 0 {
			t.Errorf("warnings %q", o.Warnings)
		}
	})
}

// named is an engine that calls itself something.
type named struct {
	*fake
	own string
}

func (n *named) EngineName() string { return n.own }

// What an engine calls itself stands in the journal where its seat has another name.
func TestOwnNames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGame(&named{&fake{}, "Muse 2"}, &named{&fake{}, ""})
		g.Sides[1].Player.(*named).own = g.Sides[1].Name
		events := collect(t, g)
		match.Play(t.Context(), g)
		if got := fold(t, *events).Result.Engines; got != [2]string{"Muse 2", ""} {
			t.Errorf("%q", got)
		}
	})
}

// Who has no process, or one that cannot be asked, has no figures; who dies has.
func TestResourcesUnknown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &metered{fake: &fake{}, think: time.Second, busy: 1, dies: true, reset: 5}
		o := match.Play(t.Context(), newGame(a, &metered{fake: &fake{}, unknown: true}))
		mustEnd(t, o, game.Second, game.ByCrash, "gone")
		if want := (journal.Resources{Known: true, CPU: 3 * time.Second, Memory: 5}); o.Resources[0] != want || o.Resources[1].Known {
			t.Errorf("%+v", o.Resources)
		}
		o = match.Play(t.Context(), newGame(&fake{}, &fake{}))
		if o.Resources != [2]journal.Resources{} {
			t.Errorf("%+v", o.Resources)
		}
	})
}

// An engine that works in its opponent's time is told of once a game, unless it may,
// or does so too little for anybody to be sure.
func TestWorksInOpponentsTime(t *testing.T) {
	for _, tt := range []struct {
		name   string
		idle   float64
		think  time.Duration // of the opponent
		ponder bool
		warned bool
	}{
		{"works", 1, time.Second, false, true},
		{"works with eight threads", 8, time.Second, false, true},
		{"may", 1, time.Second, true, false},
		{"tidies up", 0.3, time.Second, false, false},
		{"quick games", 1, 90 * time.Millisecond, false, false},
		{"short games", 1, 150 * time.Millisecond, false, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			a := &metered{fake: &fake{}, think: time.Second, busy: 4, idle: tt.idle}
			g := newGame(a, slow(times(tt.think, 8)...))
			tiny := *g.Rules.(*tiny)
			tiny.size = 16
			g.Rules, g.Sides[0].Ponder = &tiny, tt.ponder
			o := match.Play(t.Context(), g)
			n := 0
			for _, w := range o.Warnings {
				if strings.HasPrefix(w, "A: used ") && strings.Contains(w, "of the opponent's thinking time, although") {
					n++
				}
			}
			if n != len(o.Warnings) || n > 1 || n == 1 != tt.warned {
				t.Errorf("%s: warnings %q", tt.name, o.Warnings)
			}
		})
	}
}

func times(d time.Duration, n int) []time.Duration {
	list := make([]time.Duration, n)
	for i := range list {
		list[i] = d
	}
	return list
}

// A player that ran into a limit before it was ready has lost by that.
func TestLimitAtStart(t *testing.T) {
	a := &fake{newGame: func(context.Context, *player.Setup) error {
		return player.Fail(game.ByResource, nil, "used 512 MB of memory; its limit is 350 MB")
	}}
	o := match.Play(t.Context(), newGame(&fake{}, a))
	mustEnd(t, o, game.First, game.ByResource, "B: used 512 MB")
	a.newGame = func(context.Context, *player.Setup) error { return player.Fail(game.ByCrash, nil, "gone") }
	mustEnd(t, match.Play(t.Context(), newGame(a, &fake{})), game.Second, game.ByStart, "A: gone")
}
