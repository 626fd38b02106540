package playertest_test

import (
	"context"
	"slices"
	"testing"

	"kibitz/game"
	"kibitz/player"
	"kibitz/player/playertest"
)

// resigner gives up at once.
type resigner struct{ playertest.Random }

func (*resigner) Choose(context.Context, *player.Prompt) (player.Answer, error) {
	return player.Answer{Steps: []game.Move{{Op: game.Resign}}}, nil
}

// TestSeries wants the points of whoever is asked for, whichever seat it has.
func TestSeries(t *testing.T) {
	var seeds []uint64
	var winners []game.Seat
	s := playertest.Series{
		Table: playertest.Table{Spec: "othello"}, Board: board, Games: 5,
		A:    func(seed uint64) player.Player { seeds = append(seeds, seed); return playertest.NewRandom(seed) },
		B:    func(uint64) player.Player { return &resigner{} },
		Each: func(_ *testing.T, g *playertest.Played) { winners = append(winners, g.Result.Winner()) },
	}
	if got := s.Play(t); got != (playertest.Score{Won: 5}) || got.Points() != 5 {
		t.Errorf("%+v against one who resigns", got)
	}
	if !slices.Equal(seeds, []uint64{0, 1, 2, 3, 4}) || !slices.Equal(winners, []game.Seat{0, 1, 0, 1, 0}) {
		t.Errorf("seeds %d, winners %v", seeds, winners)
	}
	s.A, s.B = s.B, s.A
	if got := s.Play(t); got != (playertest.Score{Lost: 5}) || got.Points() != 0 {
		t.Errorf("%+v of one who resigns", got)
	}
	if p := (playertest.Score{Won: 2, Drawn: 3, Lost: 4}).Points(); p != 3.5 {
		t.Errorf("%v points", p)
	}
}

// named tells the names of its games.
type named struct {
	playertest.Random
	ids *[]string
}

func (n *named) NewGame(_ context.Context, s *player.Setup) error {
	*n.ids = append(*n.ids, s.ID)
	return nil
}

// TestNameless hides the names of games, and nothing else.
func TestNameless(t *testing.T) {
	var ids []string
	p := playertest.Nameless{Player: &named{ids: &ids}}
	for _, id := range []string{"one", "two"} {
		s := player.Setup{ID: id}
		if err := p.NewGame(t.Context(), &s); err != nil || s.ID != id {
			t.Errorf("%v, the caller's set-up is of %q", err, s.ID)
		}
	}
	if len(ids) != 2 || ids[0] != ids[1] {
		t.Errorf("the player has heard of %q", ids)
	}
	if p.CanStart("othello") != player.FromPosition {
		t.Error("the player cannot start where the one behind it can")
	}
	if (playertest.Nameless{Player: struct{ player.Player }{p}}).CanStart("othello") != player.FromNothing {
		t.Error("the player can start where the one behind it cannot")
	}
}
