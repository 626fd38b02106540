package runreport

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestReportEngines names engines as the match does, from either form of a run's
// file, and keeps what stands in their environment to itself.
func TestReportEngines(t *testing.T) {
	old := settings{"engines": []any{"bot=3", "bot=3", "cmd='/nosuch/pbrain-x' env.KEY=abc"}, "each": "tc=1"}
	now := settings{"engine": []any{
		map[string]any{"bot": int64(3)}, map[string]any{"bot": int64(3)}, map[string]any{"cmd": "'/nosuch/pbrain-x'", "env": map[string]any{"KEY": "abc"}},
	}, "each": map[string]any{"tc": int64(1)}}
	for _, s := range []settings{old, now} {
		var got []string
		for _, e := range s.engines() {
			got = append(got, e.Name)
			if strings.Contains(e.Spec, "abc") {
				t.Errorf("%q", e.Spec)
			}
		}
		if want := []string{"level3", "level3#2", "x"}; !slices.Equal(got, want) {
			t.Errorf("%q instead of %q", got, want)
		}
	}
}

// TestReportFiles finds the file of a game: its own, that of a game that was played
// again, one that several share.
func TestReportFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "games"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"000002.json", "000002-3.json", "000101-000200.json", "notes.json"} {
		if err := os.WriteFile(filepath.Join(dir, "games", name), []byte("{}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	x, err := newRunFilesIndex(dir)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{
		"000002": "games/000002.json", "000002-3": "games/000002-3.json", "000003": "", "000150": "games/000101-000200.json",
		"000150-2": "games/000101-000200.json",
		"000201":   "", "notes": "", "../x": "",
	} {
		if got, _ := x.links(id); got != want {
			t.Errorf("%s has %q, not %q", id, got, want)
		}
	}
}
