package pages

import (
	"kibitz/game/look"
	"kibitz/hall/web/words"
)

// Challenge is what somebody asks of a friend.
type Challenge struct {
	Code string
	// State is "open", "taken", "lapsed", "withdrawn" or "declined".
	State string
	// Mine tells that the reader asks; From is who does.
	Mine bool
	From string
	// To is who is asked by name, Left how many seconds are left for him.
	To   string
	Left int
	// Spec is the game with its options, Clock the time control of both.
	Spec, Clock string
	// Seat is that of the reader: "first", "second" or "random".
	Seat  string
	Rated bool
	Games int
	// Room is where it is played, if the reader may look on.
	Room string
	// LogIn tells that the reader cannot play as he is.
	LogIn bool
}

// Says is what is asked in one line: "Othello, 10+5, you are White".
func (d *Challenge) Says(c *words.Catalogue, g look.Game) string {
	return c.Text("challenge.says", "game", GameName(c, d.Spec), "clock", ShortClock(c, d.Clock),
		"seat", c.Text("you."+(&Wish{Colour: d.Seat}).As(&g)))
}
