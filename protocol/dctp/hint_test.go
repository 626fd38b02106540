package dctp

import "testing"

// What is plainly an answer in another form is named; what may be a remark is not.
func TestHint(t *testing.T) {
	for _, line := range []string{"= 12 c5 c6", "? 12 error", "=", "= c5 c6", "c5 c6", "c5-c6", "=c5 c6", "  =12 c5 c6 ", "\t=7"} {
		if text, plain := hint([]byte(line)); !plain || text == "" {
			t.Errorf("%q is not plainly an answer: %q", line, text)
		}
	}
	for _, line := range []string{"", "=7", "=12 c5 c6", "get= 7 reset_board", "-----", "8 - - K -", "==", "red", "12 c5"} {
		if text, plain := hint([]byte(line)); plain {
			t.Errorf("%q: %s", line, text)
		}
	}
}
