package piskvork

import (
	"regexp"
	"sync"

	"kibitz/protocol"
)

var (
	pairForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[\[({<]?\s*[-+]?\d+\s*[,;:./xX\s-]\s*[-+]?\d+\s*[\])}>]?[.;]?$`)
	})
	decimalForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[\[({<]?\s*[-+]?\d+\.0*\s*,\s*[-+]?\d+\.0*\s*[\])}>]?$`)
	})
	pointForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[A-Za-z]\s?\d{1,2}$`)
	})
	wordForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(best ?)?(move|turn|play)\b\W*\d+\s*\W\s*\d+`)
	})
)

// hint says what is likely wrong with a line where a move is due.
func hint(line []byte) (text string, plain bool) {
	line = trim(line)
	switch {
	case ParseReply(line).Kind != Other:
	case pairForm().Match(line):
		return "a move is X,Y: two numbers from 0, a comma between them and nothing around them, for example 7,7", true
	case decimalForm().Match(line):
		return "a move is X,Y: two whole numbers from 0, without a decimal point, for example 7,7", true
	case pointForm().Match(line):
		return "a move is X,Y: the column from the left and the row from the top, both numbers from 0, for example 7,7", true
	case wordForm().Match(line):
		return "a move is X,Y without a word before it, for example 7,7", true
	}
	return protocol.Foreign(line, "gtp")
}
