package server

import (
	"context"
	"encoding/hex"
	"fmt"
	"net/http"
	"time"

	"kibitz/hall/auth"
	"kibitz/hall/contest"
	"kibitz/hall/store"
)

const tournamentsPath = "/api/v1/tournaments"

// tournamentListed is a tournament in a list.
type tournamentListed struct {
	tournamentHead
	State string `json:"state" enum:"entering,playing,paused,finished,cancelled"`
}

// tournamentHead is what does not change, or hardly.
type tournamentHead struct {
	ID      string     `json:"id"`
	Name    string     `json:"name"`
	Game    string     `json:"game"`
	Owner   int64      `json:"owner"`
	Listed  bool       `json:"listed"`
	Created *time.Time `json:"created,omitempty"`
	Changed *time.Time `json:"changed,omitempty"`
}

// tournamentLine is a game of a schedule with the name that the hall has for it.
type tournamentLine struct {
	contest.Line
	ID string `json:"id,omitempty" doc:"of the game, if it is one of the hall's: awarded ones are not"`
}

// tournamentNow is what changes while a tournament is played.
type tournamentNow struct {
	Seq       int64            `json:"seq" doc:"number of the last event"`
	State     string           `json:"state" enum:"entering,playing,paused,finished,cancelled"`
	Limit     int              `json:"concurrency" doc:"how many games are played at a time"`
	Over      int              `json:"over" doc:"games with a verdict"`
	All       int              `json:"all" doc:"games there are, as far as is known"`
	Playing   []tournamentLine `json:"playing"`
	Standings []contest.Row    `json:"standings"`
	Test      *contest.Test    `json:"sprt,omitempty"`
	Bracket   []contest.Match  `json:"bracket,omitempty" doc:"of a knockout"`
	Places    []int            `json:"places,omitempty" doc:"of a ladder, from the top"`
}

type tournamentView struct {
	tournamentHead
	tournamentNow
	Settings   contest.ConfigShown `json:"settings"`
	Openings   int                 `json:"openings"`
	Entries    []contest.Entry     `json:"entries"`
	Commitment string              `json:"commitment" doc:"SHA-256 of the secret from which all chance comes"`
	Secret     string              `json:"secret,omitempty" doc:"told when the tournament is over"`
	Waiting    []string            `json:"waiting,omitempty" doc:"for what workers it waits, in words"`
	Others     []string            `json:"others,omitempty" doc:"workers that have other programs under the names of its engines, in words; they are not handed its games"`
	You        tournamentYou       `json:"you"`
}

type tournamentYou struct {
	Director bool  `json:"director"`
	Entries  []int `json:"entries" doc:"entries of the caller"`
}

// TournamentPath is an identifier in a path.
type TournamentPath struct {
	ID string `path:"tournament" maxLength:"60"`
}

type tournamentsQuery struct {
	State  []string  `query:"state" enum:"entering,playing,paused,finished,cancelled" doc:"any of these"`
	Game   string    `query:"game" maxLength:"60"`
	Mine   bool      `query:"mine" doc:"made by the caller, listed or not"`
	Before time.Time `query:"before" doc:"with beforeId: continue below"`
	After  string    `query:"beforeId" maxLength:"60"`
	Limit  int       `query:"limit" minimum:"0" maximum:"200"`
}

type newEntry struct {
	TournamentPath
	Body struct {
		Engine string `json:"engine" maxLength:"500" doc:"bot=1 to bot=9, or engine=NAME of an engine of the hall, with name=N and clocks"`
		Byes   int    `json:"byes,omitempty" minimum:"0" maximum:"1000" doc:"for directors: late in a Swiss, for how many missed rounds it has half a bye"`
	}
}

type entryPath struct {
	TournamentPath
	Number int `path:"entry" minimum:"1"`
}

