package sau_test

import (
	"strings"
	"testing"

	"kibitz/player/playertest"
)

// TestPage plays the conversation of the page for engine authors and looks for
// every game and every switch on it.
func TestPage(t *testing.T) {
	page := playertest.Page(t, forms.Protocol())
	for _, id := range forms.Games() {
		if !strings.Contains(page, "| `"+id+"` | ") {
			t.Errorf("the page has no row for %s", id)
		}
	}
	_, rest, ok := strings.Cut(page, "```conversation\n")
	conversation, _, closed := strings.Cut(rest, "```")
	if !ok || !closed {
		t.Fatal("the page has no conversation")
	}
	converse(t, `-- match --
spec phantomgo:
game => white score
silent
name white => Mine 1.0
-- black plays --
EE;AA;CA;BB;AA;pass
-- white --
`+conversation)
}
