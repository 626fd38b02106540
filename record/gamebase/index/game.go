package index

import (
	"fmt"

	"kibitz/game"
	"kibitz/record"
	"kibitz/record/gamebase"
	"kibitz/record/replay"
	"kibitz/rules"
)

// gameOf makes a game of a base of a replayed record.
func gameOf(l *replay.Line, g *record.Game, source string) gamebase.Game {
	out := gamebase.Game{
		Spec: l.Rules.Spec(), Players: g.Names, Event: g.Event,
		Round: g.Round, Place: g.Place, Date: Day(g.Date), Source: source,
		Result: l.Verdict.Final(),
	}
	if g.Start != "" {
		if s, err := l.State(0); err == nil {
			out.Start = s.Text()
		}
	}
	out.Opening, _ = g.Tag("opening")
	out.Moves = make([]game.Move, 0, len(l.Steps))
	for i := range l.Steps {
		s := &l.Steps[i]
		out.Moves = append(out.Moves, s.Move)
		if s.Refused && out.Refused == nil {
			out.Refused = make([]bool, len(l.Steps))
		}
		if s.Refused {
			out.Refused[i] = true
		}
	}
	return out
}

// Day writes the day of a date with hyphens, so that dates of all formats can
// be compared.
func Day(s string) string {
	if len(s) < 10 {
		return s
	}
	b := []byte(s)
	for i, c := range b[:10] {
		switch {
		case (i == 4 || i == 7) && (c == '.' || c == '/' || c == '-'):
			b[i] = '-'
		case i == 4 || i == 7 || c < '0' || c > '9':
			return s
		}
	}
	return string(b)
}

// Record makes a record of a game of a base, completed by the rules that open finds.
func Record(g *gamebase.Game, open func(game.Spec) (rules.Rules, error)) (*record.Game, error) {
	out := &record.Game{
		ID: fmt.Sprint(g.ID), Spec: g.Spec, Start: g.Start, Names: g.Players, Event: g.Event,
		Round: g.Round, Place: g.Place, Date: g.Date, Result: g.Result,
	}
	if g.Opening != "" {
		out.Tags = append(out.Tags, record.Tag{Key: "opening", Value: g.Opening})
	}
	for i, m := range g.Moves {
		out.Steps = append(out.Steps, record.Step{By: game.Nobody, Move: m, Refused: i < len(g.Refused) && g.Refused[i]})
	}
	l, err := replay.Play(out, open)
	if err != nil {
		return nil, err
	}
	return l.Record(), nil
}

// Lines makes a game of every line of games with variations. Of a line that is
// not the main one the result is not known.
func Lines(list []*record.Game) []*record.Game {
	var out []*record.Game
	for _, g := range list {
		main := *g
		main.Steps = nil
		for _, line := range linesOf(g.Steps) {
			x := main
			x.Steps = line
			out = append(out, &x)
			main.Result = nil
		}
	}
	return out
}

// linesOf returns all lines of a tree, the main one first.
func linesOf(steps []record.Step) [][]record.Step {
	var out [][]record.Step
	plain := make([]record.Step, len(steps))
	for i, s := range steps {
		s.Variations = nil
		plain[i] = s
	}
	if len(steps) > 0 {
		out = append(out, plain)
	}
	for i := range steps {
		for _, v := range steps[i].Variations {
			for _, line := range linesOf(v) {
				out = append(out, append(plain[:i:i], line...))
			}
		}
	}
	return out
}
