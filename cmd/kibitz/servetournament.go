package main

import (
	"context"
	"encoding"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/games"
	"kibitz/hall/bus"
	"kibitz/hall/contest"
	"kibitz/hall/server"
	"kibitz/journal"
	"kibitz/rules"
	"kibitz/run"
	"kibitz/run/engines"
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
	"preset", "tiebreaks", "points", "sprt", "draw", "resign", "adjudicate", "max-moves", "illegal", "stall", run.KeyVersion, run.KeyFolder,
}

// ReadFile implements server.TournamentMaker.
func (hallMaker) ReadFile(name string, data []byte) (form server.TournamentForm, place func(pointer string, err error) error, err error) {
	f, err := run.ParseFile(name, data)
	if err != nil {
		return form, nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(f.Values)) {
		if !slices.Contains(hallKeys, key) {
			return form, nil, f.At("/"+key, fmt.Errorf("%s: means nothing in a hall; known are %s", key, strings.Join(hallKeys, " ")))
		}
	}
	s, err := f.Settings()
	if err != nil {
		return form, nil, err
	}
	place = func(pointer string, err error) error { return f.Place(atEntry(pointer, err)) }
	return formOf(&s.Config), place, nil
}

// atEntry makes an error of an entry of a form ("#/engines/1") one of an engine of a run;
// others say themselves where they belong.
func atEntry(pointer string, err error) error {
	if engine, is := strings.CutPrefix(pointer, "#/engines/"); is {
		return run.FaultAt("/engine/"+engine, err)
	}
	return err
}

// formFault makes the settings that an error is about values of a form.
func formFault(err error) error {
	list := run.Faults(err)
	if len(list) == 0 {
		return err
	}
	out := &server.FormError{Err: err}
	for _, f := range list {
		out.Faults = append(out.Faults, server.Fault{Pointer: formPointer(f.Path), Detail: f.InFile()})
	}
	return out
}

// formPointer is the place in a form of a setting of a run: names in a form are in camel case,
// and an engine is one text there.
func formPointer(path string) string {
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	words := strings.Split(parts[0], "-")
	for i, w := range words[1:] {
		words[i+1] = strings.ToUpper(w[:1]) + w[1:]
	}
	switch key := strings.Join(words, ""); {
	case key == "engine" && len(parts) > 1:
		return "#/engines/" + parts[1]
	case key == "engine":
		return "#/engines"
	default:
		return "#/" + key
	}
}

// formOf is what a run plays as a form.
func formOf(c *run.Config) server.TournamentForm {
	form := server.TournamentForm{
		Game: c.Game, Format: string(c.Format), Games: c.Games, Seeds: c.Seeds, Repeat: c.Repeat, FixedSeats: c.FixedSeats, Casual: c.Casual,
		Seed:        c.Seed,
		Concurrency: c.Concurrency, Points: wordsOf(c.Points), TieBreaks: wordsOf(c.TieBreaks), Draw: wordsOf(c.Draw), Resign: wordsOf(c.Resign),
		MaxMoves: c.MaxMoves, Illegal: wordsOf(c.Illegal), Stall: c.Stall, Each: c.Each.String(),
	}
	for _, words := range c.Engine {
		form.Engines = append(form.Engines, words.String())
	}
	if c.Rounds != nil {
		form.Rounds = *c.Rounds
	}
	if c.SPRT != nil {
		form.SPRT = wordsOf(c.SPRT)
	}
	if c.Adjudicate != nil {
		form.Adjudicate = wordsOf(c.Adjudicate)
	}
	if c.Openings != nil {
		form.Openings = wordsOf(c.Openings)
	}
	return form
}

// wordsOf is a setting in words.
func wordsOf(x encoding.TextMarshaler) string {
	b, err := x.MarshalText()
	if err != nil {
		return ""
	}
	return string(b)
}

