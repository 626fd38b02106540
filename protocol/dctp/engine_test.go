package dctp_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/link"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/protocol"
	"kibitz/protocol/dctp"
)

// firstMove takes the first legal decision and keeps what it was asked.
type firstMove struct {
	*playertest.Random
	seen []player.Prompt
	over int
}

func (f *firstMove) Choose(_ context.Context, p *player.Prompt) (player.Answer, error) {
	f.seen = append(f.seen, *p)
	return player.Answer{Steps: p.Moves.Legal(nil)[:1]}, nil
}

func (f *firstMove) Over(game.Result) { f.over++ }

// TestServeConversation says what testdata/serve.txt says and wants what it wants.
func TestServeConversation(t *testing.T) {
	b, err := os.ReadFile("testdata/serve.txt")
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := link.Pipe()
	bot := &firstMove{Random: playertest.NewRandom(1)}
	var logged []string
	done := make(chan error, 1)
	go func() {
		done <- dctp.Serve(context.Background(), theirs, protocol.Server{
			Player: bot, Position: board(), Now: time.Now, Name: "Bot", Version: "1", Game: canonical(t, "darkchess"),
			Log: func(s string) { logged = append(logged, s) },
		})
	}()
	asked := ""
	for i, l := range strings.Split(string(b), "\n") {
		switch {
		case strings.HasPrefix(l, "> "):
			asked = l[2:]
			if err := ours.Write([]byte(asked + "\n")); err != nil {
				t.Fatal(err)
			}
		case strings.HasPrefix(l, "< "):
			got, err := ours.ReadLine(time.Now().Add(time.Minute))
			if err != nil || string(got) != l[2:] {
				t.Fatalf("line %d: %q was answered with %q, %v; want %q", i+1, asked, got, err, l[2:])
			}
		}
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if len(logged) == 0 {
		t.Error("what could not be understood was not logged")
	}
	last := bot.seen[len(bot.seen)-1]
	if got := last.Clocks[0].Left; got != 59*time.Second {
		t.Errorf("the clock of the first seat shows %s", got)
	}
	if bot.over == 0 {
		t.Error("game_over did not reach the player")
	}
}
