package piskvork_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/game"
	"kibitz/link"
	"kibitz/link/linktest"
	"kibitz/player"
	"kibitz/protocol"
	pv "kibitz/protocol/piskvork"
)

// TestCancelledWhileStartingAnew ends the game while a new process is being
// started in the middle of it, when there is no connection to interrupt: the host
// does not wait for a process that says nothing.
func TestCancelledWhileStartingAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		dial := linktest.Dialer(t,
			">...\n> START 15\n< OK\n>...\n> ABOUT\n< name=\"A\"\n> BEGIN\n< 7,7\n> RESTART\n< ERROR no\n>...\n> END\n",
			">...\n> START 15\n")
		n := 0
		h, err := pv.NewHost(protocol.Config{Name: "brain", Now: time.Now, Dialect: map[string]string{"timeleft": "clock"}, Dial: func(c context.Context) (link.Conn, error) {
			conn, err := dial(c)
			if n++; n == 2 {
				cancel()
				synctest.Wait() // the interrupt has found nothing
			}
			return conn, err
		}})
		if err != nil {
			t.Fatal(err)
		}
		defer h.Close()
		if err := h.NewGame(ctx, &player.Setup{Spec: "gomoku", Width: 15, Height: 15}); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Choose(ctx, &player.Prompt{}); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		_, err = h.Choose(ctx, &player.Prompt{Again: 1})
		var f *player.Failure
		if !errors.As(err, &f) || f.Reason != game.ByAbort {
			t.Errorf("the failure is %v", err)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("the host gave up after %s", took)
		}
	})
}
