package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/shlex"

	"kibitz/bus"
	"kibitz/clock"
	"kibitz/game"
	"kibitz/games"
	"kibitz/journal"
	"kibitz/player"
	"kibitz/rating"
	"kibitz/rules"
	"kibitz/run/engines"
	"kibitz/server"
	"kibitz/server/contest"
	"kibitz/tournament"
)

// hallMaker makes the tournaments of a hall of what people write: forms, and the files
// that kibitz match plays.
type hallMaker struct{}

var _ server.TournamentMaker = hallMaker{}

// hallKeys are the keys of a run's file that mean something in a hall; those behind them
// say who wrote the file and are passed over.
var hallKeys = []string{
	"game", "engine", "each", "games", "rounds", "format", "seeds", "concurrency", "repeat", "fixed-seats", "casual", "openings", "seed",
	"preset", "tiebreaks", "points", "sprt", "draw", "resign", "adjudicate", "max-moves", "illegal", "stall", keyVersion, keyFolder,
}

// ReadFile implements server.TournamentMaker.
func (hallMaker) ReadFile(name string, data []byte) (form server.TournamentForm, place func(key string, err error) error, err error) {
	f, err := parseSettings(name, data)
	if err != nil {
		return form, nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(f.values)) {
		if !slices.Contains(hallKeys, key) {
			return form, nil, f.fault(key, fmt.Errorf("%s: means nothing in a hall; known are %s", key, strings.Join(hallKeys, " ")))
		}
	}
	c, err := f.flags()
	if err != nil {
		return form, nil, f.place(err)
	}
	place = func(key string, err error) error {
		if key != "" {
			return f.fault(f.word(key, err), err)
		}
		return f.place(err)
	}
	return formOf(c), place, nil
}

// formOf is a match as a form.
func formOf(c *matchCmd) server.TournamentForm {
	form := server.TournamentForm{
		Game: c.Game, Format: c.Format, Games: c.Games, Seeds: c.Seeds, Repeat: c.Repeat, FixedSeats: c.FixedSeats, Casual: c.Casual, Seed: c.Seed,
		Concurrency: c.Concurrency, Points: c.Points, TieBreaks: c.TieBreaks, SPRT: c.SPRT, Draw: c.Draw, Resign: c.Resign, Adjudicate: c.Adjudicate,
		MaxMoves: c.MaxMoves, Illegal: c.Illegal, Stall: c.Stall, Openings: c.Openings, Each: c.Each, Engines: c.Engine,
	}
	if c.Rounds != nil {
		form.Rounds = *c.Rounds
	}
	return form
}

// formMatch is a form as a match, with what is usual where nothing is said.
func formMatch(f *server.TournamentForm) *matchCmd {
	c := &matchCmd{
		Game: f.Game, Format: f.Format, Games: f.Games, Seeds: f.Seeds, Repeat: f.Repeat, FixedSeats: f.FixedSeats, Casual: f.Casual, Seed: f.Seed,
		Concurrency: f.Concurrency, Points: f.Points, TieBreaks: f.TieBreaks, SPRT: f.SPRT, Draw: f.Draw, Resign: f.Resign, Adjudicate: f.Adjudicate,
		MaxMoves: f.MaxMoves, Illegal: f.Illegal, Stall: f.Stall, Openings: f.Openings, Each: f.Each, StartLimit: player.StartLimit.Seconds(), RatingInterval: 10,
	}
	usual := func(dst *string, text string) {
		if *dst == "" {
			*dst = text
		}
	}
	usual(&c.Format, string(tournament.RoundRobin))
	usual(&c.Points, "1/0.5/0")
	usual(&c.Illegal, "lose")
	if f.Rounds > 0 {
		c.Rounds = &f.Rounds
	}
	if c.Games == 0 {
		c.Games = 2
	}
	if c.Concurrency == 0 {
		c.Concurrency = 1
	}
	if c.Stall == 0 {
		c.Stall = 600
	}
	return c
}

// Make implements server.TournamentMaker.
func (m hallMaker) Make(_ context.Context, f *server.TournamentForm, file *server.OpeningsFile) (set contest.Terms, list []contest.Opening, err error) {
	r, err := games.Open(f.Game)
	if err != nil {
		return set, nil, fmt.Errorf("--game: %w", err)
	}
	_, dealt := r.New().(rules.Chance)
	if dealt && f.Repeat {
		return set, nil, errors.New("--repeat: the record of a game tells how its shuffle was, and all may read it before the second game on it: leave repeat away")
	}
	c := formMatch(f)
	if set, err = m.settings(c, r); err != nil {
		return set, nil, err
	}
	set.Game, set.Hidden, set.Dealt = r.Spec(), r.Doc().Info == rules.Private, dealt
	set.Name = game.Shown(strings.TrimSpace(f.Name), 100)
	if set.Name == "" {
		set.Name = string(set.Game)
	}
	set.Listed, set.Open, set.Late, set.PerAccount = !f.Unlisted, f.Open, f.Late, f.PerAccount
	list, err = m.openings(c, r, file)
	set.Openings = c.Openings
	return set, list, err
}