// formConfig is a form as what a run plays, with what is usual where nothing is said. In a
// hall illegal answers lose where nothing is said.
func formConfig(f *server.TournamentForm) (*run.Config, error) {
	s := run.Usual()
	s.Illegal = run.Illegal{}
	var faults []error
	set := func(given bool, key string, value any) {
		if given {
			faults = append(faults, s.Set(key, value))
		}
	}
	for key, text := range map[string]string{
		"game": f.Game, "format": f.Format, "points": f.Points, "tiebreaks": f.TieBreaks, "sprt": f.SPRT, "draw": f.Draw, "resign": f.Resign,
		"adjudicate": f.Adjudicate, "illegal": f.Illegal, "openings": f.Openings, "each": f.Each,
	} {
		set(text != "", key, text)
	}
	for key, n := range map[string]int{
		"games": f.Games, "rounds": f.Rounds, "seeds": f.Seeds, "concurrency": f.Concurrency, "max-moves": f.MaxMoves,
	} {
		set(n != 0, key, n)
	}
	for key, on := range map[string]bool{"repeat": f.Repeat, "fixed-seats": f.FixedSeats, "casual": f.Casual} {
		set(on, key, on)
	}
	set(f.Seed != 0, "seed", f.Seed)
	set(f.Stall != 0, "stall", f.Stall)
	for i, words := range f.Engines {
		w, err := engines.ParseWords(words)
		s.Engine, faults = append(s.Engine, w), append(faults, run.EngineFault(i, err))
	}
	return &s.Config, errors.Join(faults...)
}

// Make implements server.TournamentMaker.
func (m hallMaker) Make(_ context.Context, f *server.TournamentForm, file *server.OpeningsFile) (contest.Config, []contest.Opening, error) {
	set, list, err := m.read(f, file)
	if err != nil {
		return set, nil, formFault(err)
	}
	return set, list, nil
}

// read makes settings and openings of a form; the error is of package run.
func (m hallMaker) read(f *server.TournamentForm, file *server.OpeningsFile) (set contest.Config, list []contest.Opening, err error) {
	r, err := games.Open(f.Game)
	if err != nil {
		return set, nil, run.FaultAt("/game", err)
	}
	_, dealt := r.New().(rules.Chance)
	if dealt && f.Repeat {
		return set, nil, &run.Error{Path: "/repeat", Want: "the record of a game tells how its shuffle was, and all may read it before the " +
			"second game on it: leave repeat away"}
	}
	c, err := formConfig(f)
	if err != nil {
		return set, nil, err
	}
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
	set.Openings = f.Openings
	return set, list, err
}

// settings reads all but the game and the openings.
func (m hallMaker) settings(c *run.Config, r rules.Rules) (set contest.Config, err error) {
	if err := c.CheckLimits(); err != nil {
		return set, err
	}
	set = contest.Config{
		Format: c.Format, Games: c.Games, Seeds: c.Seeds, Repeat: c.Repeat, FixedSeats: c.FixedSeats, Seed: c.Seed, Limit: c.Concurrency,
		Rated: !c.Casual,
		Rules: bus.Rules{
			Retries: c.Illegal.Retries, MaxMoves: c.MaxMoves, Stall: time.Duration(c.Stall * float64(time.Second)), NoDraw: true, NoAbort: true,
			Draw: bus.DrawRule(c.Draw), Resign: bus.ResignRule{Count: c.Resign.Count, Score: c.Resign.Score}, Exact: c.Adjudicate != nil,
		},
		Points: contest.Points(c.Points), TieBreaks: c.TieBreaks,
	}
	if c.Rounds != nil {
		set.Rounds = *c.Rounds
	}
	if x := c.Adjudicate; x != nil {
		if *x != (run.Exact{Nodes: run.ExactNodes}) {
			return set, &run.Error{Path: "/adjudicate", Got: strconv.Quote(wordsOf(x)), Want: "in a hall write exact"}
		}
		if _, err := x.Rule(r); err != nil {
			return set, err
		}
	}
	if c.Concurrency > contest.MaxLimit {
		return set, &run.Error{
			Path: "/concurrency", Got: strconv.Itoa(c.Concurrency),
			Want: fmt.Sprintf("up to %d are possible", contest.MaxLimit),
		}
	}
	if set.TieBreaks == nil {
		set.TieBreaks = tournament.DefaultTieBreaks(set.Format)
	}
	if t := c.SPRT; t != nil {
		set.SPRT = &contest.SPRT{Model: t.Model, Elo0: t.Elo0, Elo1: t.Elo1, Alpha: t.Alpha, Beta: t.Beta, Corrected: t.Corrected}
	}
	if err := knownInHall(c.Each); err != nil {
		return set, run.FaultAt("/each", err)
	}
	control, err := clock.FromKeys(c.Each.Get)
	if err != nil {
		return set, run.FaultAt("/each", &engines.Error{Text: c.Each.String(), Each: true, Err: err})
	}
	set.Clock = control.String()
	return set, m.checkPlan(set)
}

