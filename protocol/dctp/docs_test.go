package dctp_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"kibitz/link"
	"kibitz/player/playertest"
	"kibitz/protocol"
	"kibitz/protocol/dctp"
)

// TestDocsConversation has the conversation of the page with our engine side.
func TestDocsConversation(t *testing.T) {
	_, text, _ := strings.Cut(playertest.Page(t, dctp.Protocol()), "## A request and its reply\n\n```\n")
	text, _, _ = strings.Cut(text, "```")
	ours, theirs := link.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- dctp.Serve(context.Background(), theirs, protocol.Server{
			Player: &firstMove{Random: playertest.NewRandom(1)}, Position: board(), Now: time.Now, Name: "Bot", Version: "1", Game: canonical(t, "darkchess"),
		})
	}()
	n := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if asked, is := strings.CutPrefix(line, "> "); is {
			if err := ours.Write([]byte(asked + "\n")); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := ours.ReadLine(time.Now().Add(time.Minute))
		if err != nil || "< "+string(got) != line {
			t.Fatalf("%q %v, the page says %q", got, err, line)
		}
		n++
	}
	if err := <-done; err != nil || n < 10 {
		t.Errorf("%d replies, %v", n, err)
	}
}
