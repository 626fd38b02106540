package sau

import (
	"bytes"

	"kibitz/game"
)

// wordAccess stands once for accept in the published description.
const wordAccess = "access"

// words are what a platform may send.
var words = [...]string{wordAsk, wordNew, wordMove, wordAccept, wordAccess, wordRefuse, wordTake, wordTaked, wordError, wordEnd, wordQuit}

// command is a line of the platform.
type command struct {
	word string // one of words, "" for a blank line, else what came
	arg  []byte
}

// parseCommand reads a line, without regard to blanks around it, NULs, or the case
// of the word.
func parseCommand(line []byte) command {
	line = bytes.Trim(line, " \t\x00")
	if len(line) == 0 {
		return command{}
	}
	word, arg, _ := bytes.Cut(line, []byte{' '})
	if i := bytes.IndexByte(word, '\t'); i >= 0 {
		word, arg = line[:i], line[i+1:]
	}
	arg = bytes.Trim(arg, " \t\x00")
	for _, w := range words {
		if bytes.EqualFold(word, []byte(w)) {
			return command{word: w, arg: arg}
		}
	}
	return command{word: clip(word), arg: arg}
}

// winner reads the argument of end.
func (c *command) winner() game.Seat {
	for s, name := range sideNames {
		if bytes.EqualFold(c.arg, []byte(name)) {
			return game.Seat(s)
		}
	}
	return game.Nobody
}