// checkPlan finds what cannot be played however many engines are entered: a plan for
// as many as may be, and more games than there may be with as few as may be.
func (hallMaker) checkPlan(set contest.Config) error {
	p := tournament.Plan{
		Format: set.Format, Engines: contest.MaxEntries, Games: set.Games, Rounds: max(1, set.Rounds), Seeds: set.Seeds, Repeat: set.Repeat,
		FixedSeats: set.FixedSeats,
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

// openings reads those of a file that was sent, or takes a suite.
func (hallMaker) openings(c *run.Config, r rules.Rules, file *server.OpeningsFile) ([]contest.Opening, error) {
	fail := func(want string) ([]contest.Opening, error) {
		return nil, &run.Error{Path: "/openings", Want: want}
	}
	o := c.Openings
	if o == nil {
		if file != nil {
			return fail("a file of openings was sent; say file=NAME, and what else is to be said of them")
		}
		return nil, nil
	}
	var err error
	set := &openingSet{}
	switch {
	case o.Random > 0:
		return fail("a hall makes none: let kibitz openings write random ones into a file and send it, with file=NAME")
	case o.Suite != "":
		err = set.pick(o, r)
	case file == nil:
		return fail(fmt.Sprintf("a hall opens no files: send %s with the tournament", o.File))
	default:
		set.list, err = openingFiles().Read(file.Name, file.Data, r, o.Plies)
	}
	if err == nil && len(set.list) > contest.MaxOpenings {
		err = fmt.Errorf("%d openings: up to %d are possible", len(set.list), contest.MaxOpenings)
	}
	if err == nil {
		err = set.arrange(o, r, tournament.Seeds{Seed: c.Seed})
	}
	if err != nil {
		return fail(err.Error())
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

// knownInHall refuses words that a hall does not know.
func knownInHall(words engines.Words) error {
	known := slices.Concat([]string{"bot", "engine", "cmd", "name", "depth", "nodes"}, clock.Keys())
	for _, w := range words {
		if !slices.Contains(known, w.Key) {
			return &engines.Error{
				Text: words.String(), Key: w.Key,
				Err: fmt.Errorf("%q means nothing in a hall, where programs, their options and their guard stand in the worker's own file; known "+
					"are %s", w.Key, strings.Join(known, " ")),
			}
		}
	}
	return nil
}

// Entry implements server.TournamentMaker.
func (hallMaker) Entry(_ *contest.Config, each, text string) (x contest.Entry, err error) {
	fail := func(key string, err error) (contest.Entry, error) {
		return x, &engines.Error{Text: text, Key: key, Err: err}
	}
	own, err := engines.ParseWords(text)
	if err == nil {
		err = knownInHall(own)
	}
	if err != nil {
		return x, err
	}
	k, err := clock.FromKeys(own.Get)
	if err != nil {
		var of *clock.KeyError
		if errors.As(err, &of) {
			return fail(of.Key, err)
		}
		return fail("", err)
	}
	if slices.ContainsFunc(own, func(w engines.Word) bool { return slices.Contains(clock.Keys(), w.Key) }) {
		x.Clock = k.String()
	}
	all, err := engines.ParseWords(each) // checked before
	if err != nil {
		return x, err
	}
	value := map[string]string{}
	for _, w := range slices.Concat(all, own) {
		value[w.Key] = w.Value
	}
	if value["bot"] != "" {
		return hallBot(x, value, fail)
	}
	for _, key := range []string{"depth", "nodes"} {
		if value[key] != "" {
			return fail(key, fmt.Errorf("%q goes with bot= alone: what an engine of the hall plays with stands in the worker's file", key))
		}
	}
	x.Kind, x.Engine = bus.EngineSeat, value["engine"]
	if cmd := value["cmd"]; cmd != "" && x.Engine == "" {
		// The file of a match: the hall has it under the name that it has there.
		e := &engineSpec{Name: value["name"]}
		if e.Cmd, err = engines.SplitCommand(cmd); err != nil {
			return fail("cmd", err)
		}
		if x.Engine = e.Name; x.Engine == "" {
			x.Engine = e.DefaultName()
		}
	}
	if x.Engine == "" {
		return fail("", errors.New("write bot=1 to bot=9, or engine=NAME with an engine of the hall"))
	}
	if x.Name = value["name"]; x.Name == "" {
		x.Name = x.Engine
	}
	x.Name = game.Shown(x.Name, 60)
	return x, nil
}

// hallBot is the entry of a built-in engine.
func hallBot(x contest.Entry, value map[string]string, fail func(string, error) (contest.Entry, error)) (contest.Entry, error) {
	words := []string{"bot=" + value["bot"]}
	for _, key := range []string{"depth", "nodes"} {
		if value[key] != "" {
			words = append(words, key+"="+value[key])
		}
	}
	if value["cmd"] != "" || value["engine"] != "" {
		return fail("", errors.New("bot=, engine= and cmd= exclude each other"))
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
