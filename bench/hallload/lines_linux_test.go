//go:build linux

package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// The engine of the measurement speaks while it thinks, and each point is free.
func TestTalk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		in := "START 20\nINFO timeout_turn 0\nBEGIN\nTURN 1,0\nBOARD\n0,0,1\n1,0,2\n2,0,1\nDONE\nEND\n"
		if err := talk(strings.NewReader(in), &talker{out: &out, thinks: time.Second, every: 300 * time.Millisecond}); err != nil {
			t.Fatal(err)
		}
		said := regexp.MustCompile(`(MESSAGE printed at \d+\n){4}`).ReplaceAllString(out.String(), "said ")
		if want := "OK\nsaid 0,0\nsaid 2,0\nsaid 3,0\n"; said != want {
			t.Errorf("%q, want %q", said, want)
		}
	})
}

func TestPrinted(t *testing.T) {
	for event, want := range map[string]int64{
		`{"said":[{"text":"printed at 17"},{"text":"printed at 1764243837123456789"}]}`: 1764243837123456789,
		`{"said":[{"text":"depth 3"}]}`: 0,
		"printed at 5":                  5,
		"printed at x":                  0,
	} {
		if got := printed([]byte(event)); got != want {
			t.Errorf("%s: %d, want %d", event, got, want)
		}
	}
}
