package piskvork_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/bot"
	"kibitz/bot/gomoku"
	"kibitz/link"
	"kibitz/link/linktest"
	"kibitz/protocol"
	pv "kibitz/protocol/piskvork"
)

// TestChecksOnOwnEngine holds the engine side to every requirement and every piece
// of advice.
func TestChecksOnOwnEngine(t *testing.T) {
	spec := canonical(t, "gomoku:rule=renju")
	dial := func(ctx context.Context) (link.Conn, error) {
		ours, theirs := link.Pipe()
		go func() {
			p := gomoku.New(bot.Options{Level: 2, Now: time.Now})
			_ = pv.Serve(context.WithoutCancel(ctx), theirs, protocol.Server{Player: p, Position: board(), Now: time.Now, Name: "Own", Game: spec})
			_ = theirs.Close()
			_ = p.Close()
		}()
		return ours, nil
	}
	seen := map[string]bool{}
	protocol.RunChecks(t.Context(), protocol.Config{Dial: dial, Now: time.Now}, time.Second, pv.Checks(spec), func(f protocol.Finding) {
		if seen[f.Check.ID] || f.Check.Requirement == "" || f.Check.Source == "" {
			t.Errorf("%+v", f.Check)
		}
		seen[f.Check.ID] = true
		if !f.Held() && !f.Skipped() {
			t.Errorf("%s: %v\n%s", f.Check.ID, f.Err, strings.Join(f.Lines, "\n"))
		}
	})
}

// TestChecksFindFaults runs single checks against brains that breach them.
func TestChecksFindFaults(t *testing.T) {
	const begun = "> START 15\n< OK\n>...\n> INFO time_left 100000\n"
	for _, tt := range []struct{ id, script, want string }{
		{"start", "> START 15\n< UNKNOWN\n", "START 15 was answered"},
		{"start", "> START 15\n!close\n", "waiting for OK to START"},
		{"begin", begun + "> BEGIN\n< 15,0\n", "off the 15x15 board"},
		{"turn", begun + "> BEGIN\n< 7,7\n>~ TURN .*\n< 7,7\n", "to an occupied point"},
		{"board", begun + ">...\n> DONE\n< 7,7\n", "to an occupied point"},
		{"turn-limit", begun + ">...\n> BEGIN\n~ 2s\n< 3,3\n>...\n>~ TURN .*\n< 4,4\n>...\n>~ TURN .*\n< 6,6\n", "a move took 2s"},
		{"end", begun + "> BEGIN\n< 1,1\n> END\n~ 3s\n", "still runs"},
		{"about", "> ABOUT\n< my brain\n", "no name="},
		{"rule", begun + "> INFO rule 0\n< ERROR rule\n", "answered by"},
		{"unknown", begun + "> KIBITZCHECK 1\n< OK\n", "answered otherwise"},
		{"takeback", begun + "> BEGIN\n< 1,1\n> TAKEBACK 1,1\n< UNKNOWN\n", "answered otherwise"},
		{"swap2", begun + "> SWAP2BOARD\n> DONE\n< 7,7\n", "1 points where three"},
		{"move-now", begun + ">...\n>~ TURN .*\n~ 400ms\n> INFO timeout_turn 0\n~ 2s\n", "no move within"},
	} {
		t.Run(tt.id, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				found := false
				for _, c := range pv.Checks("gomoku") {
					if c.ID != tt.id {
						continue
					}
					found = true
					cfg := protocol.Config{Dial: linktest.Dialer(t, tt.script), Now: time.Now}
					protocol.RunChecks(t.Context(), cfg, time.Second, []protocol.Check{c}, func(f protocol.Finding) {
						if f.Held() || errors.Is(f.Err, protocol.ErrSkipped) || !strings.Contains(f.Err.Error(), tt.want) {
							t.Errorf("%v\n%s", f.Err, strings.Join(f.Lines, "\n"))
						}
					})
				}
				if !found {
					t.Errorf("there is no check %q", tt.id)
				}
			})
		})
	}
}
