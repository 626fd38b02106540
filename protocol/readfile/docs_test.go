package readfile

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kibitz/clock"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/protocol"
	"kibitz/record/boardtxt"
)

// section returns the first block of code behind a heading of the docs page.
func section(t *testing.T, heading string) string {
	t.Helper()
	data, err := os.ReadFile("../../docs/protocols/readfile.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(data), "\n"+heading+"\n")
	_, text, fenced := strings.Cut(text, "```\n")
	text, _, closed := strings.Cut(text, "```")
	if !ok || !fenced || !closed {
		t.Fatalf("the page has no example behind %q", heading)
	}
	return text
}

// TestDocs holds the docs page to the switches that exist.
func TestDocs(t *testing.T) {
	playertest.Page(t, Protocol())
	if m, err := ReadMove([]byte(section(t, "## move.txt"))); err != nil || name(t, m) != "b3-b4" {
		t.Errorf("move.txt of the page is %v, %v", m, err)
	}
}

// TestDocsBoard has the host write the file of the page and the engine side read it.
func TestDocsBoard(t *testing.T) {
	want := section(t, "## board.txt")
	f, err := boardtxt.Parse([]byte(want))
	if err != nil || len(f.Warnings) > 0 {
		t.Fatalf("%v %q", err, f.Warnings)
	}
	c := &capture{answer: "1 a1"}
	h := hosted(t, nil, c.engine)
	at := time.Date(2017, 1, 16, 1, 4, 20, 0, time.UTC)
	h.cfg.Now = func() time.Time { return at }
	begin(t, h, player.Setup{})
	for i, ply := range f.Plies {
		at = time.UnixMilli(f.Stamps[i])
		h.Tell(&player.Update{Steps: ply})
	}
	k := control(t, "892.3")
	if _, err := h.Choose(context.Background(), &player.Prompt{Clocks: [2]clock.Clock{k, k}}); err != nil {
		t.Fatal(err)
	}
	if c.boards[0] != want {
		t.Errorf("the host writes\n%s", c.boards[0])
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, BoardFile), []byte(want), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Turn(context.Background(), dir, protocol.Server{Player: firstLegal{}, Position: board(), Now: time.Now, Game: canonical(t, "darkchess")}); err != nil {
		t.Error(err)
	}
}
