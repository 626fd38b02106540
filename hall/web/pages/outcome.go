package pages

import (
	"strings"

	"kibitz/hall/web/words"
)

// Ended says in one sentence how a game ended, to whoever had a seat (0 or 1) or, with -1, to
// others: "You won 38–26 (the board is full)". The reader's score, else the winner's, is in
// front.
func Ended(c *words.Catalogue, g GameLine, seat int) string {
	winner := -1
	for s, won := range g.Won {
		if won {
			winner = s
		}
	}
	key, name := "board.say.ended", ""
	switch {
	case winner >= 0 && seat < 0:
		key, name = "board.say.won", g.Names[winner]
	case winner >= 0 && winner == seat:
		key = "board.say.youwon"
	case winner >= 0:
		key = "board.say.youlost"
	case g.Draw:
		key = "board.say.drawn"
	}
	score := scoreOf(c, g, max(seat, 0), winner)
	if seat < 0 {
		score = scoreOf(c, g, max(winner, 0), winner)
	}
	if score != "" {
		score = " " + score
	}
	why := ""
	if g.Reason != "" {
		why = word(c, "board", "why."+g.Reason)
	}
	text := c.Text(key, "name", name, "score", score, "why", why)
	return strings.TrimSuffix(strings.TrimSuffix(text, " ()"), "（）")
}

// scoreOf is the score on the board, that of a seat in front; empty where the game has none, or
// nobody has won by it.
func scoreOf(c *words.Catalogue, g GameLine, first, winner int) string {
	if g.Board == nil || winner >= 0 && g.Board[winner] <= g.Board[1-winner] {
		return ""
	}
	return c.Number(g.Board[first], 1) + "–" + c.Number(g.Board[1-first], 1)
}

// TabTitle is what the tab of a browser says of a game that is over: "Won 38–26 · Othello".
func TabTitle(c *words.Catalogue, g GameLine, seat int) string {
	key := "script.title.ended"
	switch {
	case seat < 0:
		names := g.Names[0] + " – " + g.Names[1]
		if s := scoreOf(c, g, 0, -1); s != "" {
			names += " " + s
		}
		return names + " · " + GameName(c, kindOf(g.Spec))
	case g.Won[seat]:
		key = "script.title.won"
	case g.Won[1-seat]:
		key = "script.title.lost"
	case g.Draw:
		key = "script.title.drawn"
	}
	head := c.Text(key)
	winner := -1
	for s, won := range g.Won {
		if won {
			winner = s
		}
	}
	if s := scoreOf(c, g, seat, winner); s != "" {
		head += " " + s
	}
	return head + " · " + GameName(c, kindOf(g.Spec))
}
