package player_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/games/othello"
	"kibitz/games/surakarta"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/rules"
)

// told records what a player is told.
type told struct {
	*playertest.Random
	setups  []player.Setup
	history []int
	updates []player.Update
}

func (p *told) NewGame(ctx context.Context, s *player.Setup) error {
	p.setups = append(p.setups, *s)
	p.history = append(p.history, len(s.History))
	return p.Random.NewGame(ctx, s)
}

func (p *told) Tell(u *player.Update) {
	p.updates = append(p.updates, u.Clone())
	p.Random.Tell(u)
}

func newSession(t *testing.T, start string) (*player.Session, *told) {
	t.Helper()
	p := &told{Random: playertest.NewRandom(5)}
	s := &player.Session{Player: p, Now: time.Now, Position: rules.NewBoard(func(s game.Spec) (rules.Rules, error) {
		return rules.Open([]rules.Game{othello.Game()}, string(s))
	})}
	if err := s.NewGame("othello", start); err != nil {
		t.Fatal(err)
	}
	return s, p
}

func moves(t *testing.T, s *player.Session, text string) []game.Move {
	t.Helper()
	var out []game.Move
	for f := range strings.FieldsSeq(text) {
		m, err := s.Position.ParseMove(f)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, m)
	}
	return out
}

func TestSessionTellsOrRestarts(t *testing.T) {
	s, p := newSession(t, "")
	ctx := context.Background()
	step := func(text string) {
		t.Helper()
		if err := s.Play(moves(t, s, text)...); err != nil {
			t.Fatal(err)
		}
	}
	step("f5") // before the player was needed: it becomes history
	if len(p.setups)+len(p.updates) != 0 {
		t.Fatal("the player was bothered too early")
	}
	if _, err := s.Choose(ctx, time.Time{}); err != nil {
		t.Fatal(err)
	}
	if p.setups[0].Seat != game.Second || p.history[0] != 1 || p.setups[0].ToMove != game.First {
		t.Fatalf("first set-up %+v with %d plies", p.setups[0], p.history[0])
	}
	step("d6")
	if u := p.updates[0]; u.By != game.Second || !u.Ended || u.Next.Seat != game.First || u.Used <= 0 {
		t.Fatalf("told %+v", u)
	}
	// Asked for the other seat too, it gets a game without a seat, once.
	for range 3 {
		ans, err := s.PlayTurn(ctx, time.Time{})
		if err != nil || len(ans.Steps) != 1 {
			t.Fatal(ans.Steps, err)
		}
	}
	if len(p.setups) != 2 || p.setups[1].Seat != game.Nobody || p.history[1] != 2 {
		t.Fatalf("%d set-ups, the last %+v", len(p.setups), p.setups[len(p.setups)-1])
	}
	if err := s.Undo(1); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Choose(ctx, time.Time{}); err != nil {
		t.Fatal(err)
	}
	if len(p.setups) != 3 || p.history[2] != 4 || s.Position.Len() != 4 {
		t.Fatalf("after undo: set-ups %d, history %v, position %d", len(p.setups), p.history, s.Position.Len())
	}
}

// What the player thought belongs to the decision that follows in the same game.
func TestSessionForgetsTheTime(t *testing.T) {
	for name, anew := range map[string]func(s *player.Session) error{
		"new game":  func(s *player.Session) error { return s.NewGame("othello", "") },
		"take back": func(s *player.Session) error { return s.Undo(1) },
	} {
		s, _ := newSession(t, "")
		if err := s.Play(moves(t, s, "f5")...); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Choose(t.Context(), time.Time{}); err != nil {
			t.Fatal(err)
		}
		if err := anew(s); err != nil {
			t.Fatal(err)
		}
		if err := s.Play(moves(t, s, "c4")...); err != nil {
			t.Fatal(err)
		}
		if h := s.History(); len(h) != 1 || h[0].Used != 0 {
			t.Errorf("%s: %+v", name, h)
		}
	}
}

