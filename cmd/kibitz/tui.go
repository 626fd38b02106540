package main

import (
	"errors"
	"fmt"
	"os"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/rating"
	"kibitz/rules"
	"kibitz/run"
	"kibitz/run/result"
	"kibitz/term"
	"kibitz/term/screen"
	"kibitz/tournament"
)

// eventWatchers returns those who follow the games.
func eventWatchers(list []run.Watcher) []run.Follower {
	var out []run.Follower
	for _, w := range list {
		if e, ok := w.(run.Follower); ok {
			out = append(out, e)
		}
	}
	return out
}

// checkTUI returns why a match cannot be shown on a whole screen, nil if it can or
// need not.
func (r *matchRun) checkTUI() error {
	if !r.cmd.TUI || r.cmd.Save != "" {
		return nil
	}
	for _, e := range r.engines {
		if e.Human {
			return fmt.Errorf("--tui: engine %q: a person needs the terminal to play", e.Text)
		}
	}
	switch {
	case r.cmd.Quiet:
		return errors.New("--tui shows all that --quiet leaves out: leave one of them out")
	case !term.IsTerminal(r.talk) && r.cmd.JSON:
		return errors.New("--tui: stderr is no terminal, and stdout is for --json")
	case !term.IsTerminal(r.talk):
		return errors.New("--tui: stdout is no terminal")
	case r.cmd.JSON && term.IsTerminal(r.a.stdout):
		return errors.New("--tui: with --json stdout must go elsewhere than to the terminal")
	}
	return nil
}

// tui is the watcher that shows a run on the whole terminal, in the place of lineWatch.
type tui struct {
	r *matchRun
	*screen.Screen
}

func newTUI(r *matchRun) *tui {
	at := screen.Terminal{Out: term.Bare(r.talk), Colour: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb", Now: r.a.now}
	if term.IsTerminal(r.a.stdin) {
		at.In = r.a.stdin
	}
	facts := screen.Facts{
		Rules: r.rules, Format: string(r.plan.Format), Began: r.began, Earlier: r.earlier.elapsed(), Before: r.earlier.games(),
	}
	return &tui{r, screen.New(tuiRun{r}, facts, at)}
}

func (t *tui) Began(p *run.Game) {
	first, second := t.r.roster.at(p.Pairing.First), t.r.roster.at(p.Pairing.Second)
	g := screen.Game{ID: p.ID, Names: p.Names, Controls: [2]clock.Control{first.Control, second.Control}, Began: p.Began}
	if b := t.r.boardOf(p); b != nil {
		v := b.View(game.Public)
		g.View = &v
	}
	t.Begin(g)
	t.r.a.onNotice(t.Notice) // from the first game on the terminal is the screen's
}

func (t *tui) Warned(text string) { t.Warn(text) }

// ordered shows an order where warnings stand.
func (t *tui) Ordered(text string) { t.Warn("order: " + text) }

func (t *tui) Finished(d *run.Finished) {
	// A game that is over has no secrets, unless another is played on its shuffle.
	if t.r.rules.Doc().Info == rules.Private && d.Seed == "" {
		if v := t.r.lastView(d.Game); v != nil {
			t.Reveal(d.ID, v)
		}
	}
	t.Finish(d.Pairing.Index+1, d.Names, d.Outcome.Result)
}

func (t *tui) Ended(sum *result.Summary) {
	t.Close(t.r.talk)
	t.r.a.onNotice(nil)
	t.r.table(sum)
}

// boardOf returns the position in which a game begins, before its opening; nil if the
// rules refuse it.
func (r *matchRun) boardOf(p *run.Game) *rules.Board {
	b := rules.NewBoard(func(game.Spec) (rules.Rules, error) { return r.rules, nil })
	start := ""
	if p.Pairing.Opening >= 0 {
		start = r.openings[p.Pairing.Opening].Start
	}
	if err := b.Reset(r.rules.Spec(), start); err != nil {
		return nil
	}
	return b
}

// lastView returns all of the last position of a game, nil if it cannot be shown.
func (r *matchRun) lastView(p *run.Game) *game.View {
	b := r.boardOf(p)
	if b == nil {
		return nil
	}
	for _, step := range p.Outcome.Steps {
		if _, err := b.Apply(step.Move); err != nil {
			return nil
		}
	}
	v := b.View(game.Arbiter)
	return &v
}

// tuiRun is a run as the screen sees and steers it.
type tuiRun struct{ r *matchRun }

func (s tuiRun) Status() tournament.Status { return s.r.runner.Status() }
func (s tuiRun) Widen(by int)              { s.r.widen(by) }

func (s tuiRun) Order(do string) (string, error) {
	a := s.r.control.obey(request{Do: do})
	if a.Error != "" {
		return "", errors.New(a.Error)
	}
	return a.Said, nil
}

// Tally returns where the run stands between two games.
func (s tuiRun) Tally() (t screen.Tally) {
	s.r.runner.Change(func() { t = s.r.tally() })
	return t
}

func (r *matchRun) tally() screen.Tally {
	t := screen.Tally{
		Done: r.standings.Games(), Of: r.director.Len(), Late: r.totals.late,
		Transit: r.totals.transit.mean(), WorstError: r.totals.transit.worst, Measured: r.totals.transit.plies,
	}
	if r.sprt != nil {
		t.Test = rating.NewStanding(r.sprt, r.names[0])
	}
	for _, row := range r.director.Ranking(r.breaks) {
		e, est := r.standings.Entry(row.Engine), r.director.Estimate(row.Engine)
		t.Rows = append(t.Rows, screen.Row{
			Rank: row.Rank, Name: r.names[row.Engine], Points: row.Points, Wins: e.Wins, Draws: e.Draws, Losses: e.Losses,
			Elo: est.Elo, Error: est.Error,
		})
	}
	return t
}
