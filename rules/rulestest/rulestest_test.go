package rulestest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kibitz/rules"
)

// examine runs one check on a toy, or all of them, and returns what failed.
func examine(t *testing.T, kind, bug, only string) map[string]error {
	t.Helper()
	g := toyGame(kind, bug)
	c := newConfig(g, []Option{Dir(filepath.Join("testdata", kind)), Playouts(24)})
	r, err := open(g, "toy")
	if err != nil {
		t.Fatal(err)
	}
	s := newSubject(g, r, c, true)
	failed := map[string]error{}
	for _, k := range checks {
		if only != "" && k.name != only {
			continue
		}
		if err := guard(k.run, s); err != nil {
			failed[k.name] = err
		}
		s.log = nil
	}
	return failed
}

func TestSoundToysPass(t *testing.T) {
	for _, kind := range []string{"perfect", "private", "chance", "losing"} {
		t.Run(kind, func(t *testing.T) {
			Run(t, toyGame(kind, ""), Dir(filepath.Join("testdata", kind)), Playouts(24))
			for name, err := range examine(t, kind, "", "") {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// Every broken toy must be caught by the check that is there for it.
func TestBrokenToysAreCaught(t *testing.T) {
	if *update {
		t.Skip("broken toys write no golden files")
	}
	for _, c := range []struct{ kind, bug, check string }{
		{"perfect", "bound", "playouts"},
		{"perfect", "phase", "playouts"},
		{"perfect", "points", "playouts"},
		{"perfect", "reason", "playouts"},
		{"perfect", "duplicate", "playouts"},
		{"perfect", "unstable list", "playouts"},
		{"perfect", "dead end", "playouts"},
		{"perfect", "move text", "moves"},
		{"perfect", "same text", "moves"},
		{"chance", "strict text", "moves"},
		{"perfect", "lenient", "illegal moves"},
		{"perfect", "state change on error", "illegal moves"},
		{"perfect", "notice on error", "illegal moves"},
		{"perfect", "other error", "illegal moves"},
		{"private", "refused turn", "illegal moves"},
		{"losing", "lenient", "illegal moves"},
		{"losing", "losing goes on", "illegal moves"},
		{"losing", "losing wins", "illegal moves"},
		{"losing", "losing draws", "illegal moves"},
		{"losing", "losing reason", "illegal moves"},
		{"losing", "losing silently", "illegal moves"},
		{"losing", "losing text", "illegal moves"},
		{"perfect", "text", "position text"},
		{"perfect", "text turn", "position text"},
		{"perfect", "shared copy", "clone"},
		{"perfect", "counting looks", "replay"},
		{"perfect", "unstable hash", "hash"},
		{"perfect", "same hash", "hash"},
		{"perfect", "odd view", "views"},
		{"perfect", "shared view", "views"},
		{"perfect", "wrong colours", "seats"},
		{"perfect", "shared games", "concurrency"},
		{"perfect", "forced", "playouts"},
		{"perfect", "silent", "notices"},
		{"private", "telling notice", "notices"},
		{"chance", "no weight", "chance"},
		{"chance", "order of deals", "shuffle"},
		{"private", "leaking list", "non-interference"},
		{"private", "leaking check", "non-interference"},
		{"private", "leaking view", "non-interference"},
		{"private", "leaking note", "non-interference"},
		{"private", "open notice", "non-interference"},
		{"perfect", "one-sided", "symmetry"},
		{"perfect", "allocation", "allocation"},
		{"perfect", "count", "fast count"},
		{"perfect", "count", "perft"},
		{"perfect", "one-sided", "playthrough"},
	} {
		t.Run(c.kind+"/"+c.bug+"/"+c.check, func(t *testing.T) {
			if testing.CoverMode() != "" && c.check == "allocation" {
				t.Skip("coverage counters disturb the measure")
			}
			if examine(t, c.kind, c.bug, c.check)[c.check] == nil {
				t.Errorf("the bug is not caught by %q; caught by %v", c.check, examine(t, c.kind, c.bug, ""))
			}
		})
	}
}

func TestReadCountsRefusesNonsense(t *testing.T) {
	for text, want := range map[string]string{
		"toy | | 1":             ":1: ",
		"\ntoy | | x | 1":       ":2: depth",
		"toy | | 1 | -1":        "not a number of leaves",
		"toy | | 1 | 1 | bogus": "unknown way of counting",
		"perfter: bogus":        "unknown way of counting",
	} {
		path := filepath.Join(t.TempDir(), perftFile)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := ReadCounts(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// The ways of counting differ as their names say, on the toy of eight points:
// one stone, then turns of two.
func TestCounters(t *testing.T) {
	perfect, private, chance := newToy("perfect", "").New(), newToy("private", "").New(), newToy("chance", "").New()
	for _, c := range []struct {
		name  string
		state rules.State
		words string
		depth int
		want  uint64
	}{
		{"one stone", perfect, "", 1, 8},
		{"ordered pairs", perfect, "", 2, 8 * 7 * 6},
		{"unordered pairs", perfect, "sets", 2, 8 * 7 * 6 / 2},
		{"steps", perfect, "steps", 2, 8 * 7},
		{"whole game", perfect, "", 5, 40320},
		{"nothing after the end", perfect, "", 6, 0},
		{"the end as a leaf", perfect, "ends", 6, 40320},
		{"only what stands", private, "", 2, 8 * 7 * 6},
		{"outcomes count", chance, "steps", 1, 16},
		{"no chance", chance, "nochance", 1, 0},
		{"depth 0", perfect, "", 0, 1},
	} {
		counter, err := rules.ParseCounter(c.words)
		if err != nil {
			t.Fatal(err)
		}
		if got := counter.Count(c.state, c.depth); got != c.want {
			t.Errorf("%s: %d leaves, want %d", c.name, got, c.want)
		}
	}
}
