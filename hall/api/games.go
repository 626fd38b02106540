package api

import (
	"context"
	"net/http"
	"net/url"

	"kibitz/hall/auth"
	"kibitz/hall/records"
	"kibitz/hall/router"
)

// games are the routes of games that the hall keeps.
type games struct{ games *records.Games }

func (h *games) register(a *API) {
	const tag, games = "games", "/api/v1/games"
	add(a, router.Route{
		Method: "GET", Path: games, ID: "games", Tag: tag, Summary: "Search games, those added last first", Need: auth.Look,
		About: "Games that are not listed are found by those of their room, by whoever made their tournament and by arbiters, and by their " +
			"players with mine.",
	}, answer(h.games.Find))
	add(a, router.Route{Method: "GET", Path: games + "/{id}", ID: "game", Tag: tag, Summary: "A game", Need: auth.Look}, answer(h.games.Get))
	add(a, router.Route{
		Method: "GET", Path: games + "/{id}/record", ID: "record", Tag: tag, Summary: "The record of a game that is over",
		Need: auth.Look,
	}, h.record)
	add(a, router.Route{
		Method: "GET", Path: games + "/{id}/view", ID: "view", Tag: tag, Summary: "The board of a game that is over, at a ply",
		Need: auth.Look, About: "The answer is the board in the form of the live streams.",
	}, answer(h.games.View))
	add(a, router.Route{
		Method: "DELETE", Path: games + "/{id}", ID: "remove-game", Tag: tag,
		Summary: "Remove a game that is over or aborted, with its record", Need: auth.Administer, Status: http.StatusNoContent,
	}, done(h.games.Remove))
	add(a, router.Route{Method: "GET", Path: "/api/v1/formats", ID: "formats", Tag: tag, Summary: "Formats of records", Need: auth.Look},
		list(func(context.Context) ([]records.Format, error) { return h.games.Formats() }))
}

type fileAnswer struct {
	Type string `header:"Content-Type"`
	Name string `header:"Content-Disposition"`
	Body []byte
}

func (h *games) record(ctx context.Context, in *records.RecordQuery) (*fileAnswer, error) {
	f, err := h.games.Record(ctx, in)
	if err != nil {
		return nil, err
	}
	return &fileAnswer{f.Type, attachment(f.Name), f.Data}, nil
}

// attachment is the header of a file that a browser is to keep under a name.
func attachment(name string) string {
	return `attachment; filename="` + url.PathEscape(name) + `"`
}