type tournamentCommand struct {
	TournamentPath
	Body struct {
		Do        string `json:"do" enum:"start,cancel,pause,resume,concurrency,withdraw,pair,forfeit,replay,overrule,abort"`
		Entry     int    `json:"entry,omitempty" minimum:"0" doc:"withdraw; pair: who begins the first game; forfeit: who loses"`
		Opponent  int    `json:"opponent,omitempty" minimum:"0" doc:"pair; forfeit of all that two have not played"`
		Game      int    `json:"game,omitempty" minimum:"0" doc:"forfeit, replay, overrule, abort: its number; one that is being played is ended by a forfeit"`
		Games     int    `json:"games,omitempty" minimum:"0" maximum:"1000" doc:"pair: how many, 0 for as many as a meeting has"`
		Opening   int    `json:"opening,omitempty" minimum:"0" doc:"pair: the number of the opening that all these games begin from, 0 for those whose turn it is; not in a Swiss"`
		Limit     int    `json:"concurrency,omitempty" minimum:"0" maximum:"1000" doc:"concurrency: games at a time"`
		Remaining string `json:"remaining,omitempty" enum:"award,annul" doc:"withdraw: what becomes of the games"`
		Result    string `json:"result,omitempty" enum:"first,second,draw,nobody" doc:"overrule"`
		Note      string `json:"note,omitempty" maxLength:"500" doc:"why; overrule needs it"`
	}
}

type scheduleQuery struct {
	TournamentPath
	From  int `query:"from" minimum:"0" doc:"number of the first game, from 1"`
	Limit int `query:"limit" minimum:"1" maximum:"1000" default:"200"`
}

type scheduleView struct {
	Seq   int64            `json:"seq"`
	Known int              `json:"known" doc:"how many numbers are in use"`
	Games []tournamentLine `json:"games"`
}

type crossView struct {
	Seq      int64             `json:"seq"`
	Entries  []contest.Row     `json:"entries" doc:"in the order of the standings"`
	Meetings []contest.Meeting `json:"meetings" doc:"games by label: the game's ID is that of the tournament, a hyphen and the label"`
}

func (h *Hall) tournaments() *Tournaments { return h.cfg.Live.Tournaments }

// registerTournaments makes the hall's parts known to each other and registers routes.
func (h *Hall) registerTournaments() {
	t := h.tournaments()
	t.dispatcher, t.bus = h.cfg.Live.Dispatcher, h.cfg.Live.Bus
	t.metrics.register(h.Registerer())
	const tag = "tournaments"
	one := tournamentsPath + "/{tournament}"
	add(h, Route{Method: "GET", Path: tournamentsPath, ID: "tournaments", Tag: tag, Summary: "Tournaments, the newest first", Need: auth.Look},
		h.listTournaments)
	add(h, Route{
		Method: "POST", Path: tournamentsPath, ID: "make-tournament", Tag: tag, Summary: "Make a tournament", Need: auth.Organise, Creates: true,
		Status: http.StatusCreated,
		Body:   tournamentBody, About: "Fields that are texts are written as after the flags of kibitz match.",
	}, h.makeTournament)
	add(h, Route{
		Method: "POST", Path: tournamentsPath + "/file", ID: "import-tournament", Tag: tag, Summary: "Make a tournament of the file of a run",
		Need: auth.Organise, Creates: true,
		Status: http.StatusCreated, Body: tournamentBody,
		About: "A form with the file that kibitz match --save writes, and after it the file of openings that it names. What a hall cannot " +
			"do is refused with line and column.",
	}, h.importTournament)
	add(h, Route{Method: "GET", Path: one, ID: "tournament", Tag: tag, Summary: "A tournament with its standings", Need: auth.Look},
		h.getTournament)
	add(h, Route{Method: "GET", Path: one + "/schedule", ID: "schedule", Tag: tag, Summary: "Who plays whom, with results", Need: auth.Look},
		h.tournamentSchedule)
	add(h, Route{Method: "GET", Path: one + "/crosstable", ID: "crosstable", Tag: tag, Summary: "Who made what against whom", Need: auth.Look},
		h.tournamentCross)
	add(h, Route{
		Method: "GET", Path: one + "/sprt", ID: "tournament-sprt", Tag: tag, Summary: "How the sequential test went", Need: auth.Look,
		About: "At most 401 points: of a long test every second one, or every fourth, is told, and the latest.",
	}, h.tournamentTest)
	add(h, Route{
		Method: "GET", Path: one + "/log", ID: "tournament-log", Tag: tag, Summary: "The events that the tournament is made of",
		Need: auth.Look,
	}, h.tournamentLog)
	add(h, Route{
		Method: "POST", Path: one + "/entries", ID: "enter", Tag: tag, Summary: "Enter an engine", Need: auth.Keep, Creates: true,
		Status: http.StatusCreated,
	}, h.enterTournament)
	add(h, Route{Method: "DELETE", Path: one + "/entries/{entry}", ID: "withdraw", Tag: tag, Summary: "Withdraw an engine", Need: auth.Keep},
		h.withdrawEntry)
	add(h, Route{
		Method: "POST", Path: one + "/commands", ID: "tournament-command", Tag: tag, Summary: "Direct a tournament", Need: auth.Organise,
		Creates: true,
		About:   "For the account that made it and for arbiters. What each command does in each format: docs/tournaments.md.",
	}, h.commandTournament)
	h.handle(Route{
		Method: "GET", Path: one + "/events", ID: "tournament-events", Tag: tag, Summary: "A tournament while it is played", Need: auth.Look,
		Time:  -1,
		About: "Server-sent events, or lines of JSON for Accept: application/x-ndjson.",
	}, http.HandlerFunc(h.tournamentEvents))
}

