package ponder_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"kibitz/link"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/protocol"
	"kibitz/protocol/ponder"
)

func page(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("../../docs/protocols/ponder.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestDocs holds the docs page to the switches that exist.
func TestDocs(t *testing.T) {
	text := page(t)
	p := ponder.Protocol()
	for _, d := range p.Dialects {
		if row := "| `dialect." + d.Key + "` | `" + d.Default + "` |"; !strings.Contains(text, row) {
			t.Errorf("the page has no row %s", row)
		}
	}
	if n := strings.Count(text, "| `dialect."); n != len(p.Dialects) {
		t.Errorf("the page has %d switches, the protocol %d", n, len(p.Dialects))
	}
}

// firstMove takes the first legal decision.
type firstMove struct{ *playertest.Random }

func (firstMove) Choose(_ context.Context, p *player.Prompt) (player.Answer, error) {
	return player.Answer{Steps: p.Moves.Legal(nil)[:1]}, nil
}

// TestDocsGame plays the game of the page with our engine side.
func TestDocsGame(t *testing.T) {
	_, text, _ := strings.Cut(page(t), "## A game\n\n```\n")
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
		got, err := ours.ReadLine(time.Now().Add(2 * time.Second))
		if err != nil || "E "+string(got) != line {
			t.Fatalf("%q %v, the page says %q", got, err, line)
		}
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
