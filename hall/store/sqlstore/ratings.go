package sqlstore

import (
	"kibitz/hall/store"
)

const ratingCols = "subject, name, game, speed, value, deviation, volatility, games, wins, draws, losses, at, last_game"

func intoRating(r *store.Rating) []any {
	return []any{
		&r.Subject, &r.Name, &r.Game, &r.Speed, &r.Value, &r.Deviation, &r.Volatility,
		&r.Games, &r.Wins, &r.Draws, &r.Losses, &r.At, &r.LastGame,
	}
}

// Rating implements store.Ratings.
func (x *tx) Rating(k store.RatingKey) (r store.Rating, err error) {
	ok, err := x.row(intoRating(&r), "SELECT "+ratingCols+" FROM ratings WHERE subject = ? AND game = ? AND speed = ?", k.Subject, k.Game,
		k.Speed)
	return found(r, ok, err, "rating of", k.Subject)
}

// RatingsOf implements store.Ratings.
func (x *tx) RatingsOf(subject string) ([]store.Rating, error) {
	return rows(x, intoRating, "SELECT "+ratingCols+" FROM ratings WHERE subject = ? ORDER BY game, speed", subject)
}

// SetRating implements store.Ratings.
func (x *tx) SetRating(r *store.Rating) error {
	_, err := x.exec("INSERT INTO ratings("+ratingCols+") VALUES ("+marks(13)+`) ON CONFLICT(subject, game, speed) DO UPDATE SET
		name = excluded.name, value = excluded.value, deviation = excluded.deviation, volatility = excluded.volatility, games = excluded.games,
		wins = excluded.wins, draws = excluded.draws, losses = excluded.losses, at = excluded.at, last_game = excluded.last_game`,
		ident(r.Subject), r.Name, ident(r.Game), ident(r.Speed), r.Value, r.Deviation, r.Volatility, r.Games, r.Wins, r.Draws, r.Losses, r.At,
		r.LastGame)
	if err != nil {
		return err
	}
	_, err = x.exec("INSERT INTO rating_history(subject, game, speed, at, played, value, deviation) VALUES (?, ?, ?, ?, ?, ?, ?)",
		r.Subject, r.Game, r.Speed, r.At, r.LastGame, r.Value, r.Deviation)
	return err
}

// Leaders implements store.Ratings.
func (x *tx) Leaders(game, speed string, deviation float64, most int) ([]store.Rating, error) {
	return rows(x, intoRating, "SELECT "+ratingCols+" FROM ratings WHERE game = ? AND speed = ? AND deviation <= ? ORDER BY value DESC, "+
		"subject LIMIT ?",
		game, speed, deviation, limit(most))
}

// History implements store.Ratings.
func (x *tx) History(k store.RatingKey) ([]store.RatingPoint, error) {
	return rows(x, func(p *store.RatingPoint) []any {
		return []any{&p.At, &p.Game, &p.Value, &p.Deviation}
	}, "SELECT at, played, value, deviation FROM rating_history WHERE subject = ? AND game = ? AND speed = ? ORDER BY id", k.Subject, k.Game,
		k.Speed)
}
