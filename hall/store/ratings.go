package store

import (
	"strconv"
	"time"
)

// UserSubject returns what ratings and results of an account are kept under, empty
// for the account 0.
func UserSubject(id int64) string {
	if id == 0 {
		return ""
	}
	return "user/" + strconv.FormatInt(id, 10)
}

// Rating is a Glicko-2 rating of a subject in one game at one speed.
type Rating struct {
	Subject string
	// Name is the subject's name when it was rated last.
	Name string
	// Game is an identifier without options.
	Game, Speed                  string
	Value, Deviation, Volatility float64
	Games, Wins, Draws, Losses   int
	At                           time.Time
	// LastGame is the game that was counted last.
	LastGame string
}

// RatingPoint is a step of a rating's history.
type RatingPoint struct {
	At               time.Time
	Game             string // the game's identifier in the hall
	Value, Deviation float64
}

// RatingKey names a rating.
type RatingKey struct{ Subject, Game, Speed string }

// Ratings are ratings and their histories.
type Ratings interface {
	Rating(k RatingKey) (Rating, error)
	// RatingsOf returns all ratings of a subject.
	RatingsOf(subject string) ([]Rating, error)
	// SetRating adds or replaces a rating and appends a step to its history.
	SetRating(r *Rating) error
	// Leaders returns the best ratings of a game and speed whose deviation is at most
	// as given; limit is 100 if it is 0.
	Leaders(game, speed string, deviation float64, limit int) ([]Rating, error)
	// History returns the steps of a rating, oldest first.
	History(k RatingKey) ([]RatingPoint, error)
}
