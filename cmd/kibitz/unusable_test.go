package main

import (
	"strings"
	"testing"
)

// TestUnusable holds that what cannot be meant is said in one line with status 2,
// before anything is read, played or written.
func TestUnusable(t *testing.T) {
	for _, k := range []struct{ args, want string }{
		{"openings othello --plies 0", "--plies 0: must be at least 1"},
		{"openings othello --level 0", "--level 0: must be at least 1"},
		{"openings othello --concurrency 0", "--concurrency 0: must be at least 1"},
		{"analyze - --engine bot=1 --number 0", "--number 0: must be at least 1"},
		{"solve - --number 0", "--number 0: must be at least 1"},
		{"solve - --number -1", "--number -1: must be at least 1"},
		{"show - --only 0", "--only 0: must be at least 1"},
		{"convert - - --to sgf --only 0", "--only 0: must be at least 1"},
		{"base search x.base --since 2021-13", `date "2021-13": write a year`},
		{"base search x.base --until 2021-02-30", `date "2021-02-30": write a year`},
		{"verify testdata --game foo", `--game: unknown game "foo"`},
		{"verify testdata --from foo", `--from: unknown format "foo"`},
		{"verify testdata --game gomoku --from ggf", "--from ggf: the format holds games of othello, not of gomoku"},
		{"base import x.base testdata --game foo", `--game: unknown game "foo"`},
		{"base import x.base no1.sgf", "no1.sgf"},
		// Files that are not there.
		{"analyze no1.sgf --engine bot=1", "no1.sgf"},
		{"solve no1.sgf", "no1.sgf"},
		{"base look no1.base", "no1.base"},
		{"base search no1.base", "no1.base"},
		{"base info no1.base", "no1.base"},
		{"openings othello --out no1/x.txt", "no1/x.txt"},
		{"report no1", "no1"},
		{"verify no1.sgf", "no1.sgf"},
	} {
		out, errs, status := compatApp(t, strings.Fields(k.args)...)
		if status != 2 || !strings.Contains(errs, k.want) || strings.Count(errs, "\n") != 1 || out != "" {
			t.Errorf("%s: status %d, %q, %q; want %q", k.args, status, out, errs, k.want)
		}
	}
}

// TestHelpHasExamples holds that every command shows how it is used.
func TestHelpHasExamples(t *testing.T) {
	for _, c := range []string{"analyze", "solve", "base import", "base look", "base search", "base info", "openings", "report", "verify", "show", "convert", "rate", "compat"} {
		out, errs, status := compatApp(t, append(strings.Fields(c), "--help")...)
		if status != 0 || errs != "" || !strings.Contains(out, "Example") || !strings.Contains(out, "kibitz "+c) {
			t.Errorf("%s: status %d, %q, %q", c, status, out, errs)
		}
	}
}
