package main

import "fmt"

// maxSeconds bounds limits on the command line: more than eleven days is a slip.
const maxSeconds = 1e6

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
