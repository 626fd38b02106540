package play

import (
	"errors"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/hall/store"
	"kibitz/rating"
)

// tau bounds how fast the volatility of a rating changes.
const tau = 0.5

// rate counts a rated game with a verdict for both seats.
func rate(tx store.Ratings, g *store.Game, now time.Time) error {
	a, b := g.Seats[0].Subject(), g.Seats[1].Subject()
	if !g.Rated || g.Result.Reason == game.ByAbort || a == "" || b == "" || a == b {
		return nil
	}
	var old [2]store.Rating
	for i, subject := range [2]string{a, b} {
		r, err := tx.Rating(store.RatingKey{Subject: subject, Game: g.Spec.ID(), Speed: g.Speed})
		if errors.Is(err, store.ErrNotFound) {
			n := rating.NewGlicko2()
			r, err = store.Rating{
				Subject: subject, Game: g.Spec.ID(), Speed: g.Speed, Value: n.Rating, Deviation: n.Deviation,
				Volatility: n.Volatility,
			}, nil
		}
		if err != nil {
			return err
		}
		old[i] = r
	}
	for i := range old {
		r := rated(old[i], old[1-i], g.Result.Points[i], g.Result.Points[1-i])
		r.Name, r.At, r.LastGame = g.Seats[i].Name, now, g.ID
		if err := tx.SetRating(&r); err != nil {
			return err
		}
	}
	return nil
}

// rated returns a rating after one game.
func rated(r, opponent store.Rating, points, others float64) store.Rating {
	score := 0.5
	switch {
	case points > others:
		score = 1
		r.Wins++
	case points < others:
		score = 0
		r.Losses++
	default:
		r.Draws++
	}
	n := glicko(r).Update([]rating.Met{{Opponent: glicko(opponent), Score: score}}, tau)
	r.Value, r.Deviation, r.Volatility = n.Rating, min(n.Deviation, rating.NewGlicko2().Deviation), n.Volatility
	r.Games++
	return r
}

func glicko(r store.Rating) rating.Glicko2 {
	return rating.Glicko2{Rating: r.Value, Deviation: r.Deviation, Volatility: r.Volatility}
}

// SpeedOf is the class of a game with clocks as on the command line.
func SpeedOf(clocks [2]string) string {
	var c [2]clock.Control
	for i := range c {
		c[i], _ = clock.Parse(clocks[i]) // rooms hold clocks that were read
	}
	return string(clock.SpeedOf(c[0], c[1]))
}
