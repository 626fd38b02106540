package main

import (
	"regexp"
	"strings"
	"testing"

	"kibitz/link"
)

var _ link.Conn = (*served)(nil)

// Every mode has a name of its own, one line of description, and something that does it.
func TestModes(t *testing.T) {
	seen := map[string]bool{}
	name := regexp.MustCompile(`^[a-z0-9]+$`)
	for _, m := range modes() {
		if !name.MatchString(m.name) || seen[m.name] {
			t.Errorf("mode %q: the name is odd or taken", m.name)
		}
		seen[m.name] = true
		if m.doc == "" || strings.ContainsAny(m.doc, "\n\t|") {
			t.Errorf("mode %s: the description %q is no line", m.name, m.doc)
		}
		if (m.run == nil && m.first == nil) != (m.when == always) {
			t.Errorf("mode %s: when it happens and what it does disagree", m.name)
		}
	}
	if !seen["none"] || !seen["crash"] {
		t.Error("modes are missing")
	}
}

func TestFind(t *testing.T) {
	for _, c := range []struct {
		name string
		at   int
		want string // of the error
	}{
		{"", 1, ""},
		{"none", 0, ""},
		{"crash", 0, ""},
		{"crash", 7, ""},
		{"illegal", 0, "write a move from 1 on"},
		{"crash", -1, "-at -1"},
		{"explode", 1, "there is no such mode"},
	} {
		m, err := find(c.name, c.at)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q at %d: %v, want %q", c.name, c.at, err, c.want)
		}
		if err == nil && m.name == "" {
			t.Errorf("%q has no mode", c.name)
		}
	}
}

// What is random is the same each time.
func TestNoise(t *testing.T) {
	if a, b := string(noiseBytes(4096)), string(noiseBytes(4096)); a != b || strings.Count(a, a[:1]) > 100 {
		t.Error("the noise is no noise, or not always the same")
	}
}
