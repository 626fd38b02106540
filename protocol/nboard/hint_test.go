package nboard

import "testing"

// What is plainly an answer in another form is named; what may be a remark is not.
func TestHint(t *testing.T) {
	for _, line := range []string{"F5", "f5/1.2/0.1", "= F5", "==F5", "== d3", "Best move: D3", "move F5", "pass", "PA", "==== F5", "=====  pa"} {
		if text, plain := hint([]byte(line)); !plain || text == "" {
			t.Errorf("%q is not plainly an answer: %q", line, text)
		}
	}
	for _, line := range []string{"", "search f5 0 0 1", "best line f5d6", "f5 d6 c3", "status", "Best move so far: D3", "--------", "==== game 5", "==== F5 ====", "=====", "depth 5"} {
		if text, plain := hint([]byte(line)); plain {
			t.Errorf("%q: %s", line, text)
		}
	}
}
