package balanced

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"kibitz/catalog"
	"kibitz/game"
	"kibitz/games"
	"kibitz/opening"
	"kibitz/player"
	"kibitz/rules"
)

func othello(t *testing.T) (rules.Rules, opening.Usual) {
	t.Helper()
	r, err := games.Open("othello")
	if err != nil {
		t.Fatal(err)
	}
	u, ok := catalog.Of(r).Openings.Get()
	if !ok {
		t.Fatal("othello has no openings")
	}
	return r, u
}

// What is not said is what is usual in the game; what cannot be made is refused.
func TestNew(t *testing.T) {
	r, u := othello(t)
	less := func(x float64) *float64 { return &x }
	for _, tt := range []struct {
		count, plies, level int
		within              *float64
		want, fault         string
	}{
		{5, 0, 0, nil, "--count 5 --plies 8 --level 7 --within 1 --seed 7", ""},
		{5, 6, 3, less(0), "--count 5 --plies 6 --level 3 --within 0 --seed 7", ""},
		{0, 0, 0, nil, "", "0 openings: must be from 1 to 1000000"},
		{1_000_001, 0, 0, nil, "", "1000001 openings"},
		{1, -1, 0, nil, "", "-1 plies: must be from 1 to 1000"},
		{1, 1001, 0, nil, "", "1001 plies"},
		{1, 0, 9, nil, "", "level 9: must be from 1 to 8"},
		{1, 0, -1, nil, "", "level -1"},
		{1, 0, 0, less(-1), "", "a window of -1: must be 0 or more"},
	} {
		o, err := New(r, u, tt.count, tt.plies, tt.level, tt.within, 7)
		switch {
		case tt.fault != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.fault)):
			t.Errorf("%+v: %v, want %q", tt, err, tt.fault)
		case tt.fault == "" && err != nil:
			t.Error(err)
		case tt.fault == "" && !strings.Contains(o.command(), tt.want):
			t.Errorf("%s, want %s", o.command(), tt.want)
		}
	}
}

// even takes positions four decisions from the start for even, and counts how many of it are closed.
type even struct {
	player.Player
	plies  int
	closed *int
}

func (e *even) NewGame(_ context.Context, s *player.Setup) error {
	e.plies = len(s.History)
	return nil
}

func (e *even) Analyse(_ context.Context, _ player.Question, tell func(game.Info) bool) error {
	tell(game.Info{Rank: 1, Eval: game.Eval{Unit: game.Discs, Lo: float64(e.plies - 4), Hi: float64(e.plies - 4)}})
	return nil
}

func (e *even) Over(game.Result) {}
func (e *even) Close() error     { *e.closed++; return nil }

// Openings are those within the window, each once, the same from the same seed however many
// engines evaluate; every engine is closed.
func TestMake(t *testing.T) {
	r, u := othello(t)
	made := func(seed uint64, workers int) (moves []string) {
		closed := 0
		o, err := New(r, u, 4, 4, 1, nil, seed)
		if err != nil {
			t.Fatal(err)
		}
		engine := func(int) (player.Player, error) { return &even{closed: &closed}, nil }
		n, err := o.Make(t.Context(), engine, workers, func(opening.Counts) {}, func(b *opening.Balanced) error {
			var text bytes.Buffer
			if err := Print(&text, r, b); err != nil {
				return err
			}
			if line := text.String(); !strings.Contains(line, `"plies":4,"eval":0}`) || Operations(b)[0] != "eval 0.000" {
				t.Errorf("%s %q", line, Operations(b))
			}
			moves = append(moves, text.String())
			return nil
		})
		if err != nil || n.Found != 4 || closed != workers {
			t.Fatal(n, closed, err)
		}
		return moves
	}
	one := made(1, 1)
	if again := made(1, 3); !slices.Equal(one, again) {
		t.Errorf("with one engine %q, with three %q", one, again)
	}
	if other := made(2, 1); slices.Equal(one, other) {
		t.Errorf("another seed makes the same: %q", other)
	}
	slices.Sort(one)
	if len(slices.Compact(one)) != 4 {
		t.Errorf("some are the same: %q", one)
	}
}

// Where an engine cannot be made those before it are closed.
func TestNoEngine(t *testing.T) {
	r, u := othello(t)
	o, err := New(r, u, 1, 4, 1, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	none, closed, asked := errors.New("none"), 0, 0
	_, err = o.Make(t.Context(), func(int) (player.Player, error) {
		if asked++; asked == 3 {
			return nil, none
		}
		return &even{closed: &closed}, nil
	}, 3, nil, nil)
	if !errors.Is(err, none) || closed != 2 {
		t.Errorf("%v, %d closed", err, closed)
	}
}
