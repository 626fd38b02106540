package sau_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"kibitz/internal/shared"
)

// TestTranscripts plays recorded conversations of public engines again: the lines of
// the engines come as they were recorded, noise included, and the host must say what
// the recorder said.
func TestTranscripts(t *testing.T) {
	for _, tt := range []struct{ file, spec, result string }{
		{"c6_arect_aspnetcs.log", "connect6", "black crash /segmentation fault/"},
		{"c6_arect_jlu.log", "connect6", "black six"},
		{"dab_self.log", "dotsandboxes", "white full"},
		{"amazons-selfplay-begin.log", "amazons", "black stall"}, // the recording stops in white's turn
	} {
		t.Run(tt.file, func(t *testing.T) {
			data := shared.Read(t, "transcripts", "sau", tt.file)
			script, gone := map[byte]string{}, map[byte]bool{}
			for l := range strings.Lines(string(data)) {
				l = strings.TrimRight(l, "\n")
				_, text, _ := strings.Cut(strings.TrimLeft(l, " "), " ") // the time
				if len(text) < 4 || strings.HasPrefix(text, "##") {
					continue
				}
				mark, side, body := text[:1], text[1], strings.TrimPrefix(text[2:], " ")
				switch {
				case mark == "!" && !gone[text[2]]:
					gone[text[2]] = true
					script[text[2]] += "!signal segmentation fault\n"
				case gone[side], body == "quit": // the recorder does not say end after a crash
				case mark == "<":
					script[side] += "<" + strconv.Quote(body+"\n") + "\n"
				case mark == ">":
					script[side] += "> " + body + "\n"
				}
			}
			if !strings.Contains(script['W'], "> move") || !strings.Contains(script['B'], `<"move`) {
				t.Fatalf("the recording %s is not understood", tt.file)
			}
			converse(t, fmt.Sprintf("-- match --\nspec %s\nstall 1m\ngame => %s\n-- black --\n%s\n-- white --\n%s\n", tt.spec, tt.result, script['B'], script['W']))
		})
	}
}
