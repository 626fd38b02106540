package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestParity checks that docs/parity.md has every identifier once with a state,
// that what works or works in part is proved, and that the proofs exist.
func TestParity(t *testing.T) {
	data, err := os.ReadFile("../../docs/parity.md")
	if err != nil {
		t.Fatal(err)
	}
	id := regexp.MustCompile(`^[A-Z]\d+$`)
	want := map[string]bool{}
	for letter, n := range map[string]int{
		"N": 6, "P": 6, "S": 6, "D": 7, "G": 6, "T": 9, "H": 12,
		"F": 2, "A": 2, "Z": 1, "U": 9, "W": 3, "V": 3, "Q": 5, "K": 2, "L": 1, // the second round
	} {
		for i := range n {
			want[letter+strconv.Itoa(i+1)] = true
		}
	}
	for line := range strings.Lines(string(data)) {
		col := strings.Split(line, "|")
		if len(col) != 6 || !id.MatchString(strings.TrimSpace(col[1])) {
			continue
		}
		name, state, proof := strings.TrimSpace(col[1]), strings.TrimSpace(col[2]), col[4]
		if !want[name] {
			t.Errorf("%s is unknown, or stands there twice", name)
		}
		delete(want, name)
		switch state {
		case "works", "in part":
			if !strings.Contains(proof, "`") {
				t.Errorf("%s: no proof", name)
			}
		case "not yet":
		default:
			t.Errorf("%s: state %q", name, state)
		}
	}
	for name := range want {
		t.Errorf("%s is missing", name)
	}
	if n := proofsExist(t, string(data)); n < 50 {
		t.Errorf("only %d proofs were recognised", n)
	}
}

// TestPageProofs checks that each number of the specification of pages, of those that a first visitor
// meets, has a row with a proof.
func TestPageProofs(t *testing.T) {
	data, err := os.ReadFile("../../docs/parity.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]int{}
	for line := range strings.Lines(string(data)) {
		if col := strings.Split(line, "|"); len(col) == 4 && strings.Contains(col[2], "`") {
			for id := range strings.FieldsSeq(col[1]) {
				rows[id]++
			}
		}
	}
	for _, part := range [][2]int{{20, 30}, {33, 36}, {41, 41}, {50, 55}, {60, 63}, {66, 67}, {70, 89}, {110, 113}, {123, 125}} {
		for n := part[0]; n <= part[1]; n++ {
			if id := "W" + strconv.Itoa(n); rows[id] != 1 {
				t.Errorf("%s has %d rows", id, rows[id])
			}
		}
	}
}

// TestPlatforms checks that the pages of other platforms name a test that exists in each row,
// but where the row says that nothing does it here.
func TestPlatforms(t *testing.T) {
	pages, err := filepath.Glob("../../docs/platforms/*.md")
	if err != nil || len(pages) != 4 {
		t.Fatalf("the pages are %v, %v", pages, err)
	}
	for _, page := range pages {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if n := proofsExist(t, string(data)); n < 15 {
			t.Errorf("%s: only %d proofs were recognised", page, n)
		}
		for line := range strings.Lines(string(data)) {
			col := strings.Split(line, "|")
			if len(col) == 5 && !strings.Contains(col[3], "`") && !strings.Contains(col[2], "not ") && !strings.Contains(line, "---") &&
				!strings.HasPrefix(line, "| section") {
				t.Errorf("%s: no test in %s", page, line)
			}
		}
	}
}

// proofsExist checks that the tests that a page names exist, and counts them.
func proofsExist(t *testing.T, page string) int {
	t.Helper()
	for _, p := range regexp.MustCompile("`browser ([^`]+)`").FindAllStringSubmatch(page, -1) {
		if !browserTestExists(t, p[1]) {
			t.Errorf("no test in Chromium is called %q", p[1])
		}
	}
	proofs := regexp.MustCompile("`([a-z0-9/]+) ((?:Test|Fuzz)\\w+|[a-z]+\\.txt)`").FindAllStringSubmatch(page, -1)
	for _, p := range proofs {
		if !proofExists(t, p[1], p[2]) {
			t.Errorf("there is no %s %s", p[1], p[2])
		}
	}
	return len(proofs)
}

// TestFindings checks that the tests and scripts that docs/measured/findings.md names exist: of a row,
// the last cell is a list of "folder `Test` `Test`" and "script `file`".
func TestFindings(t *testing.T) {
	data, err := os.ReadFile("../../docs/measured/findings.md")
	if err != nil {
		t.Fatal(err)
	}
	part := regexp.MustCompile("([a-z0-9/]+) ((?:`[^`]+` ?)+)")
	n := 0
	for _, row := range regexp.MustCompile(`(?m)^\|.*\|([^|]+)\|$`).FindAllStringSubmatch(string(data), -1) {
		for _, p := range part.FindAllStringSubmatch(row[1], -1) {
			for _, name := range regexp.MustCompile("`((?:Test|Fuzz)\\w+|[a-z_]+\\.txt)`").FindAllStringSubmatch(p[2], -1) {
				n++
				if !proofExists(t, p[1], name[1]) {
					t.Errorf("there is no %s %s: %s", p[1], name[1], row[0])
				}
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d tests were recognised", n)
	}
}

// browserTestExists looks for a test among those that run in Chromium; of tests that are
// made for several games, the name is what follows the game.
func browserTestExists(t *testing.T, name string) bool {
	t.Helper()
	files := filepath.Join("..", "..", "hall", "web", "test", "*.browser.ts")
	return len(name) > 6 && (anyHolds(t, files, "test('"+name) || anyHolds(t, files, "test(`"+name)) || anyHolds(t, files, "} "+name+"`, async")
}

func proofExists(t *testing.T, where, name string) bool {
	t.Helper()
	if where == "script" {
		_, err := os.Stat(filepath.Join("testdata", "script", name))
		return err == nil
	}
	return anyHolds(t, filepath.Join("..", "..", filepath.FromSlash(where), "*_test.go"), "\nfunc "+name+"(")
}

// anyHolds reports whether a text stands in any file that fits a pattern.
func anyHolds(t *testing.T, pattern, text string) bool {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), text) {
			return true
		}
	}
	return false
}
