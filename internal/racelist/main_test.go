package main

import (
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestStarts(t *testing.T) {
	for text, want := range map[string]bool{
		"go f()":                          true,
		"var wg sync.WaitGroup; wg.Go(f)": true,
		"time.AfterFunc(1, f)":            true,
		"t.Parallel()":                    true,
		"f(); x.Stop(); <-c":              false,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\nfunc g() {\n"+text+"\n}\n", parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if starts(f) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}

// A package is named if it or its tests start goroutines or use what calls back; where
// packages hand things on, also if what they use within the module does. What has no tests
// is not named.
func TestShow(t *testing.T) {
	list := []*pkg{
		{Path: "kibitz/plain", Uses: []string{"strings"}, HasTests: true},
		{Path: "kibitz/own", Starts: true, HasTests: true},
		{Path: "kibitz/tests", TestStarts: true, HasTests: true},
		{Path: "kibitz/near", Uses: []string{"kibitz/own"}},
		{Path: "kibitz/far", Uses: []string{"kibitz/near"}, HasTests: true},
		{Path: "kibitz/hall/far", Uses: []string{"kibitz/near"}, HasTests: true},
		{Path: "kibitz/match", TestUses: []string{"kibitz/near"}, HasTests: true},
		{Path: "kibitz/match/plain", Uses: []string{"kibitz/plain"}, HasTests: true},
		{Path: "kibitz/served", TestUses: []string{"net/http/httptest"}, HasTests: true},
		{Path: "kibitz/queue", Uses: []string{"github.com/nats-io/nats.go"}, HasTests: true},
		{Path: "kibitz/used", TestUses: []string{"kibitz/plain"}, HasTests: true},
		{Path: "kibitz/beside", TestUses: []string{"kibitz/tests"}, HasTests: true},
	}
	var b bytes.Buffer
	if err := show(&b, list); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(strings.Fields(b.String()), " "); got != "kibitz/own kibitz/tests kibitz/hall/far kibitz/match kibitz/served kibitz/queue" {
		t.Errorf("named: %s", got)
	}
}

// The folders in which packages hand things on are there.
func TestHanding(t *testing.T) {
	list, err := read("kibitz/...")
	if err != nil {
		t.Fatal(err)
	}
	for _, top := range handing {
		if !slices.ContainsFunc(list, func(p *pkg) bool { return p.Path == "kibitz/"+top || strings.HasPrefix(p.Path, "kibitz/"+top+"/") }) {
			t.Errorf("there is no package below %s", top)
		}
	}
}

// Each test that the script leaves out is there.
func TestSkipped(t *testing.T) {
	script, err := os.ReadFile("../../scripts/race")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(script), "skip=(")
	list, _, found := strings.Cut(rest, "\n)")
	if !found {
		t.Fatal("scripts/race has no list of tests")
	}
	tests := testNames(t, "../..")
	for line := range strings.Lines(list) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "#") {
			continue
		}
		for word := range strings.FieldsSeq(line) {
			name, _, _ := strings.Cut(strings.Trim(word, "'"), "/")
			r := regexp.MustCompile("^(" + name + ")")
			if !slices.ContainsFunc(tests, r.MatchString) {
				t.Errorf("there is no test %s", word)
			}
		}
	}
}

// testNames are the tests of a folder and all below it.
func testNames(t *testing.T, root string) (list []string) {
	t.Helper()
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		data, err := os.ReadFile(path)
		for _, m := range declared.FindAllStringSubmatch(string(data), -1) {
			list = append(list, m[1])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}
