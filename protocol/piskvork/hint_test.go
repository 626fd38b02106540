package piskvork

import "testing"

// What is plainly an answer in another form is named; what may be a remark is not.
func TestHint(t *testing.T) {
	for _, line := range []string{"(7,7)", "7;7", "7 7", "7.7", "[7, 7]", "h8", "H 8", "move 7,7", "Best move: 7,7", "<7,7>", "7.0,6.0", "7., 6.00", "(7.0,6.0)"} {
		if text, plain := hint([]byte(line)); !plain || text == "" {
			t.Errorf("%q is not plainly an answer: %q", line, text)
		}
	}
	for _, line := range []string{"", "7,7", "OK", "MESSAGE depth 3", "depth 5 1,2", "7", "ev 1.2", "1 2 3", "h8 h9 j10", "time 7", "...", "x", "7,7 8,8 9", "7.5,6.0", "0.35,1.2", "7.0 6.0"} {
		if text, plain := hint([]byte(line)); plain {
			t.Errorf("%q: %s", line, text)
		}
	}
}
