package records

import (
	"time"

	"kibitz/hall/store"
)

// RatingView is a rating of a subject in a game at a speed.
type RatingView struct {
	Subject    string     `json:"subject"`
	Name       string     `json:"name"`
	Game       string     `json:"game"`
	Speed      string     `json:"speed"`
	Value      float64    `json:"value" doc:"Glicko-2"`
	Deviation  float64    `json:"deviation"`
	Volatility float64    `json:"volatility"`
	Games      int        `json:"games"`
	Wins       int        `json:"wins"`
	Draws      int        `json:"draws"`
	Losses     int        `json:"losses"`
	At         *time.Time `json:"at,omitempty"`
}

// ViewRatings shows ratings.
func ViewRatings(list []store.Rating) []RatingView {
	out := make([]RatingView, 0, len(list))
	for _, r := range list {
		out = append(out, RatingView{
			r.Subject, r.Name, r.Game, r.Speed, r.Value, r.Deviation, r.Volatility, r.Games, r.Wins, r.Draws, r.Losses,
			store.When(r.At),
		})
	}
	return out
}
