package nboard_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/game"
	"kibitz/link"
	"kibitz/link/linktest"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/protocol/nboard"
)

// A script of testdata/engine is the manager's side of a conversation with Serve.
// In its comments stand
//
//	#% bot plain|analyst|whole think=DURATION
//	#% limit N           depth limit of the engine
//	#% noted TEXT        what the player has noted by the end, in this order
//	#% logged TEXT       what the log must contain, in this order
func TestEngineScripts(t *testing.T) {
	linktest.Files(t, "testdata/engine/*.txt", 8, func(t *testing.T, text string) {
		synctest.Test(t, func(t *testing.T) { serveScript(t, text) })
	})
}

func serveScript(t *testing.T, text string) {
	var noted, logged []string
	var p player.Player = &plain{}
	notes := p.(*plain).noted
	srv := protocol.Server{Position: newBoard(), Now: time.Now, Name: "Tester", Game: nboard.GameID}
	for line := range strings.SplitSeq(text, "\n") {
		action, ok := strings.CutPrefix(line, "#% ")
		if !ok {
			continue
		}
		verb, arg, _ := strings.Cut(action, " ")
		switch verb {
		case "bot":
			p, notes = makeBot(t, arg)
		case "limit":
			srv.Limits.Depth = int(arg[0] - '0')
		case "noted":
			noted = append(noted, arg)
		case "logged":
			logged = append(logged, arg)
		}
	}
	srv.Player = p
	var log []string
	srv.Log = func(s string) { log = append(log, s) }
	conn, done := linktest.Start(t, text)
	ended := make(chan error)
	go func() {
		err := nboard.Serve(context.Background(), conn, srv)
		_ = conn.Close() // as at the end of the process
		ended <- err
	}()
	done()
	_ = conn.Close()
	if err := <-ended; err != nil {
		t.Errorf("Serve: %v", err)
	}
	if got := notes(); noted != nil && !slices.Equal(got, noted) {
		t.Errorf("the player noted\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(noted, "\n"))
	}
	if len(log) != len(logged) {
		t.Errorf("logged %q, want %q", log, logged)
		return
	}
	for i, want := range logged {
		if !strings.Contains(log[i], want) {
			t.Errorf("logged %q, want %q", log[i], want)
		}
	}
}

func makeBot(t *testing.T, arg string) (player.Player, func() []string) {
	t.Helper()
	kind, think, _ := strings.Cut(arg, " think=")
	var d time.Duration
	if think != "" {
		d = duration(t, think)
	}
	if kind == "plain" {
		b := &plain{think: d}
		return b, b.noted
	}
	a := &analyst{whole: kind == "whole"}
	a.think = d
	return a, a.noted
}

// TestServeEnds ends sessions in all ways, with and without a running search.
func TestServeEnds(t *testing.T) {
	broken := player.Fail(game.ByCrash, nil, "it broke")
	tests := []struct {
		name string
		say  string
		fail error
		end  func(manager link.Conn, cancel func())
		want error
	}{
		{name: "quit", say: "nboard 2\nquit\n", end: func(link.Conn, func()) {}},
		{name: "quit while thinking", say: "go\nquit\n", end: func(link.Conn, func()) {}},
		{name: "closed", say: "nboard 2\n", end: func(m link.Conn, _ func()) { _ = m.Close() }},
		{name: "closed while thinking", say: "go\n", end: func(m link.Conn, _ func()) { _ = m.Close() }},
		{name: "cancelled", say: "hint 2\n", end: func(_ link.Conn, c func()) { c() }, want: context.Canceled},
		{name: "player fails", say: "go\n", fail: broken, end: func(link.Conn, func()) {}, want: broken},
		{name: "player fails when stopped", say: "go\nping 1\n", fail: broken, end: func(link.Conn, func()) {}, want: broken},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				manager, engine := link.Pipe()
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				bot := &analyst{}
				bot.think, bot.fail = time.Minute, tt.fail
				done := make(chan error)
				go func() {
					done <- nboard.Serve(ctx, engine, protocol.Server{Player: bot, Position: newBoard(), Now: time.Now})
				}()
				if err := manager.Write([]byte(tt.say)); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Second)
				tt.end(manager, cancel)
				if err := <-done; !errors.Is(err, tt.want) {
					t.Errorf("ended with %v, want %v", err, tt.want)
				}
				if bot.games != bot.overs {
					t.Errorf("the player was given %d games and the end of %d", bot.games, bot.overs)
				}
			})
		})
	}
}
