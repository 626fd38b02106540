package sau_test

import (
	"regexp"
	"strings"
	"testing"

	"kibitz/player/playertest"
)

// TestPage plays the conversations of the page for engine authors and looks for
// every game and every switch on it.
func TestPage(t *testing.T) {
	page := playertest.Page(t, forms.Protocol())
	for _, id := range forms.Games() {
		if !strings.Contains(page, "| `"+id+"` | ") {
			t.Errorf("the page has no row for %s", id)
		}
	}
	blocks := strings.Split(page, "```conversation ")[1:]
	if len(blocks) != 3 {
		t.Fatalf("%d conversations of 3", len(blocks))
	}
	for _, block := range blocks {
		id, rest, _ := strings.Cut(block, "\n")
		conversation, _, closed := strings.Cut(rest, "```")
		if !closed {
			t.Fatalf("the conversation of %s has no end", id)
		}
		if id == "phantomgo" {
			conversation = "game => white score\nsilent\nname white => Mine 1.0\n-- black plays --\nEE;AA;CA;BB;AA;pass\n-- white --\n" + conversation
		} else { // the opponent resigns when its turns are told
			var turns []string
			for _, m := range told.FindAllStringSubmatch(conversation, -1) {
				turns = append(turns, m[1])
			}
			conversation = "game => black resign\nsilent\n-- white plays --\n" + strings.Join(turns, ";") + "\n-- black --\n" + conversation
		}
		t.Run(id, func(t *testing.T) { converse(t, "-- match --\nspec "+id+":\n"+conversation) })
	}
}

var told = regexp.MustCompile(`(?m)^> move (\S+)$`)
