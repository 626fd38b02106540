package api

import (
	"context"
	"net/http"

	"kibitz/game/wire"
	"kibitz/hall/auth"
	"kibitz/hall/records"
	"kibitz/hall/router"
)

type boardQuery struct{ Body records.BoardWish }

type boardAnswer struct {
	Key  int64      `json:"key,string" doc:"for searches of games that went through it"`
	View *wire.View `json:"view" doc:"the board in the form of the live streams"`
}

func registerPositions(a *API, positions *records.Positions) {
	const tag, saved = "positions", "/api/v1/saved"
	add(a, router.Route{Method: "POST", Path: "/api/v1/boards", ID: "board", Tag: tag, Summary: "Check and show a position", Need: auth.Play},
		answer(func(ctx context.Context, in *boardQuery) (boardAnswer, error) {
			v, key, err := positions.Check(ctx, in.Body)
			if err != nil {
				return boardAnswer{}, err
			}
			return boardAnswer{key, wire.Of(v)}, nil
		}))
	add(a, router.Route{Method: "GET", Path: saved, ID: "saved", Tag: tag, Summary: "Positions that the caller keeps", Need: auth.Keep},
		list(positions.List))
	add(a, router.Route{
		Method: "POST", Path: saved, ID: "save", Tag: tag, Summary: "Keep a position to begin games from", Need: auth.Keep,
		Creates: true, Status: http.StatusCreated,
	}, answer(positions.Save))
	add(a, router.Route{
		Method: "GET", Path: saved + "/{id}", ID: "saved-position", Tag: tag, Summary: "A position that the caller keeps",
		Need: auth.Keep,
	}, answer(positions.Get))
	add(a, router.Route{
		Method: "DELETE", Path: saved + "/{id}", ID: "forget-position", Tag: tag, Summary: "Keep a position no longer",
		Need: auth.Keep, Status: http.StatusNoContent,
	}, done(positions.Remove))
}
