package ponder_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"kibitz/link"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/protocol"
	"kibitz/protocol/ponder"
)

// firstMove takes the first legal decision.
type firstMove struct{ *playertest.Random }

func (firstMove) Choose(_ context.Context, p *player.Prompt) (player.Answer, error) {
	return player.Answer{Steps: p.Moves.Legal(nil)[:1]}, nil
}

// TestDocsGame plays the game of the page with our engine side.
func TestDocsGame(t *testing.T) {
	_, text, _ := strings.Cut(playertest.Page(t, ponder.Protocol()), "## A game\n\n```\n")
	text, _, _ = strings.Cut(text, "```")
	ours, theirs := link.Pipe()
	done := make(chan error, 1)
	p := ponder.Protocol()
	go func() {
		done <- p.Serve(context.Background(), theirs, protocol.Server{
			Player: firstMove{playertest.NewRandom(1)}, Position: board(), Now: time.Now, Name: "Bot", Version: "1", Game: canonical(t, "darkchess"),
			Log: func(s string) { t.Errorf("logged: %s", s) },
		})
	}()
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if said, is := strings.CutPrefix(line, "P "); is {
			if err := ours.Write([]byte(said + "\n")); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := ours.ReadLine(time.Now().Add(time.Minute))
		if err != nil || "E "+string(got) != line {
			t.Fatalf("%q %v, the page says %q", got, err, line)
		}
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
