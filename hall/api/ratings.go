package api

import (
	"context"
	"time"

	"kibitz/hall/auth"
	"kibitz/hall/records"
	"kibitz/hall/router"
	"kibitz/hall/store"
)

// SubjectQuery names whose results are meant.
type SubjectQuery struct {
	Subject string `query:"subject" required:"true" maxLength:"100" doc:"user/ID or engine/NAME"`
}

type leadersQuery struct {
	Game      string  `query:"game" required:"true" maxLength:"60" doc:"identifier of a game without options"`
	Speed     string  `query:"speed" required:"true" enum:"bullet,blitz,rapid,classical,untimed"`
	Deviation float64 `query:"deviation" minimum:"0" maximum:"1000" default:"110" doc:"the largest deviation that is shown"`
	Limit     int     `query:"limit" minimum:"1" maximum:"500" default:"100"`
}

type historyQuery struct {
	SubjectQuery
	Game  string `query:"game" required:"true" maxLength:"60"`
	Speed string `query:"speed" required:"true" enum:"bullet,blitz,rapid,classical,untimed"`
}

type ratingPoint struct {
	At        *time.Time `json:"at"`
	Game      string     `json:"game,omitempty" doc:"the game that was counted"`
	Value     float64    `json:"value"`
	Deviation float64    `json:"deviation"`
}

type statisticsQuery struct {
	records.Selection
	By    string `query:"by" required:"true" enum:"game,reason,opponent,seat,room"`
	Limit int    `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"the keys with most games"`
}

type tallyView struct {
	Key     string  `json:"key"`
	Wins    int     `json:"wins"`
	Draws   int     `json:"draws"`
	Losses  int     `json:"losses"`
	Plies   int64   `json:"plies"`
	Seconds float64 `json:"seconds"`
}

func registerRatings(a *API, st store.Store, games *records.Games) {
	const tag = "ratings and statistics"
	add(a, router.Route{Method: "GET", Path: "/api/v1/ratings", ID: "ratings", Tag: tag, Summary: "All ratings of a subject", Need: auth.Look},
		answer(func(ctx context.Context, in *SubjectQuery) ([]records.RatingView, error) {
			list, err := store.Get(ctx, st, store.Tx.RatingsOf, in.Subject)
			return records.ViewRatings(list), err
		}))
	add(a, router.Route{
		Method: "GET", Path: "/api/v1/ratings/leaders", ID: "leaders", Tag: tag, Summary: "The best of a game at a speed",
		Need: auth.Look,
	}, answer(func(ctx context.Context, in *leadersQuery) ([]records.RatingView, error) {
		list, err := store.Read(ctx, st, func(tx store.Tx) ([]store.Rating, error) {
			return tx.Leaders(in.Game, in.Speed, in.Deviation, in.Limit)
		})
		return records.ViewRatings(list), err
	}))
	add(a, router.Route{
		Method: "GET", Path: "/api/v1/ratings/history", ID: "rating-history", Tag: tag,
		Summary: "The steps of a rating, oldest first", Need: auth.Look,
	}, answer(func(ctx context.Context, in *historyQuery) ([]ratingPoint, error) {
		out := []ratingPoint{}
		err := st.View(ctx, func(tx store.Tx) error {
			list, err := tx.History(store.RatingKey{Subject: in.Subject, Game: in.Game, Speed: in.Speed})
			out = out[:0]
			for _, p := range list {
				// A game that is not listed is not named here.
				name := ""
				if g, gerr := tx.Game(p.Game); gerr == nil && g.Listed {
					name = p.Game
				}
				out = append(out, ratingPoint{store.When(p.At), name, p.Value, p.Deviation})
			}
			return err
		})
		return out, err
	}))
	add(a, router.Route{
		Method: "GET", Path: "/api/v1/statistics", ID: "statistics", Tag: tag,
		Summary: "Results counted by game, reason, opponent, seat or room", Need: auth.Look,
		About: "From the view of player or subject, else of the first seat, over the games that a search with the same words finds.",
	}, answer(func(ctx context.Context, in *statisticsQuery) ([]tallyView, error) {
		list, err := store.Read(ctx, st, func(tx store.Tx) ([]store.Tally, error) {
			q, err := games.Query(ctx, tx, in.Selection)
			if err != nil {
				return nil, err
			}
			q.Limit = in.Limit
			return tx.Tally(q, store.TallyBy(in.By))
		})
		out := make([]tallyView, 0, len(list))
		for _, t := range list {
			out = append(out, tallyView{t.Key, t.Wins, t.Draws, t.Loses, t.Plies, t.Seconds})
		}
		return out, err
	}))
}
