package main

import "fmt"

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
