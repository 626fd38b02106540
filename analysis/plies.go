package analysis

import (
	"errors"
	"strconv"
	"strings"
)

// ParsePlies reads which positions of a game are meant, counted in decisions from 0: A..B, A..,
// ..B or one number. To is -1 where it is open, and from 0.
func ParsePlies(text string) (from, to int, err error) {
	if text == "" {
		return 0, -1, nil
	}
	bad := errors.New("must be A..B, A.., ..B or one number, counted in decisions from 0")
	number := func(s string, open int) (int, error) {
		if s == "" {
			return open, nil
		}
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 {
			return 0, bad
		}
		return n, nil
	}
	a, b, isRange := strings.Cut(text, "..")
	if from, err = number(a, 0); err != nil {
		return 0, 0, err
	}
	if !isRange {
		return from, from, nil
	}
	if to, err = number(b, -1); err != nil {
		return 0, 0, err
	}
	if to >= 0 && to < from || a == "" && b == "" {
		return 0, 0, bad
	}
	return from, to, nil
}
