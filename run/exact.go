package run

import (
	"fmt"
	"strconv"
	"strings"

	"kibitz/catalog"
	"kibitz/exact"
	"kibitz/match"
	"kibitz/rules"
)

// How many positions an exact search looks at for one attempt unless it is told
// otherwise, and how many it can be told.
const (
	ExactNodes = 300_000
	exactMost  = 10_000_000
)

// Exact ends games whose result is certain.
type Exact struct {
	Nodes int64 // positions searched for one attempt
	Move  int   // from which on
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (x *Exact) UnmarshalText(b []byte) error {
	out := Exact{Nodes: ExactNodes}
	words := strings.Fields(string(b))
	fail := func(format string, args ...any) error {
		return &Error{Path: "/adjudicate", Want: fmt.Sprintf(format, args...)}
	}
	if len(words) == 0 || words[0] != "exact" {
		return &Error{
			Path: "/adjudicate", Got: strconv.Quote(string(b)),
			Want: fmt.Sprintf("write exact, if need be with the positions to search and the first move: \"exact nodes=%d move=20\"", ExactNodes),
		}
	}
	seen := map[string]bool{}
	for _, w := range words[1:] {
		key, value, _ := strings.Cut(w, "=")
		n, err := strconv.ParseInt(value, 10, 64)
		switch {
		case key != "nodes" && key != "move":
			return fail("unknown word %q: after exact come nodes=N and move=N", w)
		case err != nil || n < 1 || n > exactMost:
			return fail("%q is not a whole number from 1 to %d", w, exactMost)
		case seen[key]:
			return fail("%s is given twice", key)
		case key == "nodes":
			out.Nodes = n
		default:
			out.Move = int(n)
		}
		seen[key] = true
	}
	*x = out
	return nil
}

// MarshalText implements encoding.TextMarshaler.
func (x Exact) MarshalText() ([]byte, error) {
	text := "exact"
	if x.Nodes != ExactNodes {
		text += fmt.Sprintf(" nodes=%d", x.Nodes)
	}
	if x.Move > 0 {
		text += fmt.Sprintf(" move=%d", x.Move)
	}
	return []byte(text), nil
}

// Rule is the rule of the referee for games by some rules, any number at a time. It refuses
// games in which nothing can be known.
func (x *Exact) Rule(r rules.Rules) (match.ExactRule, error) {
	cell := catalog.Of(r).Exact
	how, ok := cell.Get()
	if !ok {
		return match.ExactRule{}, &Error{
			Path: "/adjudicate", Got: "exact",
			Want: fmt.Sprintf("nothing is certain in %s: %s; --draw, --resign and --max-moves adjudicate without", r.Spec().ID(), cell.Why()),
		}
	}
	solver, err := exact.Share(how.New)
	return match.ExactRule{Nodes: x.Nodes, FromMove: x.Move, Solver: solver}, err
}
