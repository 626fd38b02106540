package nboard_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"kibitz/player/playertest"
	"kibitz/protocol/nboard"
)

// TestPage plays the conversation of the page for engine authors and looks for
// every switch on it.
func TestPage(t *testing.T) {
	page := playertest.Page(t, nboard.Protocol())
	_, rest, ok := strings.Cut(page, "```conversation\n")
	conversation, _, closed := strings.Cut(rest, "```")
	if !ok || !closed {
		t.Fatal("the page has no conversation")
	}
	const referee = `#% new white tc=15m
#% name => Bob 1.0
#% tell b f5 used=2.5s
#% choose => d6 used 0s raw "=== D6/-0.25/0.31" pv d6 c3 eval -0.25 depth 8 nodes 101553
#% tell w d6 used=310ms eval=-0.25
#% tell b c3 used=1s
#% choose => d3 used 29.019032258s raw "=== D3/0.10/29.0" pv d3 eval 0.1 depth 12
`
	synctest.Test(t, func(t *testing.T) { play(t, referee+strings.Replace(conversation, "> ping 4", "~ 20s\n> ping 4", 1)) })
}

// TestEntry holds the entry of the list of protocols to what the page says.
func TestEntry(t *testing.T) {
	p := nboard.Protocol()
	if p.ID != "nboard" || p.Host == nil || p.Serve == nil || len(p.Default) != 1 || p.Default[0] != "othello" {
		t.Errorf("%+v", p)
	}
}