// visitor is what a caller is in a tournament.
func visitor(ctx context.Context, row *store.Tournament) contest.Actor {
	c, known := auth.FromContext(ctx)
	return contest.Actor{ID: c.ID, Name: c.Name, Director: known && (c.ID == row.Owner && c.Can(auth.Organise) || c.Can(auth.Direct))}
}

// mayLook returns ErrNotFound for those who may not know of a tournament.
func mayLook(row *store.Tournament, s *contest.State, by contest.Actor) error {
	if row.Listed || by.Director || by.ID != 0 && (by.ID == row.Owner || len(entriesOf(s, by.ID)) > 0) {
		return nil
	}
	return fmt.Errorf("tournament: %w", store.ErrNotFound)
}

// entriesOf lists the entries of an account.
func entriesOf(s *contest.State, user int64) []int {
	out := []int{}
	for _, e := range s.Present() {
		if user != 0 && e.User == user {
			out = append(out, e.Number)
		}
	}
	return out
}

// presentFor lists the entries as somebody may see them.
func presentFor(s *contest.State, by contest.Actor, owner int64) []contest.Entry {
	list := s.Present()
	for i := range list {
		list[i] = list[i].For(by, owner)
	}
	return list
}

// seeTournament calls fn with a tournament that the caller may see.
func (h *Hall) seeTournament(ctx context.Context, id string, fn func(row *store.Tournament, s *contest.State, by contest.Actor)) error {
	return h.tournaments().look(ctx, id, func(row *store.Tournament, s *contest.State) error {
		by := visitor(ctx, row)
		if err := mayLook(row, s, by); err != nil {
			return err
		}
		fn(row, s, by)
		return nil
	})
}

func headOf(row *store.Tournament) tournamentHead {
	return tournamentHead{row.ID, row.Name, row.Game, row.Owner, row.Listed, when(row.Created), when(row.Changed)}
}

// nowOf is how a tournament stands, as everyone who may look sees it.
func nowOf(id string, s *contest.State) tournamentNow {
	v := tournamentNow{
		Seq: s.Seq, State: string(stateOf(s)), Limit: s.Limit, Playing: linesOf(id, s.Running()), Standings: s.Standings(), Test: s.Test(),
		Bracket: s.Bracket(), Places: s.Places(),
	}
	v.Over, v.All = s.Count()
	return v
}

