// Package shared finds the data that tests read but the project does not ship: a
// folder named "shared" beside the repository.
package shared

import (
	"os"
	"path/filepath"
	"testing"
)

// Find returns the path of a file or folder of the shared data. ok is false if it
// is not there.
func Find(elem ...string) (path string, ok bool) {
	dir, err := os.Getwd()
	if err != nil {
		return "", false
	}
	for {
		up := filepath.Dir(dir)
		if up == dir {
			return "", false
		}
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			path = filepath.Join(append([]string{up, "shared"}, elem...)...)
			_, err := os.Stat(path)
			return path, err == nil
		}
		dir = up
	}
}

// Path is Find for tests, which are skipped where there is no such data.
func Path(t testing.TB, elem ...string) string {
	t.Helper()
	path, ok := Find(elem...)
	if !ok {
		t.Skipf("no folder shared with %s beside the repository", filepath.Join(elem...))
	}
	return path
}

// Read returns the content of a file of the shared data; without it the test is
// skipped.
func Read(t testing.TB, elem ...string) []byte {
	t.Helper()
	b, err := os.ReadFile(Path(t, elem...))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
