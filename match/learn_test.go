package match_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/match"
	"kibitz/player"
)

// pupil learns games.
type pupil struct {
	*fake
	learned int
	err     error
}

func (p *pupil) Learn(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(p.over) == 0 {
		return errors.New("the game is not over")
	}
	p.learned++
	return p.err
}

// A player that is to learn learns each game that came to a verdict, also one that somebody gave up
// while he was asked; what goes wrong there is a warning.
func TestLearn(t *testing.T) {
	resigns := func() *fake {
		return &fake{choose: func(context.Context, *player.Prompt) (player.Answer, error) {
			return player.Answer{Steps: []game.Move{game.ResignMove()}}, nil
		}}
	}
	for name, tt := range map[string]struct {
		wanted        bool
		err           error
		learned       int
		warned        string
		resigns, stop bool
	}{
		"wanted":       {wanted: true, learned: 1},
		"given up":     {wanted: true, learned: 1, resigns: true},
		"not wanted":   {},
		"fails":        {wanted: true, err: errors.New("disk full"), learned: 1, warned: "A did not learn the game: disk full"},
		"not finished": {wanted: true, stop: true},
	} {
		t.Run(name, func(t *testing.T) {
			p, other := &pupil{fake: &fake{}, err: tt.err}, &fake{}
			if tt.resigns {
				other = resigns()
			}
			g := newGame(p, other)
			g.Sides[0].Learn = tt.wanted
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if tt.stop {
				cancel()
			}
			o := match.Play(ctx, g)
			warned := slices.ContainsFunc(o.Warnings, func(w string) bool { return strings.Contains(w, tt.warned) })
			if p.learned != tt.learned || tt.warned != "" && !warned || tt.warned == "" && len(o.Warnings) > 0 {
				t.Errorf("learned %d, warnings %q, %v", p.learned, o.Warnings, o.Result)
			}
		})
	}
}
