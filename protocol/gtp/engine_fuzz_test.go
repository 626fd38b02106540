package gtp_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/link"
	"kibitz/player/playertest"
	"kibitz/protocol"
	"kibitz/protocol/gtp"
)

// FuzzServe feeds the engine side whatever a manager may say: it answers each command
// once, and undo takes it back to where it began.
func FuzzServe(f *testing.F) {
	for _, s := range []string{
		"genmove b\nplay w k10,l11\nundo\ngenmove b\nundo\n",
		"kibitz-phantom_seat b\ngenmove b\nkibitz-phantom_accepted b a9 b9\ngenmove b\n",
		"play b d1\nplay w d7\nplay b g7\ngenmove w\ngenmove b\ngenmove w\nundo\nundo\n",
		"boardsize 5\nkomi 3\nclear_board\nreg_genmove b\nshowboard\nfinal_score\n",
	} {
		for game := range uint8(6) {
			f.Add(s, game, game%3)
		}
	}
	f.Fuzz(func(t *testing.T, text string, which, turn uint8) {
		spec := []game.Spec{"othello", "nogo:size=4", "connect6:size=6", "amazons", "phantomgo:size=3", "gomoku:size=9,rule=freestyle"}[which%6]
		lines := strings.Split(text, "\n")
		if len(lines) > 30 || strings.Contains(text, "quit") || len(text) > 2000 {
			return
		}
		ours, theirs := link.Pipe()
		done := make(chan error, 1)
		go func() {
			done <- forms.Serve(context.Background(), theirs, protocol.Server{
				Player: playertest.NewRandom(1), Position: board(), Now: time.Now, Name: "X", Game: spec,
				Dialect: map[string]string{"turn": []string{"whole", "points", "alternate"}[turn%3]},
			})
			_ = theirs.Close()
		}()
		undone := 0
		for _, l := range lines {
			l = strings.Map(func(r rune) rune {
				if r == '\r' || r == 0xfffd {
					return ' '
				}
				return r
			}, l)
			c, ok := gtp.ParseCommand(l)
			if !ok {
				continue
			}
			if err := ours.Write([]byte(c.String() + "\nprotocol_version\n")); err != nil {
				t.Fatal(err)
			}
			replies, last := 0, ""
			for last != "= 2" || replies < 2 {
				b, err := ours.ReadLine(time.Now().Add(time.Minute))
				if err != nil {
					t.Fatalf("%q: %v", l, err)
				}
				if r, is := gtp.ParseReply(b); is {
					replies++
					last = strings.TrimRight(string(b), " ")
					if replies == 1 && r.OK {
						switch c.Name {
						case "play", "genmove":
							undone++
						case "undo":
							undone--
						}
					}
				}
			}
		}
		_ = ours.Close()
		if err := <-done; err != nil {
			t.Errorf("ended with %v", err)
		}
		if undone < 0 {
			t.Errorf("%d more commands were taken back than given", -undone)
		}
	})
}
