package trial

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/game/grid"
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
	f.Cause = t.cause(failed, games)
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

// cause finds what explains the games that failed.
func (t *Trial) cause(failed []played, games int) string {
	first := &failed[0]
	switch {
	case first.out.Result.Reason != game.ByIllegal:
		return t.puzzled(failed)
	case len(first.answer.Steps) == 0:
		return ""
	case first.number > 0 && first.own() == 0:
		return "the first game of its process was right: the next does not begin anew"
	}
	if len(failed) == games {
		if text := t.turned(failed); text != "" {
			return text
		}
	}
	return t.forgotten(first)
}

// way says where an engine exchanges points.
type way uint8

const (
	reads way = iota
	writes
	both
	hears // reads what it is told in a game, but what came before rightly
)

// maps reports whether a step is seen from another side.
func (w way) maps(g *played, step *match.Step) bool {
	own := step.By == g.seat && !step.Opening
	switch w {
	case reads:
		return !own
	case writes:
		return own
	case hears:
		return !own && !step.Opening
	}
	return true
}

func (w way) mapsAnswer() bool { return w == writes || w == both }

// turned names the one side of the board from which all that an engine did was right.
func (t *Trial) turned(failed []played) string {
	if begun := slices.DeleteFunc(slices.Clone(failed), func(g played) bool { return g.own() > 0 }); len(begun) > 0 {
		failed = begun // the clearest: nothing came between the position and the answer
	}
	sides := symmetries(t.Rules)
	side, ways := t.side(failed, sides, t.fits)
	if side == 0 {
		side, ways = t.side(failed, sides, t.fitsPoints)
	}
	fromOne := func(p game.Point) game.Point { return game.Point{X: p.X - 1, Y: p.Y - 1} }
	if side == 0 && !slices.ContainsFunc(failed, func(g played) bool { return !t.fits(&g, fromOne, writes) }) {
		return "it writes moves with points counted from 1 instead of 0"
	}
	return t.sided(side, ways)
}

// puzzled names the one side of the board from which what an engine was told last, before
// it complained, cannot be.
func (t *Trial) puzzled(failed []played) string {
	if len(failed) < 2 || failed[0].out.Result.Reason != game.ByProtocol {
		return ""
	}
	return t.sided(t.side(failed, symmetries(t.Rules), t.impossible))
}

// side returns the one side of the board and the ways that fit all games; 0 if there is
// none or too little was played to tell.
func (t *Trial) side(failed []played, sides []func(game.Point) game.Point,
	fits func(*played, func(game.Point) game.Point, way) bool,
) (side int, ways []string) {
	for i, f := range sides {
		for w := reads; i > 0 && w <= hears; w++ {
			if slices.ContainsFunc(failed, func(g played) bool { return !fits(&g, f, w) }) {
				continue
			}
			if side != 0 && side != i {
				return 0, nil
			}
			if name := [...]string{"reads", "writes", "reads and writes", "reads"}[w]; !slices.Contains(ways, name) {
				ways = append(ways, name)
			}
			side = i
		}
	}
	return side, ways
}

// impossible reports whether an engine that exchanges points in such a way could follow
// a game but for the last that it was told.
func (t *Trial) impossible(g *played, side func(game.Point) game.Point, w way) bool {
	s := t.Rules.New()
	for i, step := range g.out.Steps {
		m := step.Move
		if w.maps(g, &step) {
			m = m.Through(side)
		}
		_, err := s.Apply(m, nil)
		if _, over := s.Result(); err != nil || over {
			return i == len(g.out.Steps)-1 && step.By != g.seat
		}
	}
	return false
}

// sided says on which side of the board an engine is.
func (t *Trial) sided(side int, ways []string) string {
	if side == 0 {
		return ""
	}
	text := fmt.Sprintf("it %s moves with %s", strings.Join(ways, " or "), grid.Side(side, t.fromTop()))
	if slices.Contains(ways, "reads and writes") {
		if name := t.remedy(side); name != "" {
			text += ": " + name + " is for such engines"
		}
	}
	return text
}

// fromTop reports whether the protocol counts the rows of the game from the top.
func (t *Trial) fromTop() bool {
	return t.Protocol.ID == "piskvork" || t.Protocol.ID == "sau" || t.Rules.Spec().ID() == "othello"
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
		m := step.Move
		if w.maps(g, &step) {
			m = m.Through(side)
		}
		if _, err := s.Apply(m, nil); err != nil {
			return false
		}
	}
	return t.legal(s, g.answer.Steps, side, w)
}

// legal reports whether the latest answer could be made.
func (t *Trial) legal(s rules.State, steps []game.Move, side func(game.Point) game.Point, w way) bool {
	for _, m := range steps {
		if w.mapsAnswer() {
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
	try := func(m game.Move, own, mapped bool) bool {
		if m.Op == game.Pass {
			return true
		}
		if m.Op != game.Place {
			return false
		}
		if mapped {
			m = m.Through(side)
		}
		free := !taken[m.To]
		taken[m.To] = true
		return free || !own
	}
	for _, step := range g.out.Steps {
		if !try(step.Move, step.By == g.seat && !step.Opening, w.maps(g, &step)) {
			return false
		}
	}
	return !slices.ContainsFunc(g.answer.Steps, func(m game.Move) bool { return !try(m, true, w.mapsAnswer()) })
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
	case s.By == g.seat && t.Protocol.Returns != "":
		return fmt.Sprintf("its own move %s came back %s and is not kept", name, t.Protocol.Returns)
	case s.By == g.seat:
		return fmt.Sprintf("its own move %s is not kept: an answer has to be made on its own board too", name)
	default:
		return fmt.Sprintf("the opponent's move %s was told and is not kept", name)
	}
}

// Named returns the fault in an error, nil if there is none.
func Named(err error) *Fault {
	if f, ok := errors.AsType[*Fault](err); ok {
		return f
	}
	return nil
}
