// Package reliability plays every fault of internal/faultengine in every protocol and
// writes down what the referee made of it: docs/measured/reliability.md. Its test holds the
// verdicts to faults.txt and the page to the games; bench/soak reads the same file.
package reliability

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Fine is the verdict of a game that the rules of its game have ended.
const Fine = "fine"

// Case is one fault, a line of the file of faults.
type Case struct {
	// Mode is the fault's name, Flags are those of the fault engine beside it.
	Mode  string
	Flags []string
	// With are limits and other circumstances of the game.
	With []string
	// Reason is the expected verdict, a word of package game or Fine; more than one,
	// with | between, where it depends on the moment.
	Reason string
	// Varies tells that the detail depends on the moment.
	Varies bool
	// Only are the protocols that know the fault, empty for all.
	Only []string
	// Except are the protocols with another verdict.
	Except []Exception
}

// Exception is what differs in some protocols, and why: the verdict, or what is left
// behind.
type Exception struct {
	// Soak tells that it holds in bench/soak alone.
	Soak      bool
	Protocols []string // empty for all, in a soak
	Reason    string   // empty if it does not differ
	Left      string   // empty if it is nothing
	Why       string
}

// Name names the case: the mode, with what sets it apart from others of that mode.
func (c *Case) Name() string {
	name := c.Mode
	if len(c.Flags) > 0 {
		name += " " + strings.Join(c.Flags, " ")
	}
	if len(c.With) > 0 {
		name += " with " + strings.Join(c.With, " ")
	}
	return name
}

// Knows reports whether the fault exists in a protocol.
func (c *Case) Knows(protocol string) bool {
	return len(c.Only) == 0 || slices.Contains(c.Only, protocol)
}

// Want returns the expected verdict in a protocol.
func (c *Case) Want(protocol string) string {
	for _, e := range c.Except {
		if !e.Soak && e.Reason != "" && slices.Contains(e.Protocols, protocol) {
			return e.Reason
		}
	}
	return c.Reason
}

// InSoak returns the verdict that is expected in a soak, whose games are longer.
func (c *Case) InSoak(protocol string) string {
	for _, e := range c.Except {
		if e.Soak && (len(e.Protocols) == 0 || slices.Contains(e.Protocols, protocol)) {
			return e.Reason
		}
	}
	return c.Want(protocol)
}

// Nothing is what every engine is to leave behind.
const Nothing = "nothing"

// Leaves returns what is expected to be left behind in a protocol.
func (c *Case) Leaves(protocol string) string {
	for _, e := range c.Except {
		if e.Left != "" && slices.Contains(e.Protocols, protocol) {
			return e.Left
		}
	}
	return Nothing
}

//go:embed faults.txt
var faults string

// Cases returns all faults, at the size of every day or at full size.
func Cases(full bool) ([]Case, error) {
	list, err := ReadCases(faults, full)
	if err != nil {
		err = fmt.Errorf("faults.txt: %w", err)
	}
	return list, err
}

// ReadCases reads a file of faults:
//
//	# remark
//	mode -flag value with limit=1 only sau => reason
//	    protocol protocol => reason: why
//	    protocol protocol => leaves something: why
//	    soak protocol => reason: why
//
// A ~ behind the reason says that the detail depends on the moment, a | between two
// that the verdict does. Of a word SMALL/FULL the part is taken that full says. Errors name the line.
func ReadCases(text string, full bool) ([]Case, error) {
	var list []Case
	seen := map[string]bool{}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) == "" || strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		left, right, ok := strings.Cut(line, "=>")
		if !ok {
			return nil, fmt.Errorf("line %d: %q: write fault => reason", n, line)
		}
		if strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") {
			if len(list) == 0 {
				return nil, fmt.Errorf("line %d: an exception to nothing", n)
			}
			e, err := readException(left, right)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			last := &list[len(list)-1]
			last.Except = append(last.Except, e)
			continue
		}
		c := readCase(strings.Fields(left), strings.TrimSpace(right), full)
		if seen[c.Name()] || c.Reason == "" {
			return nil, fmt.Errorf("line %d: %s: named twice, or without a reason", n, c.Name())
		}
		seen[c.Name()] = true
		list = append(list, c)
	}
	return list, nil
}

func readCase(words []string, reason string, full bool) Case {
	c := Case{}
	c.Reason, c.Varies = strings.CutSuffix(reason, "~")
	to := &c.Flags
	for i, w := range words {
		if small, large, both := strings.Cut(w, "/"); both {
			if w = small; full {
				w = small[:strings.Index(small, "=")+1] + large
			}
		}
		switch {
		case i == 0:
			c.Mode = w
		case w == "with":
			to = &c.With
		case w == "only":
			to = &c.Only
		default:
			*to = append(*to, w)
		}
	}
	return c
}

func readException(left, right string) (Exception, error) {
	reason, why, ok := strings.Cut(right, ":")
	e := Exception{Protocols: strings.Fields(left), Reason: strings.TrimSpace(reason), Why: strings.TrimSpace(why)}
	if e.Soak = len(e.Protocols) > 0 && e.Protocols[0] == "soak"; e.Soak {
		e.Protocols = e.Protocols[1:]
	}
	if left, is := strings.CutPrefix(e.Reason+" ", "leaves "); is {
		e.Reason, e.Left = "", strings.TrimSpace(left)
	}
	if !ok || len(e.Protocols) == 0 && !e.Soak || e.Reason+e.Left == "" || e.Soak && e.Left != "" || e.Why == "" {
		return e, errors.New("an exception is written: protocol => reason: why")
	}
	return e, nil
}

// Row is what became of one fault in one protocol.
type Row struct {
	Protocol string
	Reason   string // Fine or a word of package game
	End      string // how a fine game ended
	Detail   string // as the record has it
	Said     string // what the engine said of its attempt
	Left     string // behind: what there was, or "nothing"
}
