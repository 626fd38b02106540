package worker

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/journal"
	"kibitz/player"
)

// musing reports a hundred times, every 10 ms, before it decides.
type musing struct {
	steady
	deaf *bool // it was asked to keep its thoughts
}

func (m *musing) EngineName() string { return "Muse 2" }

func (m *musing) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	for i := range 100 {
		time.Sleep(10 * time.Millisecond)
		if p.Report == nil {
			*m.deaf = true
			continue
		}
		p.Report(&game.Info{Depth: i + 1})
	}
	return m.steady.Choose(ctx, p)
}

// What an engine reports while it thinks is told while it does, at most five times a
// second, and nothing old after its decision; those who may not know are not told, and
// the engine is not asked.
func TestThoughts(t *testing.T) {
	for _, c := range []struct {
		spec  game.Spec
		lines bool
		told  bool
	}{{"othello", true, true}, {"othello", false, false}, {"phantomgo:size=5", true, false}} {
		synctest.Test(t, func(t *testing.T) {
			h := newHall()
			deaf := false
			build := func(ctx context.Context, p *bus.Play) (*Setup, error) {
				out, err := steadySetup(0)(ctx, p)
				out.Sides[0].Player = &musing{deaf: &deaf}
				return out, err
			}
			_, end := start(t, Config{Bus: &line{hall: h}, Build: build, ID: "w"})
			p := bots("g", c.spec)
			p.Lines, p.Console, p.Rules.MaxMoves = c.lines, true, 4
			h.add(p)
			if g := unpacked(t, h.result(t, "g")); g.Engines != [2]string{"Muse 2", ""} {
				t.Errorf("lines %v: the record calls the engines %q", c.lines, g.Engines)
			}
			end()
			if deaf == c.told {
				t.Errorf("%s, lines %v: asked for its thoughts: %v", c.spec, c.lines, !deaf)
			}
			live, depth, most := 0, 0, 0
			for _, l := range h.live[game.Public] {
				ev, err := journal.ParseEvent(l.Line)
				if err != nil {
					t.Fatal(err)
				}
				switch {
				case ev.Said != nil && ev.Said.Live:
					if live++; ev.Said.By != game.First || ev.Said.Info.Depth <= depth || ev.Said.Name != "Muse 2" {
						t.Errorf("%+v after depth %d", ev.Said, depth)
					}
					depth = ev.Said.Info.Depth
				case ev.Decision != nil:
					most, live, depth = max(most, live), 0, 0
				case ev.Said != nil && ev.Said.By == game.First && live > 0:
					t.Error("an old thought stands between the decision and what was said with it")
				}
			}
			if c.told && (most < 4 || most > 5) || !c.told && most > 0 {
				t.Errorf("%s, lines %v: told %d times in a second", c.spec, c.lines, most)
			}
			late, err := h.syncs["g"](game.Public)
			if c.told && err == nil && len(late.Lines) > 40 {
				t.Errorf("who comes late is told all thoughts: %d lines", len(late.Lines))
			}
		})
	}
}
