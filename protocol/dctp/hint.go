package dctp

import (
	"regexp"
	"sync"
)

var (
	blankForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[=?]\s+\d+(\s|$)`)
	})
	noSign = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\d+\s+[a-dA-D][1-8][ ,-]+[a-dA-D][1-8]\s*$`)
	})
	bareForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[=?]?\s*([a-dA-D][1-8][ ,-]*[a-dA-D][1-8])?\s*$`)
	})
)

// hint says what is likely wrong with a line where a reply is due.
func hint(line []byte) (text string, plain bool) {
	_, _, _, indented := splitReply(trim(line))
	switch {
	case indented && line[0] <= ' ':
		return "a reply begins its line, with no blank before it: =12 c5 c6", true
	case blankForm().Match(line):
		return "the number follows the sign without a blank: =12 c5 c6", true
	case noSign().Match(line), len(trim(line)) > 0 && bareForm().Match(line):
		return "a reply begins with the sign and the number of its request: =12 c5 c6", true
	}
	return "", false
}
