//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// soak is the whole: short runs one after another, and long ones beside them.
type soak struct {
	programs programs
	root     string
	seed     uint64
	only     string // a field, empty for all
	list     []fault
	faults   int // in a short run
	talk     io.Writer
	began    time.Time

	mu       sync.Mutex
	tally    map[string]*count // by field and fault
	findings []string
	warnings map[string]int // by kind
	longs    []*longRun
	runs     int
	alone    int // games of references
	moves    int // games that were held to the moves of the reference
	decks    map[string][]*fault
}

// count is what became of a fault in a field.
type count struct {
	field, fault string
	honest       bool
	games, wrong int
	reasons      map[string]int
}

// newSoak makes a soak in a folder.
func newSoak(root string, p programs, seed uint64, talk io.Writer) (*soak, error) {
	list, err := faults()
	return &soak{
		programs: p, root: root, seed: seed, list: list, faults: atOnce, talk: talk, began: time.Now(),
		tally: map[string]*count{}, warnings: map[string]int{}, decks: map[string][]*fault{},
	}, err
}

// random returns the source of run n.
func (s *soak) random(n int) *rand.Rand { return rand.New(rand.NewPCG(s.seed, uint64(n))) }

// atOnce is how many faults play in one run.
const atOnce = 8

// deal returns the next faults of a field: all come before any comes again.
func (s *soak) deal(f *field, r *rand.Rand, n int) []*fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := f.String()
	for len(s.decks[key]) < n {
		var deck []*fault
		for i := range s.list {
			if x := &s.list[i]; x.knows(f.proto) && (!x.rare || r.IntN(4) == 0) {
				deck = append(deck, x)
			}
		}
		r.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
		s.decks[key] = append(s.decks[key], deck...)
	}
	out := s.decks[key][:n:n]
	s.decks[key] = s.decks[key][n:]
	return out
}

// found takes note of what must not be.
func (s *soak) found(r *run, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	s.mu.Lock()
	defer s.mu.Unlock()
	if r != nil {
		text = filepath.Base(r.dir) + " (" + r.plan.field.String() + "): " + text
	}
	s.findings = append(s.findings, text)
	fmt.Fprintln(s.talk, "FOUND: "+text)
}

// short plays run n: alone and honest first, then with faults.
func (s *soak) short(ctx context.Context, n int) error {
	random := s.random(n)
	list := s.fields()
	f := &list[n%len(list)]
	r, err := newRun(filepath.Join(s.root, fmt.Sprintf("run-%05d", n)), s.programs)
	if err != nil {
		return err
	}
	r.plan = newPlan(f, s.deal(f, random, s.faults), random, r.dir, false)
	if f.proto == "readfile" {
		r.plan.rounds = 1
	}
	ref, err := s.reference(ctx, r, r.plan.rounds)
	if err != nil || ctx.Err() != nil {
		return err
	}
	if err := r.start(r.plan.file(r.dir, true, r.plan.rounds)); err != nil {
		return err
	}
	if err := r.wait(ctx); err != nil {
		s.found(r, "%v", err)
		return nil
	}
	return s.finish(r, ref, s.judge(r, 0))
}

// reference plays a run alone.
func (s *soak) reference(ctx context.Context, r *run, rounds int) (*reference, error) {
	if err := r.start(r.plan.file(r.dir, false, rounds)); err != nil {
		return nil, err
	}
	if err := r.wait(ctx); err != nil {
		return nil, fmt.Errorf("%s, honest engines alone: %w", r.dir, err)
	}
	games := r.since(0)
	moves, err := records(r.out())
	if err != nil {
		return nil, err
	}
	ref, err := newReference(r.plan, games, moves)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.dir, err)
	}
	s.mu.Lock()
	s.alone += len(games)
	s.mu.Unlock()
	return ref, nil
}

