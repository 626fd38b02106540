package player_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/games/amazons"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/rules"
)

func amazonsBoard() player.Position {
	return rules.NewBoard(func(s game.Spec) (rules.Rules, error) {
		return rules.Open([]rules.Game{amazons.Game()}, string(s))
	})
}

// answers gives the answers in turn, then legal turns of two decisions.
type answers struct {
	*playertest.Random
	list []player.Answer
}

func (a *answers) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	if len(a.list) == 0 {
		return a.Random.Choose(ctx, p)
	}
	ans := a.list[0]
	a.list = a.list[1:]
	return ans, nil
}

var (
	shift = game.ShiftTo(game.Pt(3, 9), game.Pt(3, 3))
	shot  = game.ShootAt(game.Pt(6, 3))
)

// TestWholeTurns: a session and the table of the player tests hold an answer to be
// the whole turn if it says so, and take an unread one for what it is.
func TestWholeTurns(t *testing.T) {
	for name, k := range map[string]struct {
		answer player.Answer
		want   string
	}{
		"half":   {player.Answer{Steps: []game.Move{shift}, Whole: true}, "turn is not complete"},
		"whole":  {player.Answer{Steps: []game.Move{shift, shot}, Whole: true}, ""},
		"part":   {player.Answer{Steps: []game.Move{shift}}, ""},
		"unread": {player.Answer{Unread: "no letters", Raw: "move 12"}, `"move 12": no letters`},
		"none":   {player.Answer{}, "without a decision"},
	} {
		t.Run(name, func(t *testing.T) {
			p := &answers{Random: playertest.NewRandom(1), list: []player.Answer{k.answer}}
			s := &player.Session{Player: p, Position: amazonsBoard(), Now: time.Now}
			if err := s.NewGame("amazons", ""); err != nil {
				t.Fatal(err)
			}
			a, err := s.PlayTurn(t.Context(), time.Time{})
			judge(t, err, k.want)
			if k.want == "" && (len(a.Steps) != 2 || s.Position.Turn().Seat != game.Second) {
				t.Errorf("%v, then %v", a.Steps, s.Position.Turn())
			}
			p = &answers{Random: playertest.NewRandom(1), list: []player.Answer{k.answer}}
			tb := &playertest.Table{Position: amazonsBoard(), Spec: "amazons", MaxSteps: 4}
			_, err = tb.Play(t.Context(), [2]player.Player{p, playertest.NewRandom(2)})
			judge(t, err, k.want)
		})
	}
}

func judge(t *testing.T, err error, want string) {
	t.Helper()
	if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
		t.Errorf("%v, want %q", err, want)
	}
}
