package tournament

import (
	"encoding/hex"
	"os"
	"strings"
	"testing"
)

// TestSeedsOnPage computes the example of docs/hall.md.
func TestSeedsOnPage(t *testing.T) {
	page, err := os.ReadFile("../docs/hall.md")
	if err != nil {
		t.Fatal(err)
	}
	var secret [32]byte
	game := Seeds{Seed: 5, Secret: secret}.At("game 17")
	dealt := Seeds{Secret: game}.At("game 3f9a/attempt 1/dealer")
	for name, want := range map[string]string{
		"commitment": Commitment(secret), "game": hex.EncodeToString(game[:]), "dealt": hex.EncodeToString(dealt[:]),
	} {
		if line := "\n" + name + " = " + want + "\n"; !strings.Contains(string(page), line) {
			t.Errorf("the page lacks %s", line)
		}
	}
}
