package pages

import "time"

// ConsolePage is what one engine prints in a game.
type ConsolePage struct {
	Room, RoomName, Game string
	Seat                 int
	Name                 string
	Names                [2]string
	// Over tells that nothing more comes.
	Over           bool
	Links          []ConsoleLink
	Output, Errors []ConsoleLine
}

// ConsoleLink leads to the console of a seat.
type ConsoleLink struct {
	Game    string
	Seat    int
	Name    string
	Address string
}

// ConsoleLine is a line of a console; Mark is as in bus.ConsoleLine.
type ConsoleLine struct {
	At         time.Time
	Mark, Text string
}

// Error reports whether the line stands in the pane of errors.
func (l ConsoleLine) Error() bool { return l.Mark == "!" || l.Mark == "#" }

// Kind names the mark for styles.
func (l ConsoleLine) Kind() string {
	switch l.Mark {
	case ">":
		return "to"
	case "!":
		return "err"
	case "#":
		return "note"
	}
	return "from"
}

// Clock is when the line came: hours, minutes, seconds and thousandths, in UTC.
func (l ConsoleLine) Clock() string { return l.At.UTC().Format("15:04:05.000") }
