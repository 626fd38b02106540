package main

import (
	"context"
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
	o.config.Enough = func(l *people.Ledger) bool {
		left := 0
		for _, state := range people.States() {
			left += l.Counts("left, " + string(state))
		}
		return l.Counts("games") >= 20 && l.Counts("moves") >= 50 && left >= 10 && len(l.Times("probe")) > 0
	}
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Minute)
	defer cancel()
	out, err := o.run(ctx, time.Now)
	if err != nil {
		t.Fatalf("too little to tell anything, or %v", err)
	}
	for _, kind := range out.Kinds() {
		for _, line := range out.Found(kind) {
			t.Errorf("%s: %s", kind, line)
		}
	}
}
