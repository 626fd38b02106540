package gtp

import "testing"

// What is plainly an answer in another form is named; what may be a remark is not.
func TestHint(t *testing.T) {
	for _, line := range []string{"D4", "d10", "pass", "resign", "move D4", "best move: D4"} {
		if text, plain := hint([]byte(line)); !plain || text == "" {
			t.Errorf("%q is not plainly an answer: %q", line, text)
		}
	}
	for _, line := range []string{"", "= D4", "? no", "depth 5", "D4 E5 F6", "bestline"} {
		if text, plain := hint([]byte(line)); plain {
			t.Errorf("%q: %s", line, text)
		}
	}
}

// An engine of another protocol is told apart by its answer.
func TestHintForeign(t *testing.T) {
	for line, want := range map[string]string{"UNKNOWN command": "it answers as Piskvork does: proto=piskvork", "hello": ""} {
		if text, _ := hint([]byte(line)); text != want {
			t.Errorf("%q: %q", line, text)
		}
	}
}
