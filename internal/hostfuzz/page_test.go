package hostfuzz

import (
	"bufio"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	targetLine = regexp.MustCompile(`^func (Fuzz[A-Z]\w*)\(\w+ \*testing\.F\)`)
	pageRow    = regexp.MustCompile("^\\| `([^`]+)` (Fuzz\\w+) \\| ([^|]*) \\|")
)

// TestPage holds docs/measured/fuzzing.md to the code: each fuzz target of the module has one
// row that says what it reads, and there is no other row.
func TestPage(t *testing.T) {
	rows := map[string]string{}
	eachLine(t, "../../docs/measured/fuzzing.md", func(line string) {
		if m := pageRow.FindStringSubmatch(line); m != nil {
			key := m[1] + " " + m[2]
			if _, twice := rows[key]; twice {
				t.Errorf("%s has two rows", key)
			}
			rows[key] = strings.TrimSpace(m[3])
		}
	})
	targets := map[string]bool{}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		dir, err := filepath.Rel("../..", filepath.Dir(path))
		if err != nil {
			return err
		}
		eachLine(t, path, func(line string) {
			if m := targetLine.FindStringSubmatch(line); m != nil {
				targets[filepath.ToSlash(dir)+" "+m[1]] = true
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(targets) < 80 {
		t.Errorf("only %d targets were found", len(targets))
	}
	for key := range targets {
		if rows[key] == "" {
			t.Errorf("docs/measured/fuzzing.md does not say what %s reads", key)
		}
	}
	for key := range rows {
		if !targets[key] {
			t.Errorf("docs/measured/fuzzing.md has a row for %s, which there is not", key)
		}
	}
}

func eachLine(t *testing.T, name string, do func(line string)) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		do(sc.Text())
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
}
