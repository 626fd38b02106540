package sau

import (
	"strings"
	"testing"
)

// What is plainly an answer in another form is named; what may be a remark is not.
func TestHint(t *testing.T) {
	for _, line := range []string{"MOVE AGBF", "Move AGBF", "bestmove AGBF", "move: AGBF", "AGBF", "JJ@@", "AJBIAJ", "1 ABC", "MOVE pass", "moveOHBF", "Movepass", "moveOH", "move1 ABC"} {
		if text, plain := hint([]byte(line)); !plain || text == "" {
			t.Errorf("%q is not plainly an answer: %q", line, text)
		}
	}
	for _, line := range []string{"", "name x", "move AGBF", "OK", "depth 5", "A G B F", "hello", "moves 12", "AB", "moveOHBF is next", "movement", "moving", "removeOHBF"} {
		if text, plain := hint([]byte(line)); plain {
			t.Errorf("%q: %s", line, text)
		}
	}
}

// A move behind other words may be a remark: the switch is named, and the answer is waited for.
func TestHintBehind(t *testing.T) {
	for line, want := range map[string]bool{
		"I think move OHBF": true, "move: I take move pass": true, "12 s move JJ@@ ": true, "Zug:\tmove AB": true,
		"I remove OHBF": false, "my move is hard": false, "the next move": false, "move OHBF": false, "a move OHBF is best": false,
	} {
		text, plain := hint([]byte(line))
		if plain || strings.Contains(text, "dialect.scan=any") != want {
			t.Errorf("%q: %q, plainly %v", line, text, plain)
		}
	}
}
