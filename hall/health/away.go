package health

import (
	"errors"
	"time"
)

// ErrAway is what every *Away is (errors.Is).
var ErrAway = errors.New("the hall cannot take this now")

// Away tells that a part cannot be used. Its text is for everybody: it names no
// address and no secret.
type Away struct {
	// Part is Database or Queue.
	Part string
	// Since is when it was last known to work.
	Since time.Time
	// Why is what is wrong, and Do what the operator is to do about it, empty if it may
	// heal by itself.
	Why, Do string
}

// Error says what is wrong.
func (a *Away) Error() string { return ErrAway.Error() + ": " + a.Text() }

// Text is what is wrong with the part, and what to do.
func (a *Away) Text() string {
	text := "the " + a.Part + " " + a.Why
	if a.Do != "" {
		text += "; " + a.Do
	}
	return text
}

// Is reports whether target is ErrAway.
func (a *Away) Is(target error) bool { return target == ErrAway }
