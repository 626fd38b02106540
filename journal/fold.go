package journal

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"kibitz/game"
)

// Game is a game rebuilt from its events, with what only the arbiter knows.
type Game struct {
	ID       string
	Begun    time.Time
	Start    Start
	Steps    []Step
	Warnings []Warning
	Evidence []Evidence
	// Result is nil while the game runs, or if it was broken off with its run.
	Result *Result
	Over   time.Time
}

// Step is one decision of a rebuilt game, the dealer's and refused attempts
// included.
type Step struct {
	Decision
	At time.Time
	// Said is what the player reported with it, nil if nothing.
	Said *Said
}

// Moves returns the steps that stand, in order, the dealer's included: what a
// state needs to be played through the game.
func (g *Game) Moves() []game.Move {
	var all []game.Move
	for i := range g.Steps {
		if !g.Steps[i].Refused {
			all = append(all, g.Steps[i].Steps...)
		}
	}
	return all
}

// Folder rebuilds games from the events of a journal.
type Folder struct {
	games map[string]*Game
	// steps is how many the latest finished game had: a guess at the next.
	steps int
}

// Add takes an event and returns the game that it ended, nil for any other. The
// folder keeps no finished game and nothing of the event. A game that begins
// again takes the place of its earlier attempt.
func (f *Folder) Add(ev *Event) *Game {
	if ev.Game == "" {
		return nil
	}
	if f.games == nil {
		f.games = map[string]*Game{}
	}
	if ev.Kind == KindStart {
		g := &Game{ID: ev.Game, Begun: ev.Time, Start: *ev.Start}
		if f.steps > 0 {
			g.Steps = make([]Step, 0, min(f.steps, maxRoom))
		}
		f.games[ev.Game] = g
		return nil
	}
	g := f.games[ev.Game]
	if g == nil {
		return nil
	}
	switch ev.Kind {
	case KindDecision:
		d := *ev.Decision
		d.Steps = slices.Clone(d.Steps)
		g.Steps = append(g.Steps, Step{Decision: d, At: ev.Time})
	case KindSaid:
		if n := len(g.Steps); n > 0 && !ev.Said.Live {
			g.Steps[n-1].Said = ev.Said.clone()
		}
	case KindRewind:
		g.rewind(ev.Rewind.Steps)
	case KindWarning:
		g.Warnings = append(g.Warnings, *ev.Warning)
	case KindEvidence:
		e := *ev.Evidence
		e.Lines = slices.Clone(e.Lines)
		g.Evidence = append(g.Evidence, e)
	case KindResult:
		r := *ev.Result
		g.Result, g.Over, f.steps = &r, ev.Time, len(g.Steps)
		delete(f.games, ev.Game)
		return g
	}
	return nil
}

// rewind takes back the latest n steps, and refused attempts among them.
func (g *Game) rewind(n int) {
	for n > 0 && len(g.Steps) > 0 {
		last := &g.Steps[len(g.Steps)-1]
		if k := len(last.Steps); last.Refused || k <= n {
			if !last.Refused {
				n -= k
			}
			g.Steps = g.Steps[:len(g.Steps)-1]
			continue
		}
		last.Steps, last.Ended = last.Steps[:len(last.Steps)-n], false
		n = 0
	}
}

// Running returns the games that have begun and not ended, by identifier.
func (f *Folder) Running() []*Game {
	return slices.SortedFunc(maps.Values(f.games), func(a, b *Game) int { return cmp.Compare(a.ID, b.ID) })
}

func (s *Said) clone() *Said {
	c := *s
	c.Info.PV = slices.Clone(c.Info.PV)
	c.Lines = slices.Clone(c.Lines)
	for i := range c.Lines {
		c.Lines[i].PV = slices.Clone(c.Lines[i].PV)
	}
	return &c
}