// judge judges the games after the first from, and returns whether all verdicts were
// right.
func (s *soak) judge(r *run, from int) (right bool) {
	right = true
	for _, g := range r.since(from) {
		wrong := r.plan.verdict(&g)
		if wrong != "" {
			right = false
			s.found(r, "game %s, %s - %s: %s", g.ID, g.First, g.Second, wrong)
		}
		s.count(r.plan, &g, wrong != "")
	}
	return right
}

// count enters a game into the tally.
func (s *soak) count(p *plan, g *played, wrong bool) {
	name, honest := "honest engines", true
	for _, who := range []string{g.First, g.Second} {
		if e := p.find(who); e != nil && e.fault != nil {
			name, honest = e.fault.name(), false
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := p.field.String() + " " + name
	c := s.tally[key]
	if c == nil {
		c = &count{field: p.field.String(), fault: name, honest: honest, reasons: map[string]int{}}
		s.tally[key] = c
	}
	c.games++
	if wrong {
		c.wrong++
	}
	reason := g.Reason
	if !isVerdict(reason) {
		reason = fine
	}
	c.reasons[reason]++
}

// finish looks at what a run that is over has kept and left, and removes it if nothing
// was wrong.
func (s *soak) finish(r *run, ref *reference, right bool) error {
	moves, err := records(r.out())
	if err != nil {
		return err
	}
	checked := 0
	for _, g := range r.since(0) {
		text, ok := moves[g.ID]
		if !ok {
			right = false
			s.found(r, "game %s is not among the records", g.ID)
			continue
		}
		wrong, known := r.plan.moves(&g, text, ref)
		if known {
			checked++
		}
		if wrong != "" {
			right = false
			s.found(r, "game %s, %s - %s (%s): %s", g.ID, g.First, g.Second, g.Reason, wrong)
		}
	}
	for _, text := range r.leftovers() {
		right = false
		s.found(r, "left behind: %s", text)
	}
	right = s.heed(r) && right
	s.mu.Lock()
	s.moves, s.runs = s.moves+checked, s.runs+1
	s.mu.Unlock()
	if !right {
		return os.WriteFile(filepath.Join(r.dir, "stderr"), []byte(r.stderr.String()), 0o600)
	}
	return r.remove()
}

// heed reads the warnings of a run. None may be about an honest engine.
func (s *soak) heed(r *run) bool {
	right := true
	for line := range strings.Lines(r.stderr.String()) {
		text, ok := strings.CutPrefix(strings.TrimSpace(line), "warning: ")
		if !ok {
			continue
		}
		about := ""
		for _, e := range r.plan.entrants {
			if strings.Contains(text, e.name+":") && len(e.name) > len(about) {
				about = e.name
			}
		}
		kind := "about the system"
		if e := r.plan.find(about); e != nil && e.fault != nil {
			kind = "about the faulty engine"
		} else if e != nil {
			right = false
			s.found(r, "a warning about an honest engine: %s", text)
		}
		s.mu.Lock()
		s.warnings[kind]++
		s.mu.Unlock()
	}
	return right
}

// fields are those that are played.
func (s *soak) fields() []field {
	return slices.DeleteFunc(fields(), func(f field) bool { return s.only != "" && s.only != f.String() })
}

// games counts the games so far, and those of honest engines alone.
func (s *soak) games() (all, honest, wrong int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range maps.Values(s.tally) {
		all, wrong = all+c.games, wrong+c.wrong
		if c.honest {
			honest += c.games
		}
	}
	return all, honest, wrong
}

// tell prints where the soak stands.
func (s *soak) tell() {
	all, honest, wrong := s.games()
	s.mu.Lock()
	defer s.mu.Unlock()
	load, _ := os.ReadFile("/proc/loadavg")
	fmt.Fprintf(s.talk, "%s: %d games, %d of them of honest engines, %d wrong; %d runs over, %d findings; load %s\n",
		time.Since(s.began).Round(time.Second), all, honest, wrong, s.runs, len(s.findings), strings.TrimSpace(string(load)))
	for _, l := range s.longs {
		if n := len(l.samples); n > 0 {
			fmt.Fprintf(s.talk, "  %-18s %s\n", l.field.String(), l.samples[n-1].row())
		}
	}
}
