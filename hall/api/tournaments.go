package api

import (
	"context"
	"net/http"
	"time"

	"kibitz/hall/auth"
	"kibitz/hall/director"
	"kibitz/hall/router"
	"kibitz/hall/upload"
)

const tournamentsPath = "/api/v1/tournaments"

// tournamentBody is how large a form may be: with a file of openings.
const tournamentBody = 2 << 20

type tournaments struct {
	desk   *director.Desk
	router *router.Router
	now    func() time.Time
}

func (h *tournaments) register(a *API) {
	const tag = "tournaments"
	one := tournamentsPath + "/{tournament}"
	add(a, router.Route{
		Method: "GET", Path: tournamentsPath, ID: "tournaments", Tag: tag, Summary: "Tournaments, the newest first", Need: auth.Look,
	},
		answer(h.desk.List))
	add(a, router.Route{
		Method: "POST", Path: tournamentsPath, ID: "make-tournament", Tag: tag, Summary: "Make a tournament", Need: auth.Organise, Creates: true,
		Status: http.StatusCreated,
		Body:   tournamentBody, About: "Fields that are texts are written as after the flags of kibitz match.",
	}, answerAt(h.desk.Make))
	add(a, router.Route{
		Method: "POST", Path: tournamentsPath + "/file", ID: "import-tournament", Tag: tag, Summary: "Make a tournament of the file of a run",
		Need: auth.Organise, Creates: true,
		Status: http.StatusCreated, Body: tournamentBody,
		About: "A form with the file that kibitz match --save writes, and after it the file of openings that it names. What a hall cannot " +
			"do is refused with line and column.",
	}, answerAt(h.ofFile))
	add(a, router.Route{Method: "GET", Path: one, ID: "tournament", Tag: tag, Summary: "A tournament with its standings", Need: auth.Look},
		answerAt(h.desk.Get))
	add(a, router.Route{
		Method: "GET", Path: one + "/schedule", ID: "schedule", Tag: tag, Summary: "Who plays whom, with results", Need: auth.Look,
	},
		answerAt(h.desk.Schedule))
	add(a, router.Route{
		Method: "GET", Path: one + "/crosstable", ID: "crosstable", Tag: tag, Summary: "Who made what against whom", Need: auth.Look,
	},
		answerAt(h.desk.Cross))
	add(a, router.Route{
		Method: "GET", Path: one + "/sprt", ID: "tournament-sprt", Tag: tag, Summary: "How the sequential test went", Need: auth.Look,
		About: "At most 401 points: of a long test every second one, or every fourth, is told, and the latest.",
	}, answerAt(h.desk.Test))
	add(a, router.Route{
		Method: "GET", Path: one + "/log", ID: "tournament-log", Tag: tag, Summary: "The events that the tournament is made of",
		Need: auth.Look,
	}, answer(h.desk.Log))
	add(a, router.Route{
		Method: "POST", Path: one + "/entries", ID: "enter", Tag: tag, Summary: "Enter an engine", Need: auth.Keep, Creates: true,
		Status: http.StatusCreated,
	}, answerAt(h.desk.Enter))
	add(a, router.Route{
		Method: "DELETE", Path: one + "/entries/{entry}", ID: "withdraw", Tag: tag, Summary: "Withdraw an engine", Need: auth.Keep,
	},
		answerAt(h.desk.Withdraw))
	add(a, router.Route{
		Method: "POST", Path: one + "/commands", ID: "tournament-command", Tag: tag, Summary: "Direct a tournament", Need: auth.Organise,
		Creates: true,
		About:   "For the account that made it and for arbiters. What each command does in each format: docs/tournaments.md.",
	}, answerAt(h.desk.Command))
	a.handle(router.Route{
		Method: "GET", Path: one + "/events", ID: "tournament-events", Tag: tag, Summary: "A tournament while it is played", Need: auth.Look,
		Time:  -1,
		About: "Server-sent events, or lines of JSON for Accept: application/x-ndjson.",
	}, http.HandlerFunc(h.events))
}

type tournamentFile struct {
	Type    string `header:"Content-Type"`
	Start   bool   `query:"start" doc:"start at once"`
	Open    bool   `query:"open" doc:"every account may enter engines"`
	Name    string `query:"name" maxLength:"100"`
	RawBody []byte `contentType:"multipart/form-data"`
}

func (h *tournaments) ofFile(ctx context.Context, in *tournamentFile) (*director.TournamentView, error) {
	files, err := upload.Parse(in.Type, in.RawBody)
	if err != nil {
		return nil, err
	}
	return h.desk.MakeOf(ctx, files, director.Wishes{Start: in.Start, Open: in.Open, Name: in.Name})
}
