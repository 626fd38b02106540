package reliability

import (
	"path/filepath"
	"strings"
	"testing"

	"kibitz/catalog"
	"kibitz/games"
)

// TestHonest plays the fault engine without a fault through all games of the protocols
// that have several: an engine that cheats by itself would show nothing.
func TestHonest(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many games with processes")
	}
	h := newHall(t)
	c := &Case{Mode: "none", Reason: Fine, With: []string{"whole"}}
	for _, s := range []seat{{entry: catalog.SAU()}, {entry: catalog.GTP()}} {
		for _, id := range s.entry.Games {
			if _, err := games.Open(id); err != nil {
				t.Fatal(err)
			}
			s.spec = id
			row, err := h.playCase(t.Context(), filepath.Join(h.root, s.entry.ID+"-"+id), c, s)
			if err != nil || row.Reason != Fine || row.Left != Nothing || strings.Contains(row.Said, "cannot") {
				t.Errorf("%s, %s: %+v, %v", s.entry.ID, id, row, err)
			}
		}
	}
	h.close(t)
}
