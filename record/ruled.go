package record

import (
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
