package play

import (
	"errors"
	"strconv"

	"kibitz/game"
	"kibitz/hall/store"
	"kibitz/rating"
)

// An anchor is told by so many games of so many people; of each level the latest are looked at.
const (
	anchorGames  = 30
	anchorPeople = 8
	anchorLatest = 200
)

// Anchor is the rating of level 1 of a game's built-in engine by the rated games of people against its levels;
// above has how much stronger each level is. It is 0 and false until enough have been played.
func Anchor(tx store.Tx, id string, above []float64) (elo float64, known bool, err error) {
	var list []rating.Against
	people := map[int64]bool{}
	for i, more := range above {
		engine := store.Seat{Engine: "bot=" + strconv.Itoa(i+1)}
		page, err := tx.FindGames(store.GameQuery{
			Subject: engine.Subject(), Game: id, States: []store.GameState{store.Over}, Rated: true, Limit: anchorLatest,
		})
		if err != nil {
			return 0, false, err
		}
		for k := range page.Games {
			x, user, err := against(tx, &page.Games[k], engine.Engine)
			if err != nil {
				return 0, false, err
			}
			if user != 0 {
				x.Above, people[user] = more, true
				list = append(list, x)
			}
		}
	}
	if len(list) < anchorGames || len(people) < anchorPeople {
		return 0, false, nil
	}
	elo, known = rating.Anchor(list)
	return elo, known, nil
}

// against is a game of an engine against a person, the user 0 if it was against somebody else or does not count.
func against(tx store.Tx, g *store.Game, engine string) (x rating.Against, user int64, err error) {
	seat := 0
	if g.Seats[1].Engine == engine {
		seat = 1
	}
	other := g.Seats[1-seat]
	if other.Engine != "" || other.User == 0 || g.Result.Reason == game.ByAbort {
		return x, 0, nil
	}
	u, err := tx.User(other.User)
	if err != nil || u.Kind != store.Person {
		return x, 0, ignoreMissing(err)
	}
	r, err := tx.Rating(store.RatingKey{Subject: other.Subject(), Game: g.Spec.ID(), Speed: g.Speed})
	if err != nil {
		return x, 0, ignoreMissing(err)
	}
	x.Rating, x.Score = r.Value, 0.5
	switch p := g.Result.Points; {
	case p[seat] > p[1-seat]:
		x.Score = 1
	case p[seat] < p[1-seat]:
		x.Score = 0
	}
	return x, u.ID, nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}
