package sau

import (
	"bytes"
	"regexp"
	"sync"

	"kibitz/protocol"
)

var (
	otherWord = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(best ?)?move\b\W*(pass|\d* ?[A-Z@]{2,})\s*$`)
	})
	glued = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[Mm]ove(pass|([1-9]\d* ?)?[A-S@]{2,6})\s*$`)
	})
	behind = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[ \t]move +(pass|([1-9]\d* ?)?[A-S@]{2,})\s*$`)
	})
	bareLetter = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^([A-S@]{4}|[A-J]{6}|\d+ [A-F]{3,})\s*$`)
	})
)

// hint says what is likely wrong with a line where a move is due.
func hint(line []byte) (text string, plain bool) {
	_, right := Find(line, wordMove, false)
	switch {
	case right:
	case string(bytes.TrimSpace(line)) == wordError:
		return "the engine calls the move that it was told impossible: does it read or write points the wrong way? " +
			"dialect.transpose=true is for engines that exchange columns and rows", false
	case otherWord().Match(line), glued().Match(line):
		return "the word is move, in small letters, with a blank behind it", true
	case bareLetter().Match(line):
		return "a move begins with the word move and a blank", true
	case behind().Match(line):
		return "a line begins with move: dialect.scan=any finds it behind other words", false
	}
	return protocol.Foreign(line, "gtp")
}
