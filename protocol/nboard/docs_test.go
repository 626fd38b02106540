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
#% tell b e6 used=2.5s
#% choose => f4 used 0s raw "=== F4/-0.25/0.31" pv f4 e3 eval -0.25 depth 8 nodes 101553
#% tell w f4 used=310ms eval=-0.25
#% tell b e3 used=1s
#% choose => f6 used 29.019032258s raw "=== F6/0.10/29.0" pv f6 eval 0.1 depth 12
#% tell w f6 used=29.019s eval=0.1
#% tell b g5 used=1s
#% choose => d6 used 0s raw "=== D6"
#% tell w d6 used=2s
#% tell b e7 used=1s
#% choose => f5 used 0s raw "=== F5"
#% over
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
