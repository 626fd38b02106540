package sau_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/game"
	"kibitz/link/linktest"
	"kibitz/player"
	"kibitz/protocol"
)

// TestNewHostRefuses lists what a host cannot be made with.
func TestNewHostRefuses(t *testing.T) {
	dial := linktest.Dialer(t)
	for _, k := range []struct {
		cfg  protocol.Config
		want string
	}{
		{protocol.Config{Dial: dial, Now: time.Now, Dialect: map[string]string{"speed": "1"}}, "has no switch dialect.speed"},
		{protocol.Config{Dial: dial, Now: time.Now, Dialect: map[string]string{"end": "loser"}}, "must be one of bare winner"},
		{protocol.Config{Dial: dial, Now: time.Now, Dialect: map[string]string{"x": ""}}, "must be one character"},
		{protocol.Config{Dial: dial, Now: time.Now, Dialect: map[string]string{"y": "f"}}, "must be one character"},
	} {
		if _, err := forms.NewHost(k.cfg); err == nil || !strings.Contains(err.Error(), k.want) {
			t.Errorf("%v: %v", k.want, err)
		}
	}
}

// TestUnsupported lists set-ups that the protocol cannot say: nothing is started for
// them.
func TestUnsupported(t *testing.T) {
	h, err := forms.NewHost(protocol.Config{Name: "X", Now: time.Now, Dial: linktest.Dialer(t)})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		setup player.Setup
		want  string
	}{
		{player.Setup{Spec: "othello", Width: 8, Height: 8}, "does not play othello"},
		{player.Setup{Spec: "nogo", Width: 9, Height: 9, Start: "x"}, "initial position only"},
		{player.Setup{Spec: "nogo", Width: 9, Height: 9, History: make([]player.Update, 1)}, "initial position only"},
		{player.Setup{Spec: "nogo", Width: 9, Height: 9, Seat: game.Nobody}, "without a seat"},
		{player.Setup{Spec: "nogo", Width: 27, Height: 27}, "more columns or rows"},
	} {
		err := h.NewGame(t.Context(), &k.setup)
		var f *player.Failure
		if !errors.As(err, &f) || f.Reason != game.ByStart || !errors.Is(err, player.ErrUnsupported) || !strings.Contains(f.Detail, k.want) {
			t.Errorf("%+v: %v", k.setup, err)
		}
	}
	if _, can := h.(player.Positioner); can {
		t.Error("the host says that it can start elsewhere")
	}
	if err := h.(player.Suspender).Suspend(); !errors.Is(err, player.ErrUnsupported) {
		t.Errorf("Suspend without a process: %v", err)
	}
}

// TestRewindAborts: nobody has lost when the protocol cannot take back. The process
// is told the end and plays the next game.
func TestRewindAborts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, err := forms.NewHost(protocol.Config{Name: "X", Now: time.Now, Dial: linktest.Dialer(t,
			"> name?\n< name X\n> new black\n< move AA\n> end\n> name?\n< name X\n> new black\n< move BB\n> quit\n")})
		if err != nil {
			t.Fatal(err)
		}
		setup := &player.Setup{Spec: "nogo:size=9", Width: 9, Height: 9}
		choose := func() (player.Answer, error) {
			return h.Choose(t.Context(), &player.Prompt{Turn: game.Turn{Phase: "place"}})
		}
		if err := h.NewGame(t.Context(), setup); err != nil {
			t.Fatal(err)
		}
		a, err := choose()
		if err != nil || len(a.Steps) != 1 || a.Steps[0] != game.PlaceAt(game.Pt(0, 0)) || !a.Whole || !a.Measured || a.Raw != "move AA" {
			t.Fatalf("%+v, %v", a, err)
		}
		h.Tell(&player.Update{Rewind: 1})
		_, err = choose()
		if f, ok := errors.AsType[*player.Failure](err); !ok || f.Reason != game.ByAbort {
			t.Fatal(err)
		}
		h.Over(game.Result{Reason: game.ByAbort})
		if err := h.NewGame(t.Context(), setup); err != nil {
			t.Fatal(err)
		}
		if a, err := choose(); err != nil || a.Steps[0] != game.PlaceAt(game.Pt(1, 1)) {
			t.Fatalf("%+v, %v", a, err)
		}
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestCancelled: a game that is abandoned while the engine starts or thinks ends at
// once and without a verdict.
func TestCancelled(t *testing.T) {
	for name, script := range map[string]string{
		"starting": "> name?\n~ 5s\n",
		"thinking": "> name?\n< name X\n> new black\n~ 5s\n",
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h, err := forms.NewHost(protocol.Config{Name: "X", Now: time.Now, Dial: linktest.Dialer(t, script)})
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				began := time.Now()
				err = h.NewGame(ctx, &player.Setup{Spec: "nogo:size=9", Width: 9, Height: 9})
				if name == "thinking" && err == nil {
					_, err = h.Choose(ctx, &player.Prompt{})
				}
				if f, ok := errors.AsType[*player.Failure](err); !ok || f.Reason != game.ByAbort || time.Since(began) != time.Second {
					t.Errorf("%v after %v", err, time.Since(began))
				}
				h.Over(game.Result{Reason: game.ByAbort})
				if err := h.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// TestSuspend stops and continues the process.
func TestSuspend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, err := forms.NewHost(protocol.Config{Name: "X", Now: time.Now, Dial: linktest.Dialer(t, "> name?\n< name X\n> new white\n> quit\n")})
		if err != nil {
			t.Fatal(err)
		}
		if err := h.NewGame(t.Context(), &player.Setup{Spec: "nogo:size=9", Width: 9, Height: 9, Seat: game.Second}); err != nil {
			t.Fatal(err)
		}
		s := h.(player.Suspender)
		if err := errors.Join(s.Suspend(), s.Resume(), s.Suspend()); err != nil {
			t.Error(err)
		}
		if err := h.Close(); err != nil { // it continues, else quit could not be read
			t.Error(err)
		}
	})
}

// TestEndsOutsideTheBoard: a game that somebody else ends after the opponent's turn
// tells that turn with the end, in one piece.
func TestEndsOutsideTheBoard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, err := forms.NewHost(protocol.Config{Name: "X", Now: time.Now, Dial: linktest.Dialer(t,
			"> name?\n< name X\n> new white\n>\" move BB\\nend\\n\"\n> quit\n!exit 0\n")})
		if err != nil {
			t.Fatal(err)
		}
		setup := &player.Setup{Spec: "nogo:size=9", Width: 9, Height: 9, Seat: game.Second}
		if err := h.NewGame(t.Context(), setup); err != nil {
			t.Fatal(err)
		}
		h.Tell(&player.Update{By: game.First, Steps: []game.Move{game.PlaceAt(game.Pt(1, 1))}, Ended: true, Next: game.Turn{Seat: game.Second}})
		h.Over(game.Drawn(game.ByAdjudication, "the game is long enough"))
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestOptions: what the protocol cannot say is refused and not forgotten.
func TestOptions(t *testing.T) {
	_, err := forms.NewHost(protocol.Config{Now: time.Now, Dial: linktest.Dialer(t), Options: []protocol.Option{{Key: "Hash", Value: "64"}}})
	if err == nil || !strings.Contains(err.Error(), "option.Hash=64: the protocol sau has no words for options") {
		t.Error(err)
	}
}
