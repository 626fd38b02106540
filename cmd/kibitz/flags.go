package main

import "fmt"

// maxSeconds bounds limits on the command line: more than eleven days is a slip.
const maxSeconds = 1e6

// checkNumbers returns which number among the flags cannot be meant.
func (c *matchCmd) checkNumbers() error {
	for _, x := range []struct {
		flag  string
		value int
	}{{"--max-moves", c.MaxMoves}, {"--rating-interval", c.RatingInterval}, {"--wait", c.Wait}} {
		if x.value < 0 {
			return fmt.Errorf("%s %d: must not be negative", x.flag, x.value)
		}
	}
	if c.Wait > 1000*maxSeconds {
		return fmt.Errorf("--wait %d: must be at most %d", c.Wait, int(1000*maxSeconds))
	}
	if err := checkSeconds("--start-limit", c.StartLimit); err != nil {
		return err
	}
	return checkSeconds("--stall", c.Stall)
}

// checkSeconds returns why a number is no limit of time.
func checkSeconds(flag string, value float64) error {
	if !(value > 0 && value <= maxSeconds) {
		return fmt.Errorf("%s %v: must be seconds above 0", flag, value)
	}
	return nil
}

// fromOne returns the value of a flag that counts from 1, 0 if it was not given.
func fromOne(flag string, given *int) (int, error) {
	if given == nil {
		return 0, nil
	}
	if *given < 1 {
		return 0, fmt.Errorf("%s %d: must be at least 1", flag, *given)
	}
	return *given, nil
}
