package checkfaults

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/match/trial"
)

var update = flag.Bool("update", false, "write docs/measured/check-faults.md anew")

const page = "../../docs/measured/check-faults.md"

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
	got := Page(rows)
	if *update {
		if err := os.WriteFile(page, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(page)
	if err != nil || string(want) != got {
		t.Errorf("docs/measured/check-faults.md is stale (%v): go test ./internal/checkfaults -update", err)
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
