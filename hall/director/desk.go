package director

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"time"

	"kibitz/game"
	"kibitz/hall/auth"
	"kibitz/hall/contest"
	"kibitz/hall/problem"
	"kibitz/hall/store"
)

// Desk is where callers meet tournaments: what they may see, and what they may do.
type Desk struct {
	Tournaments *Tournaments
	Store       store.Store
	Auth        *auth.Service
	Random      io.Reader
}

// TournamentListed is a tournament in a list.
type TournamentListed struct {
	TournamentHead
	State string `json:"state" enum:"entering,playing,paused,finished,cancelled"`
}

// TournamentHead is what does not change, or hardly.
type TournamentHead struct {
	ID      string     `json:"id"`
	Name    string     `json:"name"`
	Game    string     `json:"game"`
	Owner   int64      `json:"owner"`
	Listed  bool       `json:"listed"`
	Created *time.Time `json:"created,omitempty"`
	Changed *time.Time `json:"changed,omitempty"`
}

// TournamentLine is a game of a schedule with the name that the hall has for it.
type TournamentLine struct {
	contest.Line
	ID string `json:"id,omitempty" doc:"of the game, if it is one of the hall's: awarded ones are not"`
}

// TournamentNow is what changes while a tournament is played.
type TournamentNow struct {
	Seq       int64            `json:"seq" doc:"number of the last event"`
	State     string           `json:"state" enum:"entering,playing,paused,finished,cancelled"`
	Limit     int              `json:"concurrency" doc:"how many games are played at a time"`
	Over      int              `json:"over" doc:"games with a verdict that counts"`
	All       int              `json:"all" doc:"these and those to come, as far as is known; annulled games and those without a verdict are in neither"`
	Playing   []TournamentLine `json:"playing"`
	Standings []contest.Row    `json:"standings"`
	Test      *contest.Test    `json:"sprt,omitempty"`
	Bracket   []contest.Match  `json:"bracket,omitempty" doc:"of a knockout"`
	Places    []int            `json:"places,omitempty" doc:"of a ladder, from the top"`
}

// TournamentView is a tournament as somebody may see it.
type TournamentView struct {
	TournamentHead
	TournamentNow
	Settings   contest.ConfigShown `json:"settings"`
	Openings   int                 `json:"openings"`
	Entries    []contest.Entry     `json:"entries"`
	Commitment string              `json:"commitment" doc:"SHA-256 of the secret from which all chance comes"`
	Secret     string              `json:"secret,omitempty" doc:"told when the tournament is over"`
	Waiting    []string            `json:"waiting,omitempty" doc:"for what workers it waits, or will for games to come, in words"`
	Others     []string            `json:"others,omitempty" doc:"workers that have other programs under the names of its engines, in words; they are not handed its games"`
	// Workers are Waiting and Others as codes, for pages.
	Workers []game.Why    `json:"-"`
	You     TournamentYou `json:"you"`
}

func textsOf(list []game.Why) (texts []string) {
	for _, why := range list {
		texts = append(texts, why.Text)
	}
	return texts
}

// TournamentYou is what the caller is in a tournament.
type TournamentYou struct {
	Director bool  `json:"director"`
	Entries  []int `json:"entries" doc:"entries of the caller"`
}

// TournamentPath is an identifier in a path.
type TournamentPath struct {
	ID string `path:"tournament" maxLength:"60"`
}

// TournamentsQuery asks for tournaments.
type TournamentsQuery struct {
	State  []string  `query:"state" enum:"entering,playing,paused,finished,cancelled" doc:"any of these, with commas between them"`
	Game   string    `query:"game" maxLength:"60"`
	Mine   bool      `query:"mine" doc:"made by the caller, listed or not"`
	Before time.Time `query:"before" doc:"with beforeId: continue below"`
	After  string    `query:"beforeId" maxLength:"60"`
	Limit  int       `query:"limit" minimum:"0" maximum:"200"`
}

// NewEntry is an engine that is entered.
type NewEntry struct {
	TournamentPath
	Body struct {
		Engine string `json:"engine" maxLength:"500" doc:"bot=1 to bot=9, or engine=NAME of an engine of the hall, with name=N and clocks"`
		Byes   int    `json:"byes,omitempty" minimum:"0" maximum:"1000" doc:"for directors: late in a Swiss, for how many missed rounds it has half a bye"`
	}
}

// EntryPath is an entry in a path.
type EntryPath struct {
	TournamentPath
	Number int `path:"entry" minimum:"1"`
}

