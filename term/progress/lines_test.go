package progress

import (
	"bytes"
	"testing"
	"time"
)

// Where there is no terminal a line comes each ten seconds, none at the end and none for the quiet.
func TestLines(t *testing.T) {
	for _, quiet := range []bool{false, true} {
		var out bytes.Buffer
		at := time.Unix(0, 0)
		p := NewLines(&out, 4, "openings", quiet, func() time.Time { return at })
		for i, done := range []int{0, 0, 1, 1, 2, 4} {
			at = time.Unix(int64(6*i), 0)
			p.Set(done, "9 evaluated")
		}
		p.Close()
		want := "1 of 4 openings, 9 evaluated, 36s left\n2 of 4 openings, 9 evaluated, 24s left\n"
		if quiet {
			want = ""
		}
		if out.String() != want {
			t.Errorf("quiet %v: got\n%swant\n%s", quiet, out.String(), want)
		}
	}
}
