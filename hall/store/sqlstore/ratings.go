package sqlstore

import "kibitz/hall/store"

// ratings is store.Ratings: ratings and their histories.
type ratings struct{ *tx }

func ratingCols(r *store.Rating) []col {
	return []col{
		{"subject", (*ident)(&r.Subject)},
		{"name", &r.Name},
		{"game", (*ident)(&r.Game)},
		{"speed", (*ident)(&r.Speed)},
		{"value", &r.Value},
		{"deviation", &r.Deviation},
		{"volatility", &r.Volatility},
		{"games", &r.Games},
		{"wins", &r.Wins},
		{"draws", &r.Draws},
		{"losses", &r.Losses},
		{"at", &r.At},
		{"last_game", &r.LastGame},
	}
}

func (x ratings) Rating(k store.RatingKey) (store.Rating, error) {
	return get(x.tx, "rating of", k.Subject, ratingCols, "FROM ratings WHERE subject = ? AND game = ? AND speed = ?",
		k.Subject, k.Game, k.Speed)
}

func (x ratings) RatingsOf(subject string) ([]store.Rating, error) {
	return rows(x.tx, ratingCols, "FROM ratings WHERE subject = ? ORDER BY game, speed", subject)
}

func (x ratings) SetRating(r *store.Rating) error {
	if err := x.put("ratings", []string{"subject", "game", "speed"}, ratingCols(r)...); err != nil {
		return err
	}
	return x.insert("rating_history", col{"subject", r.Subject}, col{"game", r.Game}, col{"speed", r.Speed}, col{"at", r.At},
		col{"played", r.LastGame}, col{"value", r.Value}, col{"deviation", r.Deviation})
}

func (x ratings) Leaders(game, speed string, deviation float64, most int) ([]store.Rating, error) {
	return rows(x.tx, ratingCols, "FROM ratings WHERE game = ? AND speed = ? AND deviation <= ? ORDER BY value DESC, subject LIMIT ?",
		game, speed, deviation, limit(most))
}

func (x ratings) History(k store.RatingKey) ([]store.RatingPoint, error) {
	return rows(x.tx, func(p *store.RatingPoint) []col {
		return []col{{"at", &p.At}, {"played", &p.Game}, {"value", &p.Value}, {"deviation", &p.Deviation}}
	}, "FROM rating_history WHERE subject = ? AND game = ? AND speed = ? ORDER BY id", k.Subject, k.Game, k.Speed)
}