// settings reads all but the game and the openings.
func (m hallMaker) settings(c *matchCmd, r rules.Rules) (set contest.Terms, err error) {
	run := &matchRun{cmd: c, rules: r}
	if err := run.readPolicy(); err != nil {
		return set, err
	}
	set = contest.Terms{
		Format: tournament.Format(c.Format), Games: c.Games, Seeds: c.Seeds, Repeat: c.Repeat, FixedSeats: c.FixedSeats, Seed: c.Seed, Limit: c.Concurrency, Rated: !c.Casual,
		Rules: bus.Rules{
			Retries: run.policy.Retries, MaxMoves: c.MaxMoves, Stall: time.Duration(c.Stall * float64(time.Second)), NoDraw: true, NoAbort: true,
			Draw: c.Draw, Resign: c.Resign, Exact: c.Adjudicate != "",
		},
	}
	if c.Rounds != nil {
		set.Rounds = *c.Rounds
	}
	if c.Adjudicate != "" && c.Adjudicate != "exact" {
		return set, fmt.Errorf("--adjudicate %q: in a hall write exact", c.Adjudicate)
	}
	if c.Concurrency > contest.MaxLimit {
		return set, fmt.Errorf("--concurrency %d: up to %d are possible", c.Concurrency, contest.MaxLimit)
	}
	points, err := parsePoints(c.Points)
	if err != nil {
		return set, err
	}
	set.Points = contest.Points(points)
	set.TieBreaks = tournament.DefaultTieBreaks(set.Format)
	if c.TieBreaks != "" {
		if set.TieBreaks, err = tournament.ParseTieBreaks(c.TieBreaks); err != nil {
			return set, err
		}
	}
	if c.SPRT != "" {
		t, err := rating.ParseTest(c.SPRT)
		if err != nil {
			return set, fmt.Errorf("--sprt: %w", err)
		}
		set.SPRT = &contest.SPRT{Model: t.Model, Elo0: t.Elo0, Elo1: t.Elo1, Alpha: t.Alpha, Beta: t.Beta, Corrected: t.Corrected}
	}
	if set.Clock, err = m.clock(c.Each); err != nil {
		return set, err
	}
	return set, m.checkPlan(set)
}

// checkPlan finds what cannot be played however many engines are entered: a plan for
// as many as may be, and more games than there may be with as few as may be.
func (hallMaker) checkPlan(set contest.Terms) error {
	p := tournament.Plan{
		Format: set.Format, Engines: contest.MaxEntries, Games: set.Games, Rounds: max(1, set.Rounds), Seeds: set.Seeds, Repeat: set.Repeat, FixedSeats: set.FixedSeats,
	}
	if p.Format == tournament.Gauntlet && p.Seeds == 0 {
		p.Seeds = 1
	}
	if err := p.CheckShape(); err != nil {
		return err
	}
	p.Engines = max(2, p.Seeds+1)
	return p.Check()
}

// clock reads the time control among the words for every engine.
func (hallMaker) clock(each string) (string, error) {
	words, err := hallWords(each)
	if err != nil {
		return "", fmt.Errorf("--each: %w", err)
	}
	k, _, err := clockOf(words)
	if err != nil {
		return "", fmt.Errorf("--each: %w", err)
	}
	return k.String(), nil
}

// openings reads those of a file that was sent, or takes a suite.
func (hallMaker) openings(c *matchCmd, r rules.Rules, file *server.OpeningsFile) ([]contest.Opening, error) {
	if c.Openings == "" {
		if file != nil {
			return nil, errors.New("--openings: a file of openings was sent; say file=NAME, and what else is to be said of them")
		}
		return nil, nil
	}
	o, err := parseOpenings(c.Openings)
	if err != nil {
		return nil, err
	}
	set := &openingSet{}
	switch {
	case o.random > 0:
		return nil, errors.New("--openings: a hall makes none: let kibitz openings write random ones into a file and send it, with file=NAME")
	case o.suite != "":
		err = set.pick(o, r)
	case file == nil:
		return nil, fmt.Errorf("--openings: a hall opens no files: send %s with the tournament", o.file)
	default:
		set.list, err = openingFiles().Read(file.Name, file.Data, r, o.plies)
	}
	if err == nil && len(set.list) > contest.MaxOpenings {
		err = fmt.Errorf("%d openings: up to %d are possible", len(set.list), contest.MaxOpenings)
	}
	if err == nil {
		err = set.arrange(o, r, tournament.Seeds{Seed: c.Seed})
	}
	if err != nil {
		return nil, fmt.Errorf("--openings: %w", err)
	}
	out := make([]contest.Opening, len(set.list))
	for i, x := range set.list {
		out[i] = contest.Opening{Name: game.Shown(x.Name, 200), Position: x.Start}
		for _, m := range x.Steps {
			out[i].Moves = append(out[i].Moves, journal.FormatMove(m))
		}
	}
	return out, nil
}

