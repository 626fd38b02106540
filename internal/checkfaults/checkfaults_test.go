package checkfaults

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/match/trial"
)

var update = flag.Bool("update", false, "write docs/measured/check-faults.md and the usual mistakes of docs/protocols anew")

// TestFaults checks every engine of the file: what a match finds the check finds, by
// the requirement that is named there, and in the time that it may take.
func TestFaults(t *testing.T) {
	list, err := cases(faults)
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() {
		list = list[:4]
	}
	rows := make([]Row, len(list))
	lines := map[string]*trial.Lines{}
	t.Run("all", func(t *testing.T) {
		for i, c := range list {
			s, m := find(t, c)
			if lines[s.spec] == nil {
				lines[s.spec] = &trial.Lines{}
			}
			s.lines = lines[s.spec]
			t.Run(c.Seat+" "+c.Mode, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					row, err := s.try(t.Context(), m, c)
					if err != nil {
						t.Fatal(err)
					}
					rows[i] = row
					row.judge(t)
				})
			})
		}
	})
	if slices.ContainsFunc(rows, func(r Row) bool { return r.Mode == "" }) {
		return // not all were asked for
	}
	if testing.Short() || t.Failed() && !*update {
		return
	}
	same(t, "../../docs/measured/check-faults.md", func(string) (string, error) { return Page(rows), nil })
	pages, err := filepath.Glob("../../docs/protocols/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages of protocols", err)
	}
	for _, page := range pages {
		id := strings.TrimSuffix(filepath.Base(page), ".md")
		same(t, page, func(now string) (string, error) { return withMistakes(now, id, rows) })
	}
}

// same holds a page to what it should be, or writes it.
func same(t *testing.T, page string, write func(string) (string, error)) {
	t.Helper()
	now, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	want, err := write(string(now))
	switch {
	case err != nil:
		t.Error(err)
	case want == string(now):
	case *update:
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is stale: go test ./internal/checkfaults -update", page)
	}
}

func find(t *testing.T, c Case) (*seat, *mode) {
	t.Helper()
	all, ways := seats(), modes()
	i := slices.IndexFunc(all, func(s seat) bool { return s.name() == c.Seat })
	k := slices.IndexFunc(ways, func(m mode) bool { return m.name == c.Mode })
	if i < 0 || k < 0 {
		t.Fatalf("there is no seat %q, or no mode %q", c.Seat, c.Mode)
	}
	return &all[i], &ways[k]
}

// judge holds a row to its case.
func (w *Row) judge(t *testing.T) {
	t.Helper()
	if os.Getenv("SUGGEST") != "" {
		for _, b := range w.Broken {
			fmt.Printf("SUGGEST\t%s\t%s\t%s\t%s\t%s\n", w.Seat, w.Mode, w.Verdict, b.ID, b.Detail)
		}
		fmt.Printf("SUGGEST\t%s\t%s\t%s\t-\t\n", w.Seat, w.Mode, w.Verdict)
	}
	if w.Verdict != Fine && len(w.Broken) == 0 {
		t.Errorf("a match is lost by %s, and nothing is broken", w.Verdict)
	}
	if says, ok := w.named(); !ok || w.Verdict != w.Match || !strings.Contains(says, w.Says) {
		t.Errorf("%s by a match, broken %q; want %s and %s: %s", w.Verdict, w.Broken, w.Match, w.Requirement, w.Says)
	}
	if w.Took > 3*time.Minute {
		t.Errorf("the check takes %s of waiting", w.Took)
	}
	if w.Mode == "silent" && w.Took > 30*time.Second {
		t.Errorf("the check of a silent engine takes %s", w.Took)
	}
}
