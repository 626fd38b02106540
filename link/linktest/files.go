package linktest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Files runs a test for each file that fits a pattern, by the name of the file, with what
// the file says. Fewer than least, which is at least one, fail the test.
func Files(t *testing.T, pattern string, least int, test func(t *testing.T, text string)) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) < max(1, least) {
		t.Fatalf("%s: %d files, %v", pattern, len(files), err)
	}
	for _, f := range files {
		name := filepath.Base(f)
		t.Run(strings.TrimSuffix(name, filepath.Ext(name)), func(t *testing.T) {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			test(t, string(text))
		})
	}
}

// Parts splits an archive at its lines "-- name --" into names and contents.
func Parts(text string) (list [][2]string) {
	for l := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(l), "-- "); ok && strings.HasSuffix(name, " --") {
			list = append(list, [2]string{strings.TrimSuffix(name, " --"), ""})
		} else if n := len(list); n > 0 {
			list[n-1][1] += l
		}
	}
	return list
}
