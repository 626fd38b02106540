package opening_test

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"kibitz/opening"
)

// TestSuites holds every suite to what its comment says: legal openings of whole
// turns that do not end the game, no two the same but for a symmetry, between 50 and
// 200 of them.
func TestSuites(t *testing.T) {
	for _, s := range opening.Suites() {
		r := open(t, string(s.Spec))
		if r.Spec() != s.Spec {
			t.Errorf("%s: %s is not canonical", s.Name, s.Spec)
		}
		l, err := read(s.Data, r)
		if err != nil {
			t.Errorf("%s: %v", s.Name, err)
			continue
		}
		if len(l) < 50 || len(l) > 200 {
			t.Errorf("%s has %d openings", s.Name, len(l))
		}
		made := comment(s.Data, "made by")
		if !strings.HasPrefix(made, fmt.Sprintf("kibitz openings %s --count %d ", s.Spec, len(l))) {
			t.Errorf("%s with %d openings was made by %q", s.Name, len(l), made)
		}
		if twice, err := opening.NewTurner(r).Duplicates(l); err != nil || len(twice) > 0 {
			t.Errorf("%s: the same twice: %v, %v", s.Name, twice, err)
		}
		for i := range l {
			st, err := l[i].State(r)
			if err != nil || st.Turn().Step != 0 || !st.Turn().Seat.IsPlayer() || l[i].Name != fmt.Sprint(i+1) {
				t.Errorf("%s, opening %s: %+v, %v", s.Name, l[i].Name, st.Turn(), err)
			}
		}
	}
}

// comment returns what a comment of a suite says behind a word.
func comment(data []byte, word string) string {
	for sc := bufio.NewScanner(bytes.NewReader(data)); sc.Scan(); {
		if rest, ok := strings.CutPrefix(sc.Text(), "# "+word+": "); ok {
			return rest
		}
	}
	return ""
}

// TestSuiteFor finds the suite for rules, or one that is near enough, or says what
// there is.
func TestSuiteFor(t *testing.T) {
	for spec, want := range map[string]string{
		"othello": "othello", "gomoku": "gomoku-freestyle-15", "gomoku:rule=renju": "gomoku-renju-15", "gomoku:size=20": "gomoku-freestyle-20",
		"phantomgo:komi=6.5": "phantomgo", "amazons:rulings=sau": "amazons",
		"gomoku:size=9":       "! no suite for gomoku:rule=freestyle,size=9: there are some for gomoku:rule=caro,size=15 and gomoku:rule=freestyle,size=15 and gomoku:rule=freestyle,size=20 and gomoku:rule=renju,size=15 and gomoku:rule=standard,size=15",
		"nogo:size=7":         "! no suite for nogo:size=7: there are some for nogo:size=9",
		"dotsandboxes:size=4": "! no suite for dotsandboxes:size=4: there are some for dotsandboxes:size=5",
	} {
		s, err := opening.SuiteFor(opening.Balance, open(t, spec))
		if bad, ok := strings.CutPrefix(want, "! "); ok {
			if err == nil || err.Error() != bad {
				t.Errorf("%s: %v, want %s", spec, err, bad)
			}
			continue
		}
		if err != nil || s.Name != want {
			t.Errorf("%s: %s, %v", spec, s.Name, err)
		}
	}
	if _, err := opening.SuiteFor("sharp", open(t, "othello")); err == nil || !strings.Contains(err.Error(), "suite=balanced") {
		t.Error(err)
	}
}
