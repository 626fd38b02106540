package term

import (
	"bytes"
	"testing"
)

// What strangers wrote into records does nothing to a terminal, however it is cut into
// writes; our own colours pass.
func TestHarmless(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"plain, 黑 ♞\tand\nmore", "plain, 黑 ♞\tand\nmore"},
		{"\x1b[1;36mours\x1b[0m", "\x1b[1;36mours\x1b[0m"},
		{"\x1b]52;c;aGk=\x07", "�]52;c;aGk=�"},
		{"\x1b[2J\x1b[H", "�[2J�[H"},
		{"\u009b2J\x9b2J", "�2J�2J"},
		{"over\rwritten\r\n", "overwritten\n"},
		{"\x1b[1;2;3;4m!", "\x1b[1;2;3;4m!"},
		{"\x00\x7f", "��"},
	} {
		for cut := range len(tt.in) {
			var b bytes.Buffer
			o := &Output{Writer: &b, Plain: true}
			for _, part := range []string{tt.in[:cut], tt.in[cut:]} {
				if n, err := o.Write([]byte(part)); n != len(part) || err != nil {
					t.Fatal(n, err)
				}
			}
			if b.String() != tt.want {
				t.Errorf("%q cut at %d: %q, want %q", tt.in, cut, b.String(), tt.want)
			}
		}
	}
}
