package forms

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/games"
	"kibitz/hall/bus"
	"kibitz/hall/contest"
	"kibitz/hall/director"
	"kibitz/hall/entry"
	"kibitz/journal"
	"kibitz/rules"
	"kibitz/run"
	"kibitz/run/engines"
	"kibitz/run/openings"
	"kibitz/tournament"
)

// Make implements director.TournamentMaker.
func (m Maker) Make(_ context.Context, f *director.TournamentForm, file *director.OpeningsFile) (contest.Config, []contest.Opening, error) {
	set, list, err := m.read(f, file)
	if err != nil {
		return set, nil, formFault(f, err)
	}
	return set, list, nil
}

// read makes settings and openings of a form; the error is of package run.
func (m Maker) read(f *director.TournamentForm, file *director.OpeningsFile) (set contest.Config, list []contest.Opening, err error) {
	r, err := games.Open(f.Game)
	if err != nil {
		return set, nil, run.FaultAt("/game", err)
	}
	_, dealt := r.New().(rules.Chance)
	if dealt && f.Repeat {
		return set, nil, &run.Error{Path: "/repeat", Cause: errDealt, Want: "the record of a game tells how its shuffle was, and all may " +
			"read it before the second game on it: leave repeat away"}
	}
	c, err := Config(f)
	if err != nil {
		return set, nil, err
	}
	if set, err = m.settings(c, r); err != nil {
		return set, nil, err
	}
	set.Game, set.Hidden, set.Dealt = r.Spec(), r.Doc().Info == rules.Private, dealt
	set.Name = cmp.Or(game.Shown(strings.TrimSpace(f.Name), 100), string(set.Game))
	set.Listed, set.Open, set.Late, set.PerAccount = !f.Unlisted, f.Open, f.Late, f.PerAccount
	list, err = m.openings(c, r, file)
	set.Openings = f.Openings
	return set, list, err
}

// settings reads all but the game and the openings.
func (m Maker) settings(c *run.Config, r rules.Rules) (set contest.Config, err error) {
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
	if err := entry.Known(c.Each); err != nil {
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
func (Maker) checkPlan(set contest.Config) error {
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
func (Maker) openings(c *run.Config, r rules.Rules, file *director.OpeningsFile) ([]contest.Opening, error) {
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
	source, set := (*openings.Source)(o), &openings.Set{}
	var err error
	switch {
	case o.Random > 0:
		return fail("a hall makes none: let kibitz openings write random ones into a file and send it, with file=NAME")
	case o.Suite != "":
		err = set.Pick(source, r)
	case file == nil:
		return fail(fmt.Sprintf("a hall opens no files: send %s with the tournament", o.File))
	default:
		set.List, err = openings.Files().Read(file.Name, file.Data, r, o.Plies)
	}
	if err == nil && len(set.List) > contest.MaxOpenings {
		err = fmt.Errorf("%d openings: up to %d are possible", len(set.List), contest.MaxOpenings)
	}
	if err == nil {
		err = set.Arrange(source, r, tournament.Seeds{Seed: c.Seed})
	}
	if err != nil {
		text := err.Error()
		if openings.IsNoSuite(err) {
			text += "; send others in a file, with file=NAME"
		}
		return nil, &run.Error{Path: "/openings", Want: text, Cause: err}
	}
	out := make([]contest.Opening, len(set.List))
	for i, x := range set.List {
		out[i] = contest.Opening{Name: game.Shown(x.Name, 200), Position: x.Start}
		for _, m := range x.Steps {
			out[i].Moves = append(out[i].Moves, journal.FormatMove(m))
		}
	}
	return out, nil
}