// word is one word of an engine.
type word struct{ key, value string }

// hallWords splits the words of an engine and refuses those that a hall does not know.
func hallWords(text string) ([]word, error) {
	list, err := shlex.Split(text)
	if err != nil {
		return nil, err
	}
	known := slices.Concat([]string{"bot", "engine", "cmd", "name", "depth", "nodes"}, clock.Keys())
	var out []word
	for _, w := range list {
		key, value, ok := strings.Cut(w, "=")
		switch {
		case !ok:
			return nil, fmt.Errorf("%q is not key=value", w)
		case !slices.Contains(known, key):
			return nil, fmt.Errorf("%q means nothing in a hall, where programs, their options and their guard stand in the worker's own file; known are %s", key, strings.Join(known, " "))
		case slices.ContainsFunc(out, func(x word) bool { return x.key == key }):
			return nil, fmt.Errorf("%q is given twice", key)
		}
		out = append(out, word{key, value})
	}
	return out, nil
}

// clockOf reads the time control among words; given tells whether there is one.
func clockOf(words []word) (k clock.Control, given bool, err error) {
	get := func(key string) (string, bool) {
		i := slices.IndexFunc(words, func(w word) bool { return w.key == key })
		if i < 0 {
			return "", false
		}
		given = true
		return words[i].value, true
	}
	k, err = clock.FromKeys(get)
	return k, given, err
}

// Entry implements server.TournamentMaker.
func (hallMaker) Entry(_ *contest.Terms, each, text string) (x contest.Entry, err error) {
	fail := func(err error) (contest.Entry, error) { return x, fmt.Errorf("engine %q: %w", text, err) }
	own, err := hallWords(text)
	if err != nil {
		return fail(err)
	}
	k, given, err := clockOf(own)
	if err != nil {
		return fail(err)
	}
	if given {
		x.Clock = k.String()
	}
	all, err := hallWords(each) // checked before
	if err != nil {
		return fail(err)
	}
	value := map[string]string{}
	for _, w := range slices.Concat(all, own) {
		value[w.key] = w.value
	}
	if value["bot"] != "" {
		return hallBot(x, value, fail)
	}
	for _, key := range []string{"depth", "nodes"} {
		if value[key] != "" {
			return fail(fmt.Errorf("%q goes with bot= alone: what an engine of the hall plays with stands in the worker's file", key))
		}
	}
	x.Kind, x.Engine = bus.EngineSeat, value["engine"]
	if cmd := value["cmd"]; cmd != "" && x.Engine == "" {
		// The file of a match: the hall has it under the name that it has there.
		e := &engineSpec{Name: value["name"]}
		if e.Cmd, err = engines.SplitCommand(cmd); err != nil {
			return fail(err)
		}
		if x.Engine = e.Name; x.Engine == "" {
			x.Engine = e.DefaultName()
		}
	}
	if x.Engine == "" {
		return fail(errors.New("write bot=1 to bot=9, or engine=NAME with an engine of the hall"))
	}
	if x.Name = value["name"]; x.Name == "" {
		x.Name = x.Engine
	}
	x.Name = game.Shown(x.Name, 60)
	return x, nil
}

// hallBot is the entry of a built-in engine.
func hallBot(x contest.Entry, value map[string]string, fail func(error) (contest.Entry, error)) (contest.Entry, error) {
	words := []string{"bot=" + value["bot"]}
	for _, key := range []string{"depth", "nodes"} {
		if value[key] != "" {
			words = append(words, key+"="+value[key])
		}
	}
	if value["cmd"] != "" || value["engine"] != "" {
		return fail(errors.New("bot=, engine= and cmd= exclude each other"))
	}
	x.Kind, x.Engine = bus.BotSeat, strings.Join(words, " ")
	e, err := engines.Parse("", x.Engine)
	if err != nil {
		return x, err
	}
	if x.Name = value["name"]; x.Name == "" {
		x.Name = e.Name
	}
	x.Name = game.Shown(x.Name, 60)
	return x, nil
}
