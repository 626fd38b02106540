// Package names knows what openings are called: those of Othello, and the 26 of renju.
package names

import (
	_ "embed" // the lists
	"iter"
	"strings"

	"kibitz/rules"
)

//go:embed othello.txt
var othello string

//go:embed renju.txt
var renju string

// Of yields the named openings of a game: moves as the game writes them, and the name of the position
// that they lead to. Most games have none.
func Of(r rules.Rules) iter.Seq2[[]string, string] {
	list := ""
	switch s := r.Spec(); {
	case s.ID() == "othello":
		list = othello
	case s.ID() == "gomoku" && r.Doc().Width == 15 && strings.Contains(string(s), "rule=renju"):
		list = renju
	}
	return func(yield func([]string, string) bool) {
		for line := range strings.Lines(list) {
			moves, name, ok := strings.Cut(strings.TrimSpace(line), ": ")
			if ok && !strings.HasPrefix(line, "#") && !yield(strings.Fields(moves), name) {
				return
			}
		}
	}
}
