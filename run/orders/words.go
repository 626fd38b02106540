// Package orders says what somebody may order of a run that goes on: its words, how they are read
// and answered, and the socket in the folder of the run by which they come.
package orders

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"kibitz/internal/plain"
	"kibitz/rating"
	"kibitz/run/result"
)

// Request is what somebody outside asks of a run that goes on.
type Request struct {
	// Do is the order's word, Args what follows it.
	Do   string   `json:"do"`
	Args []string `json:"args,omitempty"`
	// By is who gives it.
	By string `json:"by,omitempty"`
}

// Answer is what the run says to it.
type Answer struct {
	Error string `json:"error,omitempty"`
	// Usage tells that the order itself cannot be meant.
	Usage  bool    `json:"usage,omitempty"`
	Said   string  `json:"said,omitempty"`
	Status *Status `json:"status,omitempty"`
}

// Status is where a run stands.
type Status struct {
	Game        string           `json:"game"`
	Done        int              `json:"done"`
	Of          int              `json:"of"`
	Running     []string         `json:"running"`
	Concurrency int              `json:"concurrency"`
	Paused      bool             `json:"paused"`
	Draining    bool             `json:"draining"`
	Engines     []result.Engine  `json:"engines"`
	SPRT        *rating.Standing `json:"sprt"`
}

// Word is an order with what follows it, for people. What stands in brackets
// can be left away.
type Word struct{ Do, Args, What string }

// least is how many words must follow at least, most how many may; -1 any number.
func (w Word) least() (least, most int) {
	for f := range strings.FieldsSeq(w.Args) {
		most++
		if !strings.HasPrefix(f, "[") {
			least++
		}
	}
	if strings.Contains(w.Args, "...") {
		most = -1
	}
	return least, most
}

// Own are the orders that any run takes.
var Own = []Word{
	{"status", "", "where the run stands"},
	{"pause", "", "start no further games; running ones go on"},
	{"continue", "", "start games again"},
	{"concurrency", "N", "so many games at a time"},
	{"drain", "", "running games end, and the run with them; it can be resumed"},
	{"stop", "", "stop at once; games that run are played again when the run is resumed"},
	{"verdict", "GAME first|second|draw NOTE...", "decide a game that runs"},
}

// Organiser are the orders that change the schedule, with what follows them.
var Organiser = []Word{
	{"withdraw", "ENGINE [award|annul]", "no further games for an engine; what is left of its games is awarded to the others, or all its " +
		"games are annulled; which one is usual is chosen if nothing is said"},
	{"enter", "SPEC [BYES]", "another engine takes part from now on; in a Swiss with half a bye's points for BYES of the rounds that it " +
		"missed"},
	{"pair", "ENGINE ENGINE [GAMES]", "two engines play more games; in a Swiss they meet in the next round"},
	{"forfeit", "GAME|ENGINE ENGINE", "a game that has not begun is lost by the engine; given two engines, the first loses all that it has " +
		"not played against the second"},
	{"replay", "GAME [NOTE...]", "a game that is over is annulled and played again"},
	{"overrule", "GAME first|second|draw|nobody NOTE...", "a game that is over has another result"},
}

// All are all orders of a run.
func All() []Word { return slices.Concat(Own, Organiser) }

// Check returns why an order cannot be meant, and whether it is one that changes the schedule.
func (o *Request) Check() (organiser bool, err error) {
	all := All()
	i := slices.IndexFunc(all, func(x Word) bool { return x.Do == o.Do })
	if i < 0 {
		var words []string
		for _, x := range all {
			words = append(words, x.Do)
		}
		return false, fmt.Errorf("unknown order %q: known are %s", o.Do, strings.Join(words, " "))
	}
	if least, most := all[i].least(); len(o.Args) < least || most >= 0 && len(o.Args) > most {
		return false, fmt.Errorf("write: %s", strings.TrimSpace(o.Do+" "+all[i].Args))
	}
	if strings.ContainsFunc(strings.Join(append(o.Args, o.By), ""), unicode.IsControl) {
		return false, errors.New("an order must be one line without control characters")
	}
	return i >= len(Own), nil
}

// Refused refuses an order.
func Refused(err error) Answer { return Answer{Error: plain.OneLine(err)} }

// Unusable refuses an order that cannot be meant, whatever the run is about.
func Unusable(err error) Answer { return Answer{Error: plain.OneLine(err), Usage: true} }
