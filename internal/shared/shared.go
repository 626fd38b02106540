// Package shared finds the data that tests read but the project does not ship, because it
// is not the project's: a folder named "shared" beside the repository. What the project
// may ship, its own games and problems, lies in the testdata of each package, so that
// without the folder only what others have written is not read.
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
		t.Skipf("not covered without shared/%s beside the repository, which is not the project's to ship", filepath.Join(elem...))
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
