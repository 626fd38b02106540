package standing

import (
	"fmt"
	"strings"

	"kibitz/game"
)

// Failures counts the games that engines lost by going wrong, and not by a clock or a
// rule, by the reason.
type Failures map[game.Reason]int

// whatFailed are the words of each reason.
var whatFailed = []struct {
	why  game.Reason
	what string
}{
	{game.ByCrash, "it crashed"},
	{game.ByStall, "it fell silent"},
	{game.ByProtocol, "it broke its protocol"},
	{game.ByResource, "it went beyond a limit"},
	{game.ByStart, "it never became ready"},
}

func (f *Failures) add(why game.Reason) {
	if *f == nil {
		*f = Failures{}
	}
	(*f)[why]++
}

// Games is how many there are.
func (f Failures) Games() int {
	n := 0
	for _, k := range f {
		n += k
	}
	return n
}

// String tells what went wrong, with how often where it was more than one thing.
func (f Failures) String() string {
	var list []string
	for _, w := range whatFailed {
		switch n := f[w.why]; {
		case n == 0:
		case len(f) == 1:
			return w.what
		default:
			list = append(list, fmt.Sprintf("%s (%d)", w.what, n))
		}
	}
	return strings.Join(list, ", ")
}
