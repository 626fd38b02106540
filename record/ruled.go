package record

import (
	"fmt"
	"strings"

	"kibitz/game"
)

// TagRuled is the tag of a game whose result a person has set: what was ruled, by whom and
// why, for people.
const TagRuled = "ruled"

// Rule puts the result that a person has set in the place of the game's own, and has the
// record say so, in a tag and in its comment. Steps and tags of other copies stay as they are.
func (g *Game) Rule(res game.Result, text string) {
	g.Result = &res
	g.Tags = append(g.Tags[:len(g.Tags):len(g.Tags)], Tag{TagRuled, text})
	g.Comment = strings.TrimLeft(g.Comment+"\nruled: "+text, "\n")
}

// rulings are the points that a person can give.
var rulings = [][2]float64{{1, 0}, {0, 1}, {0.5, 0.5}}

// Ruling is what was ruled as a line of a format that has no place for results: "ruled 0.5-0.5: draw,
// Ada: both had the same bug", with the points of the first seat and of the second. It is empty if
// the result is that of the game.
func (g *Game) Ruling() string {
	text, ok := g.Tag(TagRuled)
	if !ok || g.Result == nil {
		return ""
	}
	p := g.Result.Points
	return fmt.Sprintf("ruled %g-%g: %s", p[0], p[1], strings.Join(strings.Fields(text), " "))
}

// ReadRuling takes such a line; it reports whether it is one.
func (g *Game) ReadRuling(line string) bool {
	for _, p := range rulings {
		if text, ok := strings.CutPrefix(line, fmt.Sprintf("ruled %g-%g: ", p[0], p[1])); ok {
			g.Rule(game.Result{Points: p, Reason: game.ByAdjudication}, strings.Join(strings.Fields(text), " "))
			return true
		}
	}
	return false
}
