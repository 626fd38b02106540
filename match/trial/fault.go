package trial

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/match"
	"kibitz/rules"
)

// Fault is what was found in the games of a trial.
type Fault struct {
	// Cause is what explains it, empty if nothing known does.
	Cause string
	// Failed of Games games were lost by a fault of the engine, the first of them for
	// Reason, with the words of a match.
	Failed, Games int
	Reason        game.Reason
	Where, Detail string
}

// Error implements error.
func (f *Fault) Error() string {
	text := fmt.Sprintf("%s: a match is lost by %s: %s", f.Where, f.Reason, f.Detail)
	if f.Games > 1 {
		text += fmt.Sprintf(" (%d of %d games)", f.Failed, f.Games)
	}
	if f.Cause != "" {
		return f.Cause + ". " + text
	}
	return text
}

// fault says what games that failed have in common.
func (t *Trial) fault(failed []played, games int) *Fault {
	g := &failed[0]
	f := &Fault{Failed: len(failed), Games: games, Reason: g.out.Result.Reason, Detail: strings.TrimPrefix(g.out.Result.Detail, "engine: ")}
	f.Where = fmt.Sprintf("at its move %d", g.own()+1)
	if n := len(g.line.moves); n > 0 {
		f.Where += fmt.Sprintf(" after a line of %d plies", n)
	}
	f.Cause = t.cause(failed)
	return f
}

// own counts the engine's decisions that stood.
func (g *played) own() int {
	n := 0
	for _, s := range g.out.Steps {
		if s.By == g.seat && !s.Opening && !s.Forced {
			n++
		}
	}
	return n
}

// cause finds what explains all games that failed by an illegal answer.
func (t *Trial) cause(failed []played) string {
	failed = slices.DeleteFunc(slices.Clone(failed), func(g played) bool {
		return g.out.Result.Reason != game.ByIllegal || len(g.answer.Steps) == 0
	})
	if len(failed) == 0 {
		return ""
	}
	if text := t.turned(failed); text != "" {
		return text
	}
	for i := range failed {
		if text := t.forgotten(&failed[i]); text != "" {
			return text
		}
	}
	return ""
}

// sides names the other sides of a board in the order of grid.Symmetries.
var sides = []string{
	"", "columns are counted from the wrong side", "rows are counted from the wrong end", "columns and rows are counted from the wrong end",
	"x and y are exchanged", "the board is turned", "the board is turned", "x and y are exchanged, and both counted from the wrong end",
}

// way says where an engine exchanges points.
type way uint8

const (
	reads way = iota
	writes
	both
)

// turned names the one side of the board from which all that an engine did was right.
func (t *Trial) turned(failed []played) string {
	side, ways := 0, []string(nil)
	for i, f := range symmetries(t.Rules) {
		if i == 0 {
			continue
		}
		for w := reads; w <= both; w++ {
			fits := func(g played) bool { return t.fits(&g, f, w) }
			if !slices.ContainsFunc(failed, func(g played) bool { return !fits(g) }) {
				if side != 0 && side != i {
					return "" // too little was played to tell
				}
				side, ways = i, append(ways, []string{"reads", "writes", "reads and writes"}[w])
			}
		}
	}
	if side == 0 {
		return ""
	}
	text := sides[side] + " in what it " + strings.Join(ways, " or ")
	if slices.Contains(ways, "reads and writes") {
		if name := t.remedy(side); name != "" {
			text += ": " + name + " is for such engines"
		}
	}
	return text
}

// remedy is the switch for an engine that sees the board from another side.
func (t *Trial) remedy(side int) string {
	for _, d := range t.Protocol.Dialects {
		switch {
		case d.Key == "transpose" && side == 4:
			return "dialect.transpose=true"
		case d.Key == "rows" && side == 2:
			return "dialect.rows"
		}
	}
	return ""
}

// fits reports whether an engine that exchanges points in such a way would have thought
// everything legal that it answered.
func (t *Trial) fits(g *played, side func(game.Point) game.Point, w way) bool {
	s := t.Rules.New()
	for _, step := range g.out.Steps {
		own := step.By == g.seat && !step.Opening
		m := step.Move
		if w == both || own == (w == writes) {
			m = m.Through(side)
		}
		if _, err := s.Apply(m, nil); err != nil {
			return t.fitsPoints(g, side, w)
		}
	}
	return t.legal(s, g.answer.Steps, side, w)
}

// legal reports whether the latest answer could be made.
func (t *Trial) legal(s rules.State, steps []game.Move, side func(game.Point) game.Point, w way) bool {
	for _, m := range steps {
		if w != reads {
			m = m.Through(side)
		}
		if _, err := s.Apply(m, nil); err != nil {
			return false
		}
	}
	return true
}

// fitsPoints is fits for games of stones alone, in which an engine may have gone on from
// a board that cannot be: no point that it answered was taken for it.
func (t *Trial) fitsPoints(g *played, side func(game.Point) game.Point, w way) bool {
	taken := map[game.Point]bool{}
	try := func(m game.Move, own bool) bool {
		if m.Op == game.Pass {
			return true
		}
		if m.Op != game.Place {
			return false
		}
		if w == both || own == (w == writes) {
			m = m.Through(side)
		}
		free := !taken[m.To]
		taken[m.To] = true
		return free || !own
	}
	for _, step := range g.out.Steps {
		if !try(step.Move, step.By == g.seat && !step.Opening) {
			return false
		}
	}
	return !slices.ContainsFunc(g.answer.Steps, func(m game.Move) bool { return !try(m, true) })
}

// forgotten names what the engine seems not to have kept.
func (t *Trial) forgotten(g *played) string {
	steps, answer := g.out.Steps, g.answer.Steps[len(g.answer.Steps)-1]
	for _, m := range g.answer.Steps {
		if slices.ContainsFunc(steps, func(s match.Step) bool { return s.Move == m }) {
			answer = m
		}
	}
	last := len(steps) - 1
	if last >= 0 && steps[last].Move.Op == game.Pass && steps[last].By != g.seat {
		return "a pass that it is told does not give it the turn"
	}
	i := -1
	for k := range steps {
		if steps[k].Move == answer && (answer.Op == game.Place || answer.Op == game.Edge || answer.Op == game.Flip) {
			i = k
		}
	}
	if i < 0 {
		return ""
	}
	name := t.Rules.FormatMove(answer)
	switch s := steps[i]; {
	case s.Opening:
		return fmt.Sprintf("%s was told before the game began, and is not kept", name)
	case s.By == g.seat:
		return fmt.Sprintf("its own move %s is not kept: an answer has to be made on its own board too", name)
	default:
		return fmt.Sprintf("the opponent's move %s was told and is not kept", name)
	}
}

// Named returns the fault in an error, nil if there is none.
func Named(err error) *Fault {
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	return nil
}
