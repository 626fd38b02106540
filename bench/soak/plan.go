//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// plan is a run: who plays what.
type plan struct {
	field    *field
	entrants []entrant
	rounds   int
	together int // games at a time
	seed     uint64
}

// clockOf is the clock of who is not to lose on time, however busy the machine is.
const clockOf = 60

// latest is the last move at which faults happen: no game is over before.
const latest = 3

// startLimit is how many seconds an engine has to become ready.
const startLimit = 10

// newPlan draws the faulty engines of a run.
func newPlan(f *field, list []*fault, r *rand.Rand, dir string, long bool) *plan {
	p := &plan{field: f, entrants: f.honest(dir, !long), rounds: 2, together: 2 + r.IntN(3), seed: 1 + r.Uint64N(1<<40)}
	for i, x := range list {
		p.entrants = append(p.entrants, p.faulty(x, i, r, dir))
	}
	if long {
		p.rounds = 2000
	}
	return p
}

// faulty is an engine with a fault.
func (p *plan) faulty(x *fault, n int, r *rand.Rand, dir string) entrant {
	e := entrant{name: fmt.Sprintf("%s-%d", x.mode, n+1), fault: x}
	at := ""
	if !strings.Contains(x.flags, "-at") {
		at = fmt.Sprintf("-at %d ", 1+r.IntN(latest))
	}
	flags := strings.TrimSpace(at + x.flags)
	flags += target(x.mode, dir)
	e.keys = []string{p.field.program(dir, "-mode "+x.mode+" "+flags), fmt.Sprintf("proto = '%s'", p.field.proto)}
	for k := range strings.FieldsSeq(x.keys) {
		key, value, _ := strings.Cut(k, "=")
		e.keys = append(e.keys, fmt.Sprintf("%s = '%s'", key, value))
	}
	wants := x.wants(p.field.proto)
	if slices.Contains(wants, "time") && !strings.Contains(x.keys, "st=") {
		e.keys = append(e.keys, fmt.Sprintf("st = %s", short))
	}
	restarts := []string{"auto", "game"}
	if slices.Equal(wants, []string{fine}) {
		restarts = append(restarts, "never")
	}
	if p.field.proto == "nboard" && slices.Contains(wants, "time") {
		restarts = []string{"game"} // who has lost on time is asked again, and would not fail in the next game
	}
	if x.mode == "crashonend" || x.mode == "exitonend" {
		restarts = []string{"auto"}
	}
	e.keys = append(e.keys, fmt.Sprintf("restart = '%s'", restarts[r.IntN(len(restarts))]))
	return e
}

// target is what a fault reaches for.
func target(mode, dir string) string {
	switch mode {
	case "read", "write", "remove":
		return fmt.Sprintf(" -target \"%s/secret\"", dir)
	case "connect", "udp":
		return " -target 127.0.0.1:9"
	}
	return ""
}

// file is the run as kibitz run reads it. Without faults it is the same run, all of
// whose engines are honest.
func (p *plan) file(dir string, faults bool, rounds int) string {
	var b strings.Builder
	together := p.together
	if !faults {
		together = 1
	}
	fmt.Fprintf(&b, "game = '%s'\nformat = 'gauntlet'\nseeds = %d\ngames = 2\nrounds = %d\nconcurrency = %d\n", p.field.game, gauntlet,
		rounds, together)
	fmt.Fprintf(&b, "max-moves = %d\nstart-limit = %d\nseed = %d\nsecret = '%064x'\n\n[each]\nst = %d\n", p.field.plies, startLimit, p.seed,
		p.seed, clockOf)
	for _, e := range p.entrants {
		keys := e.keys
		if e.fault != nil && !faults {
			keys = []string{p.field.program(dir, "-mode none"), fmt.Sprintf("proto = '%s'", p.field.proto)}
		}
		fmt.Fprintf(&b, "\n[[engine]]\nname = '%s'\n%s\n", e.name, strings.Join(keys, "\n"))
	}
	return b.String()
}

// find returns an engine of the run by its name.
func (p *plan) find(name string) *entrant {
	for i := range p.entrants {
		if p.entrants[i].name == name {
			return &p.entrants[i]
		}
	}
	return nil
}
