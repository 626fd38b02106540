package store

import (
	"encoding/json"
	"time"
)

// Challenge is what an account asks whoever has its code: a game between the two.
type Challenge struct {
	// Code is how it is called, and what lets one person accept it.
	Code string
	// Version counts the changes. SetChallenge changes one only if Version is the one that
	// is stored, and raises it.
	Version int64
	// Owner asks, Asked is who is asked, 0 for whoever has the code.
	Owner, Asked int64
	// Open tells that it may be accepted, until Expires. One that is not open was accepted,
	// and is played in Room, or was withdrawn, and has none.
	Open             bool
	Room             string
	Created, Expires time.Time
	// State is what is to be played; it belongs to hall/lobby.
	State json.RawMessage
}

// ChallengeStay is how long a challenge is known after it has expired.
const ChallengeStay = 7 * 24 * time.Hour

// Challenges are what people ask each other.
type Challenges interface {
	// AddChallenge wants Version 0 and stores 1. ErrTaken if the code is, ErrNotFound without
	// the owner, ErrConflict if the owner has most open ones at that time already.
	AddChallenge(c *Challenge, most int) error
	Challenge(code string) (Challenge, error)
	// SetChallenge stores Open, Room and State. It returns ErrConflict if the stored version is
	// another one.
	SetChallenge(c *Challenge) error
	// OpenChallenges returns those of an account that are open at a time, the newest first.
	OpenChallenges(owner int64, now time.Time) ([]Challenge, error)
	// AskedChallenges returns those that ask an account and are open at a time, the oldest first.
	AskedChallenges(user int64, now time.Time) ([]Challenge, error)
}
