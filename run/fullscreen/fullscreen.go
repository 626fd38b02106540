// Package fullscreen shows a run on the whole terminal.
package fullscreen

import (
	"errors"
	"io"

	"kibitz/game"
	"kibitz/rules"
	"kibitz/run"
	"kibitz/run/lines"
	"kibitz/run/orders"
	"kibitz/run/result"
	"kibitz/run/standing"
	"kibitz/term/screen"
	"kibitz/tournament"
)

// Watcher shows a run on the whole terminal, and gives it the orders of the keys.
type Watcher struct {
	*screen.Screen
	run    *run.Run
	talk   io.Writer
	notice func(show func(text string))
}

// New returns the Watcher of a run. When it ends the table goes to talk. Notice is told where
// what the program itself has to say is shown, nil when that is over.
func New(r *run.Run, at screen.Terminal, talk io.Writer, notice func(show func(text string))) *Watcher {
	facts := screen.Facts{Rules: r.Rules(), Format: string(r.Standing().Plan.Format), Began: at.Now()}
	facts.Before, facts.Earlier = r.Before()
	return &Watcher{screen.New(steered{r}, facts, at), r, talk, notice}
}

// Began shows a game; from the first on the terminal is the screen's.
func (t *Watcher) Began(p *run.Game) {
	g := screen.Game{ID: p.ID, Names: p.Names, Controls: p.Controls, Began: p.Began}
	if b := p.Board(t.run.Rules()); b != nil {
		v := b.View(game.Public)
		g.View = &v
	}
	t.Begin(g)
	t.notice(t.Notice)
}

// Warned shows a warning.
func (t *Watcher) Warned(text string) { t.Warn(text) }

// Ordered shows an order where warnings stand.
func (t *Watcher) Ordered(text string) { t.Warn("order: " + text) }

// Finished shows how a game ended. A game that is over has no secrets, unless another is played
// on its shuffle.
func (t *Watcher) Finished(d *run.Finished) {
	if r := t.run.Rules(); r.Doc().Info == rules.Private && d.Seed == "" {
		if v := d.Final(r); v != nil {
			t.Reveal(d.ID, v)
		}
	}
	t.Finish(d.Pairing.Index+1, d.Names, d.Outcome.Result)
}

// Ended gives the terminal back.
func (t *Watcher) Ended(sum *result.Summary) {
	t.Close(t.talk)
	t.notice(nil)
	lines.End(t.talk, t.run, sum)
}

// steered is a run as the screen sees and steers it.
type steered struct{ run *run.Run }

// Status is how many games run.
func (s steered) Status() tournament.Status { return s.run.Control().Status() }

// Widen changes how many games run at a time.
func (s steered) Widen(by int) { s.run.Control().Widen(by) }

// Order gives an order of one word.
func (s steered) Order(do string) (string, error) {
	a := s.run.Control().Order(orders.Request{Do: do})
	if a.Error != "" {
		return "", errors.New(a.Error)
	}
	return a.Said, nil
}

// Tally returns where the run stands between two games.
func (s steered) Tally() (t screen.Tally) {
	s.run.Control().Between(func() { t = tally(s.run.Standing()) })
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