// TournamentCommand is what a director wants.
type TournamentCommand struct {
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

// ScheduleQuery asks for games.
type ScheduleQuery struct {
	TournamentPath
	From  int `query:"from" minimum:"0" doc:"number of the first game, from 1"`
	Limit int `query:"limit" minimum:"1" maximum:"1000" default:"200"`
}

// ScheduleView is a part of a schedule.
type ScheduleView struct {
	Seq   int64            `json:"seq"`
	Known int              `json:"known" doc:"how many numbers are in use"`
	Games []TournamentLine `json:"games"`
}

// CrossView is a crosstable.
type CrossView struct {
	Seq      int64             `json:"seq"`
	Entries  []contest.Row     `json:"entries" doc:"in the order of the standings"`
	Meetings []contest.Meeting `json:"meetings" doc:"games by label: the game's ID is that of the tournament, a hyphen and the label"`
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

// See calls fn with a tournament that the caller may see.
func (d *Desk) See(ctx context.Context, id string, fn func(row *store.Tournament, s *contest.State, by contest.Actor)) error {
	return d.Tournaments.Look(ctx, id, func(row *store.Tournament, s *contest.State) error {
		by := visitor(ctx, row)
		if err := mayLook(row, s, by); err != nil {
			return err
		}
		fn(row, s, by)
		return nil
	})
}

func headOf(row *store.Tournament) TournamentHead {
	return TournamentHead{row.ID, row.Name, row.Game, row.Owner, row.Listed, store.When(row.Created), store.When(row.Changed)}
}

// nowOf is how a tournament stands, as everyone who may look sees it.
func nowOf(id string, s *contest.State) TournamentNow {
	v := TournamentNow{
		Seq: s.Seq, State: string(stateOf(s)), Limit: s.Limit, Playing: linesOf(id, s.Running()), Standings: s.Standings(), Test: s.Test(),
		Bracket: s.Bracket(), Places: s.Places(),
	}
	v.Over, v.All = s.Count()
	return v
}

func linesOf(id string, list []contest.Line) []TournamentLine {
	out := make([]TournamentLine, len(list))
	for i, l := range list {
		out[i] = TournamentLine{Line: l}
		if !l.Awarded && l.State != "waiting" && l.State != "dropped" {
			out[i].ID = GameID(id, l.Label)
		}
	}
	return out
}

func viewTournament(row *store.Tournament, s *contest.State, by contest.Actor) TournamentView {
	v := TournamentView{
		TournamentHead: headOf(row), TournamentNow: nowOf(row.ID, s), Settings: s.Settings.Shown(), Openings: len(s.Openings),
		Entries:    presentFor(s, by, row.Owner),
		Commitment: commitment(row), You: TournamentYou{Director: by.Director, Entries: entriesOf(s, by.ID)},
	}
	if (s.Phase == contest.Finished || s.Phase == contest.Cancelled) && len(s.Playing()) == 0 {
		v.Secret = hex.EncodeToString(row.Secret)
	}
	return v
}

// Get returns a tournament with its standings.
func (d *Desk) Get(ctx context.Context, in *TournamentPath) (*TournamentView, error) {
	var v TournamentView
	err := d.See(ctx, in.ID, func(row *store.Tournament, s *contest.State, by contest.Actor) {
		v = viewTournament(row, s, by)
		waits, others := d.Tournaments.workersOf(row.ID, s)
		v.Waiting, v.Others, v.Workers = textsOf(waits), textsOf(others), slices.Concat(waits, others)
	})
	return &v, err
}

// Schedule returns who plays whom.
func (d *Desk) Schedule(ctx context.Context, in *ScheduleQuery) (*ScheduleView, error) {
	var v ScheduleView
	err := d.See(ctx, in.ID, func(row *store.Tournament, s *contest.State, _ contest.Actor) {
		lines, known := s.Schedule(in.From, in.Limit)
		v = ScheduleView{s.Seq, known, linesOf(row.ID, lines)}
	})
	return &v, err
}

// Cross returns who made what against whom.
func (d *Desk) Cross(ctx context.Context, in *TournamentPath) (*CrossView, error) {
	var v CrossView
	err := d.See(ctx, in.ID, func(_ *store.Tournament, s *contest.State, _ contest.Actor) {
		v = CrossView{s.Seq, s.Standings(), s.Cross()}
	})
	return &v, err
}

// TestView is a sequential test with its course.
type TestView struct {
	Seq   int64         `json:"seq"`
	Test  *contest.Test `json:"sprt" doc:"null where there is no test, or it has not begun"`
	Trail []contest.Dot `json:"trail" doc:"the ratio with its bounds, the earliest first"`
}

// Test returns how the sequential test went.
func (d *Desk) Test(ctx context.Context, in *TournamentPath) (*TestView, error) {
	var v TestView
	err := d.See(ctx, in.ID, func(_ *store.Tournament, s *contest.State, _ contest.Actor) {
		v = TestView{s.Seq, s.Test(), append([]contest.Dot{}, s.Trail()...)}
	})
	return &v, err
}

// List returns tournaments, the newest first.
func (d *Desk) List(ctx context.Context, in *TournamentsQuery) ([]TournamentListed, error) {
	c, known := auth.FromContext(ctx)
	q := store.TournamentQuery{Game: in.Game, Listed: !c.Can(auth.Direct), Before: in.Before, BeforeID: in.After, Limit: in.Limit}
	if in.Mine {
		if !known {
			return nil, problem.At("#/mine", problem.Input("mine: nobody is logged in"))
		}
		q.Owner, q.Listed = c.ID, false
	}
	for _, s := range in.State {
		q.States = append(q.States, store.TournamentState(s))
	}
	list, err := store.Get(ctx, d.Store, store.Tx.Tournaments, q)
	out := make([]TournamentListed, 0, len(list))
	for i := range list {
		out = append(out, TournamentListed{headOf(&list[i]), string(list[i].State)})
	}
	return out, err
}
