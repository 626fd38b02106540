package ponder

import "testing"

// What is plainly an answer in another form is named; what may be a remark is not.
func TestHint(t *testing.T) {
	for _, line := range []string{"move a2-a3", "a2-a3", "flip b6", "b6", "Move a2 a3"} {
		if text, plain := hint([]byte(line)); !plain || text == "" {
			t.Errorf("%q is not plainly an answer: %q", line, text)
		}
	}
	for _, line := range []string{"", "/move a2-a3", "hello", "K", "a9", "depth 5"} {
		if text, plain := hint([]byte(line)); plain {
			t.Errorf("%q: %s", line, text)
		}
	}
}
