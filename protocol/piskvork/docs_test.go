package piskvork_test

import (
	"strings"
	"testing"

	"kibitz/player/playertest"
	pv "kibitz/protocol/piskvork"
)

// TestPage plays the conversation of the page for engine authors and looks for
// every switch and every rule code on it.
func TestPage(t *testing.T) {
	page := playertest.Page(t, pv.Protocol())
	for _, row := range []string{"`freestyle` | 0", "`standard` | 1", "`renju` | 4", "`caro6` | 8", "`caro` | 9"} {
		if !strings.Contains(page, "| "+row+" |") {
			t.Errorf("the page has no row %s", row)
		}
	}
	_, rest, ok := strings.Cut(page, "```conversation\n")
	conversation, _, closed := strings.Cut(rest, "```")
	if !ok || !closed {
		t.Fatal("the page has no conversation")
	}
	const referee = `-- game --
new gomoku:rule=renju seat=second tc=180s st=5s history=7,7;8,8;9,9
name => Mine
choose left=180s => 8,6 eval=-12 depth=8 nodes=141000
tell 6,6
choose left=178500ms => 8,7
tell 10,10
choose left=178400ms => 8,5 mate=2
tell 8,9
choose left=178300ms => 8,4
close
-- engine --
`
	converse(t, referee+conversation)
}
