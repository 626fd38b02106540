package sau

import "testing"

// What is plainly an answer in another form is named; what may be a remark is not.
func TestHint(t *testing.T) {
	for _, line := range []string{"MOVE AGBF", "Move AGBF", "bestmove AGBF", "move: AGBF", "AGBF", "JJ@@", "AJBIAJ", "1 ABC", "MOVE pass"} {
		if text, plain := hint([]byte(line)); !plain || text == "" {
			t.Errorf("%q is not plainly an answer: %q", line, text)
		}
	}
	for _, line := range []string{"", "name x", "move AGBF", "OK", "depth 5", "A G B F", "hello", "moves 12", "AB"} {
		if text, plain := hint([]byte(line)); plain {
			t.Errorf("%q: %s", line, text)
		}
	}
}
