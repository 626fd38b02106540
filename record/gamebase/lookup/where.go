// Package lookup finds positions and games in a game base, and prints what is found as tables
// and as JSON.
package lookup

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/record"
	"kibitz/record/gamebase"
	"kibitz/record/replay"
	"kibitz/rules"
)

// Base is a game base with what makes its positions.
type Base struct {
	*gamebase.Base
	// Name is that of its file.
	Name string
	// Open opens the rules of a game by its text, Load reads the games of a file.
	Open func(text string) (rules.Rules, error)
	Load func(name, spec string) ([]*record.Game, error)
}

// FieldError is what is wrong with one field of a question.
type FieldError struct {
	Field string
	Err   error
}

func (e *FieldError) Error() string { return e.Field + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *FieldError) Unwrap() error { return e.Err }

func (b *Base) openSpec(s game.Spec) (rules.Rules, error) { return b.Open(string(s)) }

// Rules finds the game that is meant: the one named, or the only one of the base.
// A name without options means the only one of that name, if there is one.
func (b *Base) Rules(ctx context.Context, text string) (rules.Rules, error) {
	list, err := b.Specs(ctx)
	if err != nil {
		return nil, err
	}
	var known []string
	for _, s := range list {
		if text == "" || s.Spec.ID() == text {
			known = append(known, string(s.Spec))
		}
	}
	switch {
	case len(known) == 1:
		return b.Open(known[0])
	case text != "":
		return b.Open(text)
	case len(known) == 0:
		return nil, fmt.Errorf("%s holds no game", b.Name)
	}
	return nil, fmt.Errorf("%s holds several games, say which with --game: %s", b.Name, strings.Join(known, "; "))
}

// Holds returns an error if the base has no game under the rules that are asked for.
func (b *Base) Holds(ctx context.Context, spec game.Spec) error {
	list, err := b.Specs(ctx)
	if err != nil {
		return err
	}
	known := make([]string, len(list))
	for i, s := range list {
		if known[i] = string(s.Spec); s.Spec == spec {
			return nil
		}
	}
	if len(known) == 0 {
		return fmt.Errorf("%s holds no game", b.Name)
	}
	return fmt.Errorf("%s holds no game of %s: it holds %s", b.Name, spec, strings.Join(known, "; "))
}

// At says which position of a base is meant: the one after moves from a position or from
// the start, or that of a record.
type At struct {
	// Game is the game with options, "" for the only one of the base.
	Game, Moves, Position, Record string
	// Number is that of the game in the record, from 1; Ply how many decisions of it stand
	// before the position, nil for all.
	Number int
	Ply    *int
}

// Find returns the position and the rules of its game.
func (b *Base) Find(ctx context.Context, w At) (rules.Rules, rules.State, error) {
	if w.Record != "" {
		if w.Moves != "" || w.Position != "" {
			return nil, nil, fmt.Errorf("give either --record, or --position and --moves")
		}
		return b.inRecord(w)
	}
	if w.Ply != nil {
		return nil, nil, fmt.Errorf("--ply goes with --record")
	}
	r, err := b.Rules(ctx, w.Game)
	if err != nil {
		return nil, nil, err
	}
	s, err := rules.Start(r, w.Position)
	if err != nil {
		return nil, nil, &FieldError{"position", err}
	}
	return r, s, playMoves(r, s, w.Moves)
}

// inRecord finds the position in a record.
func (b *Base) inRecord(w At) (rules.Rules, rules.State, error) {
	list, err := b.Load(w.Record, w.Game)
	if err != nil {
		return nil, nil, err
	}
	if w.Number < 1 || w.Number > len(list) {
		return nil, nil, &FieldError{"number", fmt.Errorf("%d: %s has %s", w.Number, w.Record, plain.Count(len(list), "game"))}
	}
	l, err := replay.Play(list[w.Number-1], b.openSpec)
	if err != nil {
		return nil, nil, record.InFile(w.Record, err)
	}
	ply := l.Len()
	if w.Ply != nil {
		ply = *w.Ply
	}
	s, err := l.State(ply)
	if err != nil {
		return nil, nil, &FieldError{"ply", err}
	}
	return l.Rules, s, nil
}

// points are moves written without blanks between them: f5d6, h8i10.
var points = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[a-z][0-9]+|pa(?:ss)?`)
})

// playMoves plays moves in the game's text form, with blanks or commas between them
// or, where each is a point, without. Forced passes may be left out.
func playMoves(r rules.Rules, s rules.State, text string) error {
	words := strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return c == ' ' || c == ',' || c == '\t' })
	for i := 0; i < len(words); i++ {
		m, err := r.ParseMove(words[i])
		if err != nil {
			parts := points().FindAllString(words[i], -1)
			if len(parts) < 2 || strings.Join(parts, "") != words[i] {
				return &FieldError{"moves", err}
			}
			words = append(words[:i:i], append(parts, words[i+1:]...)...)
			i--
			continue
		}
		if f, ok := s.(rules.Forcer); ok && m.Op != game.Pass {
			if pass, must := f.Forced(); must {
				if _, err := s.Apply(pass, nil); err != nil {
					return &FieldError{"moves", err}
				}
			}
		}
		if _, err := s.Apply(m, nil); err != nil {
			return &FieldError{"moves", fmt.Errorf("move %d, %s: %w", i+1, r.FormatMove(m), err)}
		}
	}
	return nil
}
