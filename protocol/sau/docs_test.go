package sau_test

import (
	"os"
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
	_, conversation, found := strings.Cut(page, "```conversation phantomgo\n")
	conversation, _, closed := strings.Cut(conversation, "```")
	if !found || !closed {
		t.Fatal("the page has no conversation of Phantom Go")
	}
	t.Run("phantomgo", func(t *testing.T) {
		converse(t, "-- match --\nspec phantomgo:\ngame => white score\nsilent\nname white => Mine 1.0\n-- black plays --\nEE;AA;CA;BB;AA;pass\n-- white --\n"+conversation)
	})
	for id, result := range map[string]string{"amazons": "white blocked", "surakarta": "black taken"} {
		t.Run(id, func(t *testing.T) {
			file := "sau-" + id + ".txt"
			game, err := os.ReadFile("../../docs/protocols/" + file)
			if err != nil || !strings.Contains(page, "]("+file+")") {
				t.Fatalf("the page links no whole game in %s: %v", file, err)
			}
			var turns []string // of the opponent
			for _, m := range told.FindAllStringSubmatch(string(game), -1) {
				turns = append(turns, m[1])
			}
			converse(t, "-- match --\nspec "+id+":\ngame => "+result+"\nsilent\n-- white plays --\n"+strings.Join(turns, ";")+"\n-- black --\n"+string(game))
		})
	}
}

var told = regexp.MustCompile(`(?m)^> move (\S+)$`)
