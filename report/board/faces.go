package board

import (
	_ "embed"
	"strings"
)

//go:embed faces.txt
var faces string

// face returns the outline of the character on a piece of Chinese dark chess, empty for
// other letters. A thousand of its units are the height of a line.
func face(piece byte) string {
	for line := range strings.Lines(faces) {
		if line[0] == piece && line[1] == ' ' {
			_, outline, _ := strings.Cut(line[2:], " ")
			return strings.TrimSpace(outline)
		}
	}
	return ""
}