func TestSessionRefuses(t *testing.T) {
	s, _ := newSession(t, "")
	for _, text := range []string{"a1", "f5 f4", "f5 d6", ""} {
		if err := s.Play(moves(t, s, text)...); err == nil {
			t.Errorf("%q was accepted", text)
		}
		if s.Position.Len() != 0 || len(s.History()) != 0 {
			t.Fatalf("%q left %d decisions", text, s.Position.Len())
		}
	}
	if err := s.Undo(1); err == nil {
		t.Error("nothing was taken back without complaint")
	}
	if err := s.PassTo(game.Second); err == nil {
		t.Error("Black was passed over although it can move")
	}
	if err := s.PassTo(game.First); err != nil {
		t.Error(err)
	}
}

// Black is to move after White's only reply is a pass.
const passPosition = "-XO----- -------- -------- -------- -------- -------- -------- ------OX X"

func TestSessionPasses(t *testing.T) {
	for _, way := range []string{"left out", "said"} {
		s, _ := newSession(t, passPosition)
		if err := s.Play(moves(t, s, "d1")...); err != nil {
			t.Fatal(err)
		}
		if got := s.Position.Turn().Seat; got != game.Second {
			t.Fatalf("%s: %s is to move", way, got)
		}
		if way == "said" { // a manager may say the pass; it is forced all the same
			if err := s.Play(game.PassMove()); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.PassTo(game.First); err != nil {
			t.Fatal(err)
		}
		h := s.History()
		if len(h) != 2 || !h[1].Forced || h[1].Steps[0].Op != game.Pass {
			t.Fatalf("%s: history %+v", way, h)
		}
		if err := s.Play(moves(t, s, "f8")...); err != nil {
			t.Fatal(err)
		}
		if u := s.History()[2]; u.Result == nil || u.Result.Winner() != game.First {
			t.Fatalf("%s: the end was not told: %+v", way, u)
		}
		if err := s.Play(game.PassMove()); err == nil {
			t.Error("a decision after the end was accepted")
		}
	}
}

// A game that a count has ended goes on if the manager does, and can be taken back to
// either side of that end. The player hears of the end, and is then given the board.
func TestSessionGoesOnBeyondACount(t *testing.T) {
	p := &told{Random: playertest.NewRandom(5)}
	s := &player.Session{Player: p, Now: time.Now, Position: rules.NewBoard(func(s game.Spec) (rules.Rules, error) {
		return rules.Open([]rules.Game{surakarta.Game()}, string(s))
	})}
	if err := s.NewGame("surakarta:nocapture=4", ""); err != nil {
		t.Fatal(err)
	}
	ask := func() {
		t.Helper()
		if a, err := s.Choose(context.Background(), time.Time{}); err != nil || len(a.Steps) != 1 || s.Position.Check(a.Steps[0]) != nil {
			t.Fatalf("%+v, %v", a, err)
		}
	}
	ask()
	for _, m := range moves(t, s, "a5-a4 a2-a3 b5-b4 b2-b3 c5-c4 c2-c3") {
		if err := s.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	text := s.Position.Text()
	if u := p.updates; len(u) != 4 || u[3].Result == nil || u[3].Result.Reason != surakarta.NoCapture {
		t.Fatalf("the player was told %+v", u)
	}
	ask()
	if n := len(p.setups) - 1; n != 1 || p.history[n] != 2 || p.setups[n].Start == "" {
		t.Fatalf("set up again with %+v, %d updates", p.setups[n], p.history[n])
	}
	for _, n := range []int{2, 3} { // back to the end by the count, and before it
		if err := s.Undo(n); err != nil {
			t.Fatal(err)
		}
		ask()
		for _, m := range moves(t, s, "a5-a4 a2-a3 b5-b4 b2-b3 c5-c4 c2-c3")[6-n:] {
			if err := s.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		if got := s.Position.Text(); got != text {
			t.Fatalf("after taking %d back and playing them again: %s, want %s", n, got, text)
		}
	}
}
