package main

import (
	"strings"
	"testing"
	"time"

	"kibitz/bench/people"
	"kibitz/internal/testbin"
)

// Twelve visitors who hurry, on a hall with default options: all that is found of a load
// of people is found of them, but for how quick the hall is, which a machine that tests
// cannot tell.
func TestPeople(t *testing.T) {
	if testing.Short() {
		t.Skip("half a minute of twelve visitors")
	}
	program, remove, err := testbin.Build("kibitz/cmd/kibitz")
	if err != nil {
		t.Fatal(err)
	}
	defer remove()
	o, err := parsePeople(strings.Fields("-visitors 12 -for 15s -scale 0.01 -grace 10s -probe 1s -seed 3 -kibitz " + program + " -dir " + t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	o.config.Script.Clocks = []string{"4+0", "4+1", "inf"}
	o.config.Slack = 12
	out, err := o.run(t.Context(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range out.Kinds() {
		for _, line := range out.Found(kind) {
			t.Errorf("%s: %s", kind, line)
		}
	}
	left := 0
	for _, state := range people.States() {
		left += out.Counts("left, " + string(state))
	}
	if out.Counts("games") < 20 || out.Counts("moves") < 50 || left < 10 || len(out.Times("probe")) == 0 {
		t.Errorf("%d games, %d moves, %d left, %d probes: too few to tell anything", out.Counts("games"), out.Counts("moves"), left, len(out.Times("probe")))
	}
}
