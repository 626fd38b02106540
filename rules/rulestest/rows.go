package rulestest

import (
	"bufio"
	"iter"
	"os"
	"strings"
	"testing"
)

// Rows yields the rows of a data file with their line numbers: cells separated by
// |, without the blanks around them. Blank lines and lines that begin with # say
// nothing. A row with another number of cells, or a file without rows, fails the
// test.
func Rows(t testing.TB, path string, cells int) iter.Seq2[int, []string] {
	return func(yield func(int, []string) bool) {
		t.Helper()
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = file.Close() }()
		in := bufio.NewScanner(file)
		found := false
		for n := 1; in.Scan(); n++ {
			line := strings.TrimSpace(in.Text())
			if line == "" || line[0] == '#' {
				continue
			}
			row := strings.Split(line, "|")
			if len(row) != cells {
				t.Fatalf("%s:%d: %d cells instead of %d", path, n, len(row), cells)
			}
			for i := range row {
				row[i] = strings.TrimSpace(row[i])
			}
			if found = true; !yield(n, row) {
				return
			}
		}
		if err := in.Err(); err != nil || !found {
			t.Fatalf("%s: no row was read: %v", path, err)
		}
	}
}
