package folder

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// Long runs keep many games in a file, whatever the order in which they end;
// short ones have a file for each.
func TestBlocks(t *testing.T) {
	for _, c := range []struct {
		games int
		want  []string
	}{
		{3, []string{"000001.x", "000002.x", "000003.x"}},
		{1150, []string{"000001-000100.x", "000101-000200.x", "001101-001150.x"}},
	} {
		path := filepath.Join(t.TempDir(), "run")
		d, err := New("", path, c.games, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		for i := c.games - 1; i >= 0; i-- {
			if err := d.Add("games", i, GameName(i), ".x", fmt.Appendf(nil, "game %d\n", i)); err != nil {
				t.Fatal(err)
			}
		}
		if len(d.blocks) != 0 {
			t.Errorf("%d games: %d files are still open", c.games, len(d.blocks))
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
		var names []string
		lines := 0
		entries, err := os.ReadDir(filepath.Join(path, "games"))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			b, err := os.ReadFile(filepath.Join(path, "games", e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range b {
				if x == '\n' {
					lines++
				}
			}
			names = append(names, e.Name())
		}
		if lines != c.games {
			t.Errorf("%d of %d games are kept", lines, c.games)
		}
		for _, n := range c.want {
			if !slices.Contains(names, n) {
				t.Errorf("%d games: no file %s among %d, from %s on", c.games, n, len(names), names[0])
			}
		}
	}
}
