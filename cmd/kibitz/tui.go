package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"kibitz/game"
	"kibitz/rules"
	"kibitz/run"
	"kibitz/run/lines"
	"kibitz/run/orders"
	"kibitz/run/result"
	"kibitz/run/standing"
	"kibitz/term"
	"kibitz/term/screen"
	"kibitz/tournament"
)

// checkTUI returns why a match cannot be shown on a whole screen, nil if it can or
// need not.
func checkTUI(a *app, r *run.Run) error {
	s := r.Settings()
	if !s.TUI {
		return nil
	}
	for _, e := range r.Engines() {
		if e.Human {
			return fmt.Errorf("--tui: engine %q: a person needs the terminal to play", e.Text)
		}
	}
	switch talk := talkOf(a, s); {
	case s.Quiet:
		return errors.New("--tui shows all that --quiet leaves out: leave one of them out")
	case !term.IsTerminal(talk) && s.JSON:
		return errors.New("--tui: stderr is no terminal, and stdout is for --json")
	case !term.IsTerminal(talk):
		return errors.New("--tui: stdout is no terminal")
	case s.JSON && term.IsTerminal(a.stdout):
		return errors.New("--tui: with --json stdout must go elsewhere than to the terminal")
	}
	return nil
}

// tui is the watcher that shows a run on the whole terminal, in the place of lines.
type tui struct {
	a    *app
	run  *run.Run
	talk io.Writer
	*screen.Screen
}

func newTUI(a *app, r *run.Run, talk io.Writer) *tui {
	at := screen.Terminal{Out: term.Bare(talk), Colour: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb", Now: a.now}
	if term.IsTerminal(a.stdin) {
		at.In = a.stdin
	}
	facts := screen.Facts{Rules: r.Rules(), Format: string(r.Standing().Plan.Format), Began: a.now()}
	facts.Before, facts.Earlier = r.Before()
	return &tui{a, r, talk, screen.New(tuiRun{r}, facts, at)}
}

// Began shows a game; from the first on the terminal is the screen's.
func (t *tui) Began(p *run.Game) {
	g := screen.Game{ID: p.ID, Names: p.Names, Controls: p.Controls, Began: p.Began}
	if b := p.Board(t.run.Rules()); b != nil {
		v := b.View(game.Public)
		g.View = &v
	}
	t.Begin(g)
	t.a.onNotice(t.Notice)
}

// Warned shows a warning.
func (t *tui) Warned(text string) { t.Warn(text) }

// Ordered shows an order where warnings stand.
func (t *tui) Ordered(text string) { t.Warn("order: " + text) }

// Finished shows how a game ended. A game that is over has no secrets, unless another is played
// on its shuffle.
func (t *tui) Finished(d *run.Finished) {
	if r := t.run.Rules(); r.Doc().Info == rules.Private && d.Seed == "" {
		if v := d.Final(r); v != nil {
			t.Reveal(d.ID, v)
		}
	}
	t.Finish(d.Pairing.Index+1, d.Names, d.Outcome.Result)
}

// Ended gives the terminal back.
func (t *tui) Ended(sum *result.Summary) {
	t.Close(t.talk)
	t.a.onNotice(nil)
	lines.End(t.talk, t.run, sum)
}

// tuiRun is a run as the screen sees and steers it.
type tuiRun struct{ run *run.Run }

// Status is how many games run.
func (s tuiRun) Status() tournament.Status { return s.run.Control().Status() }

// Widen changes how many games run at a time.
func (s tuiRun) Widen(by int) { s.run.Control().Widen(by) }

// Order gives an order of one word.
func (s tuiRun) Order(do string) (string, error) {
	a := s.run.Control().Order(orders.Request{Do: do})
	if a.Error != "" {
		return "", errors.New(a.Error)
	}
	return a.Said, nil
}

// Tally returns where the run stands between two games.
func (s tuiRun) Tally() (t screen.Tally) {
	s.run.Control().Change(func() { t = tally(s.run.Standing()) })
	return t
}

func tally(s *standing.Standing) screen.Tally {
	transit := &s.Totals.Transit
	t := screen.Tally{
		Done: s.Games(), Of: s.Director.Len(), Late: s.Totals.Late,
		Transit: transit.Mean(), WorstError: transit.Worst, Measured: transit.Plies,
	}
	if s.Test != nil {
		t.Test = s.Sequential()
	}
	for _, row := range s.Ranking() {
		e, est := s.Table().Entry(row.Engine), s.Director.Estimate(row.Engine)
		t.Rows = append(t.Rows, screen.Row{
			Rank: row.Rank, Name: s.Names[row.Engine], Points: row.Points, Wins: e.Wins, Draws: e.Draws, Losses: e.Losses,
			Elo: est.Elo, Error: est.Error,
		})
	}
	return t
}