func linesOf(id string, list []contest.Line) []tournamentLine {
	out := make([]tournamentLine, len(list))
	for i, l := range list {
		out[i] = tournamentLine{Line: l}
		if !l.Awarded && l.State != "waiting" && l.State != "dropped" {
			out[i].ID = gameID(id, l.Label)
		}
	}
	return out
}

func viewTournament(row *store.Tournament, s *contest.State, by contest.Actor) tournamentView {
	v := tournamentView{
		tournamentHead: headOf(row), tournamentNow: nowOf(row.ID, s), Settings: s.Settings.Shown(), Openings: len(s.Openings),
		Entries:    presentFor(s, by, row.Owner),
		Commitment: commitment(row), You: tournamentYou{Director: by.Director, Entries: entriesOf(s, by.ID)},
	}
	if (s.Phase == contest.Finished || s.Phase == contest.Cancelled) && len(s.Playing()) == 0 {
		v.Secret = hex.EncodeToString(row.Secret)
	}
	return v
}

func (h *Hall) getTournament(ctx context.Context, in *TournamentPath) (*body[tournamentView], error) {
	var v tournamentView
	err := h.seeTournament(ctx, in.ID, func(row *store.Tournament, s *contest.State, by contest.Actor) {
		v = viewTournament(row, s, by)
		v.Waiting, v.Others = h.tournaments().workersOf(row.ID, s)
	})
	return reply(v), err
}

func (h *Hall) tournamentSchedule(ctx context.Context, in *scheduleQuery) (*body[scheduleView], error) {
	var v scheduleView
	err := h.seeTournament(ctx, in.ID, func(row *store.Tournament, s *contest.State, _ contest.Actor) {
		lines, known := s.Schedule(in.From, in.Limit)
		v = scheduleView{s.Seq, known, linesOf(row.ID, lines)}
	})
	return reply(v), err
}

func (h *Hall) tournamentCross(ctx context.Context, in *TournamentPath) (*body[crossView], error) {
	var v crossView
	err := h.seeTournament(ctx, in.ID, func(_ *store.Tournament, s *contest.State, _ contest.Actor) {
		v = crossView{s.Seq, s.Standings(), s.Cross()}
	})
	return reply(v), err
}

// testView is a sequential test with its course.
type testView struct {
	Seq   int64         `json:"seq"`
	Test  *contest.Test `json:"sprt" doc:"null where there is no test, or it has not begun"`
	Trail []contest.Dot `json:"trail" doc:"the ratio with its bounds, the earliest first"`
}

func (h *Hall) tournamentTest(ctx context.Context, in *TournamentPath) (*body[testView], error) {
	var v testView
	err := h.seeTournament(ctx, in.ID, func(_ *store.Tournament, s *contest.State, _ contest.Actor) {
		v = testView{s.Seq, s.Test(), append([]contest.Dot{}, s.Trail()...)}
	})
	return reply(v), err
}

func (h *Hall) listTournaments(ctx context.Context, in *tournamentsQuery) (*body[[]tournamentListed], error) {
	c, known := auth.FromContext(ctx)
	q := store.TournamentQuery{Game: in.Game, Listed: !c.Can(auth.Direct), Before: in.Before, BeforeID: in.After, Limit: in.Limit}
	if in.Mine {
		if !known {
			return nil, badInput("mine: nobody is logged in")
		}
		q.Owner, q.Listed = c.ID, false
	}
	for _, s := range in.State {
		q.States = append(q.States, store.TournamentState(s))
	}
	out := []tournamentListed{}
	err := h.view(ctx, func(tx store.Tx) error {
		list, err := tx.Tournaments(q)
		out = out[:0]
		for i := range list {
			out = append(out, tournamentListed{headOf(&list[i]), string(list[i].State)})
		}
		return err
	})
	return reply(out), err
}
