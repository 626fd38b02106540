package run

import (
	"fmt"
	"math"
	"strconv"

	"kibitz/games"
)

// MostAtATime is how many games can be asked for at a time.
const MostAtATime = 1000

// maxSeconds bounds limits of time: more than eleven days is a slip.
const maxSeconds = 1e6

// Check returns the settings that cannot be meant, all of them, each an *Error. It asks
// neither the machine nor an engine.
func (c *Config) Check() error {
	var out faults
	if _, err := games.Open(c.Game); err != nil {
		out = append(out, FaultAt("/game", err))
	}
	out.add(c.Seed > math.MaxInt64, "seed", c.Seed, "must be at most "+strconv.Itoa(math.MaxInt64))
	out.add(c.Concurrency < 1, "concurrency", c.Concurrency, "must be at least 1")
	out.add(c.Concurrency > MostAtATime, "concurrency", c.Concurrency, fmt.Sprintf("must be at most %d", MostAtATime))
	if len(c.Engine) < 2 {
		out = append(out, &Error{Path: "/engine", Want: "a match needs at least two engines: give --engine twice or more"})
	} else if err := c.Plan(len(c.Engine), 0).Check(); err != nil {
		out = append(out, FaultAt("", err))
	}
	out = append(out, c.CheckLimits())
	if c.SPRT != nil && len(c.Engine) != 2 {
		out = append(out, &Error{Path: "/sprt", Want: fmt.Sprintf("it tests the first of two engines against the second, %d are given",
			len(c.Engine))})
	}
	if c.SPRT != nil {
		out = append(out, FaultAt("/sprt", c.SPRT.Check()))
	}
	return join(out...)
}

// CheckLimits returns the limits of games that cannot be meant.
func (c *Config) CheckLimits() error {
	var out faults
	out.add(c.MaxMoves < 0, "max-moves", c.MaxMoves, "must not be negative")
	out.add(c.Wait < 0, "wait", c.Wait, "must not be negative")
	out.add(c.Wait > 1000*maxSeconds, "wait", c.Wait, fmt.Sprintf("must be at most %d", int(1000*maxSeconds)))
	out.add(!IsLimit(c.StartLimit), "start-limit", c.StartLimit, "must be seconds above 0")
	out.add(!IsLimit(c.Stall), "stall", c.Stall, "must be seconds above 0")
	return join(out...)
}

// faults are the settings that cannot be meant.
type faults []error

// add notes a setting if its value is bad.
func (f *faults) add(bad bool, key string, got any, want string) {
	if bad {
		*f = append(*f, &Error{Path: "/" + key, Got: fmt.Sprint(got), Want: want})
	}
}

// IsLimit reports whether a number of seconds is a limit of time.
func IsLimit(seconds float64) bool { return seconds > 0 && seconds <= maxSeconds }

// Check returns what cannot be meant of what is shown.
func (o *Output) Check() error {
	if o.RatingInterval < 0 {
		return &Error{Path: "/rating-interval", Got: strconv.Itoa(o.RatingInterval), Want: "must not be negative"}
	}
	return nil
}

// Check returns the settings that cannot be meant.
func (s *Settings) Check() error { return join(s.Config.Check(), s.Output.Check()) }
