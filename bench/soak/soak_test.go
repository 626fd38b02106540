//go:build linux

package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"
)

// One short run through all of the machinery: the same games alone, then with faults.
func TestShortRun(t *testing.T) {
	if testing.Short() {
		t.Skip("some dozens of processes")
	}
	dir := t.TempDir()
	p, err := build(dir)
	if err != nil {
		t.Fatal(err)
	}
	var talk bytes.Buffer
	s, err := newSoak(dir, p, 1, &talk)
	if err != nil {
		t.Fatal(err)
	}
	s.only, s.faults = "gomoku/piskvork", 4
	s.decks[s.only] = some(t, "crash", "daemon", "zombies", "bytewise")
	if err := s.short(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if len(s.findings) > 0 {
		t.Errorf("%s", talk.String())
	}
	all, honest, wrong := s.games()
	if all != 56 || honest != 24 || wrong != 0 || s.moves < 40 {
		t.Errorf("%d games, %d of honest engines, %d wrong, %d held to others\n%s", all, honest, wrong, s.moves, talk.String())
	}
	if left := entries(dir); slices.ContainsFunc(left, func(f string) bool { return strings.Contains(f, "run-") }) {
		t.Errorf("the folder of a run in which nothing was found is there: %v", left)
	}
}

// listed are the faults of a soak.
func listed(t *testing.T) []fault {
	t.Helper()
	list, err := faults()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// some returns the first fault of each mode.
func some(t *testing.T, modes ...string) []*fault {
	t.Helper()
	var out []*fault
	list := listed(t)
	for _, mode := range modes {
		i := slices.IndexFunc(list, func(f fault) bool { return f.mode == mode })
		out = append(out, &list[i])
	}
	return out
}

// Every fault is told from every other and is played somewhere, and what is right is a
// verdict.
func TestFaults(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range listed(t) {
		if name := f.name(); seen[name] {
			t.Errorf("%s stands twice", name)
		}
		seen[f.name()] = true
		played := 0
		for _, l := range fields() {
			if !f.knows(l.proto) {
				continue
			}
			played++
			for _, w := range f.wants(l.proto) {
				if w != fine && !isVerdict(w) {
					t.Errorf("%s, %s: %q is no verdict", f.name(), l.proto, w)
				}
			}
		}
		if played == 0 {
			t.Errorf("%s is played in no field", f.name())
		}
	}
}

func winner(name string) *string { return &name }

func TestVerdict(t *testing.T) {
	p := &plan{field: &fields()[0], entrants: []entrant{{name: "scan"}, {name: "random"}, {name: "crash-1", fault: some(t, "crash")[0]}, {name: "fork-2", fault: some(t, "fork")[0]}}}
	for _, tt := range []struct {
		g     played
		wrong string
	}{
		{played{First: "scan", Second: "crash-1", Winner: winner("scan"), Reason: "crash", Detail: "crash-1: the engine ended"}, ""},
		{played{First: "crash-1", Second: "scan", Winner: winner("scan"), Reason: "time", Detail: "crash-1: late"}, "want crash"},
		{played{First: "crash-1", Second: "scan", Winner: winner("crash-1"), Reason: "crash", Detail: "crash-1: the engine ended"}, "has not won"},
		{played{First: "crash-1", Second: "scan", Reason: "crash", Detail: "crash-1: the engine ended"}, "has not won"},
		{played{First: "crash-1", Second: "scan", Winner: winner("scan"), Reason: "crash", Detail: "scan: the engine ended"}, "not about crash-1"},
		{played{First: "crash-1", Second: "scan", Winner: winner("scan"), Reason: "five"}, "want crash"},
		{played{First: "fork-2", Second: "scan", Winner: winner("fork-2"), Reason: "five"}, ""},
		{played{First: "fork-2", Second: "scan", Reason: "adjudication"}, ""},
		{played{First: "fork-2", Second: "scan", Winner: winner("scan"), Reason: "crash", Detail: "fork-2: the engine ended"}, "want fine"},
		{played{First: "random", Second: "scan", Winner: winner("scan"), Reason: "five"}, ""},
		{played{First: "random", Second: "scan", Winner: winner("scan"), Reason: "time", Detail: "random: late"}, "want fine"},
		{played{First: "random", Second: "scan", Reason: "abort"}, "want fine"},
		{played{First: "random", Second: "somebody", Reason: "five"}, "does not play"},
		{played{First: "fork-2", Second: "crash-1", Reason: "five"}, "two faulty"},
	} {
		if got := p.verdict(&tt.g); got != tt.wrong && (tt.wrong == "" || !strings.Contains(got, tt.wrong)) {
			t.Errorf("%+v: %q, want %q", tt.g, got, tt.wrong)
		}
	}
}

func TestMoves(t *testing.T) {
	p := &plan{field: &fields()[0], entrants: []entrant{{name: "scan"}, {name: "random"}, {name: "crash-1", fault: some(t, "crash")[0]}}}
	ref := &reference{byID: map[string]string{"000001": "a1 b1 c1"}, byPairing: map[string]string{"scan crash-1": "a1 b1 c1 d1"}}
	for _, tt := range []struct {
		g       played
		moves   string
		right   bool
		checked bool
	}{
		{played{ID: "000001", First: "random", Second: "scan", Reason: "five"}, "a1 b1 c1", true, true},
		{played{ID: "000001", First: "random", Second: "scan", Reason: "five"}, "a1 b1", false, true},
		{played{ID: "000002", First: "random", Second: "scan", Reason: "five"}, "a1 b1", true, false},
		{played{ID: "000009", First: "scan", Second: "crash-1", Reason: "crash"}, "a1 b1", true, true},
		{played{ID: "000009", First: "scan", Second: "crash-1", Reason: "crash"}, "", true, true},
		{played{ID: "000009", First: "scan", Second: "crash-1", Reason: "crash"}, "a1 b2", false, true},
		{played{ID: "000009", First: "scan", Second: "crash-1", Reason: "crash"}, "a1 b", false, true},
		{played{ID: "000009", First: "scan", Second: "crash-1", Reason: "five"}, "a1 b1", false, true},
	} {
		wrong, checked := p.moves(&tt.g, tt.moves, ref)
		if (wrong == "") != tt.right || checked != tt.checked {
			t.Errorf("%+v %s: %q, %v", tt.g, tt.moves, wrong, checked)
		}
	}
}

// A rise is told from a level that goes up and down.
func TestLeaks(t *testing.T) {
	level := func(rise float64) []sample {
		var all []sample
		for i := range 100 {
			n := 40 + i%7 + int(rise*float64(i))
			all = append(all, sample{at: time.Duration(i) * time.Second, games: 10 * i, descriptors: n, threads: 20, memory: 30 << 20})
		}
		return all
	}
	for _, tt := range []struct {
		rise float64
		leak bool
	}{{0, false}, {0.1, false}, {0.5, true}, {2, true}} {
		var leaks []string
		for _, c := range courses(level(tt.rise)) {
			if c.leaks() {
				leaks = append(leaks, c.what)
			}
		}
		if got := slices.Equal(leaks, []string{"file descriptors"}); got != tt.leak || !tt.leak && len(leaks) > 0 {
			t.Errorf("a rise of %v: %v", tt.rise, leaks)
		}
	}
	if courses(level(1)[:5]) != nil {
		t.Error("five samples are enough to tell")
	}
}
