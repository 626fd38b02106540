package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"kibitz/internal/plain"
	"kibitz/rating"
	"kibitz/run"
	"kibitz/run/result"
	"kibitz/term/board"
	"kibitz/term/progress"
	"kibitz/tournament"
)

// newWatchers returns those whom the flags ask for.
func (r *matchRun) newWatchers() []run.Watcher {
	if r.foreign != nil {
		return []run.Watcher{r.foreign.Watcher}
	}
	var out []run.Watcher
	if r.cmd.JSON {
		out = append(out, &jsonWatch{r: r})
	}
	if r.cmd.TUI {
		return append(out, newTUI(r))
	}
	return append(out, newLineWatch(r))
}

// warn tells everybody what is odd.
func (r *matchRun) warn(text string) {
	for _, w := range r.watchers {
		w.Warned(text)
	}
}

// line is the game as --json prints it.
func (r *matchRun) line(f tournament.Finished, p *run.Game) result.Game {
	res := f.Result
	line := result.Game{
		Type: "game", ID: p.ID, Game: string(r.rules.Spec()), Round: f.Pairing.Round, Pair: f.Pairing.Pair, First: p.Names[0],
		Second: p.Names[1],
		Score:  res.Points, Reason: string(res.Reason), Detail: res.Detail, Plies: f.Plies, Seconds: f.Seconds, Opening: p.Opening,
	}
	for i, u := range p.Outcome.Resources {
		line.CPU[i], line.Memory[i] = newEngineUse(u).mean(), newEngineUse(u).peak()
	}
	if w := res.Winner(); w.IsPlayer() {
		line.Winner = &p.Names[w]
	}
	if res.HasBoard {
		line.Board = &res.Board
	}
	return line
}

// jsonWatch prints a line for each game and the summary.
type jsonWatch struct{ r *matchRun }

func (w *jsonWatch) Began(*run.Game) {}
func (w *jsonWatch) Warned(string)   {}
func (w *jsonWatch) Ordered(string)  {}

func (w *jsonWatch) Finished(d *run.Finished) {
	if err := plain.JSONLine(w.r.a.stdout, d.Line); err != nil {
		w.r.fail(err)
	}
}

func (w *jsonWatch) Ended(s *result.Summary) {
	if err := plain.JSONLine(w.r.a.stdout, s); err != nil {
		w.r.failures = append(w.r.failures, err)
	}
}

// lineWatch tells people how a run goes.
type lineWatch struct {
	*progress.Games
	r *matchRun
}

func newLineWatch(r *matchRun) *lineWatch { return &lineWatch{Games: r.newProgress(), r: r} }

func (r *matchRun) newProgress() *progress.Games {
	p := progress.NewGames(r.talk, r.director.Len(), r.cmd.RatingInterval, r.cmd.Quiet, r.a.now)
	p.Resumed(r.earlier.games())
	return p
}

func (s *lineWatch) Began(*run.Game) {}

func (s *lineWatch) Finished(d *run.Finished) {
	res := d.Outcome.Result
	text := fmt.Sprintf("%s: %s - %s: %s, %s", gameOfAll(d.Pairing.Index+1, d.Of), d.Names[0], d.Names[1],
		plain.Result(res, d.Names), plain.Plies(d.Outcome.Turns))
	if res.Detail != "" {
		text += "; " + res.Detail
	}
	if late := d.Outcome.Late; late >= noteworthyLate {
		text += fmt.Sprintf("; the referee was %s late, on no clock", late.Round(10*time.Microsecond))
	}
	s.Game(text)
	if s.r.cmd.Board && !s.r.cmd.Quiet {
		s.drawFinal(d.Game)
	}
	s.Grow(d.Of)
	s.Standing(d.Done, progress.Standing{Pair: len(s.r.names) == 2, Short: s.r.short, Detail: s.r.detail})
}

// gameOfAll names a game by its number and how many there are. Numbers are not given
// again: where an engine went out and another came in they may be higher than that.
func gameOfAll(number, of int) string {
	if number > of {
		return fmt.Sprintf("game %d", number)
	}
	return fmt.Sprintf("game %d of %d", number, of)
}

// noteworthyLate is from when on people are told that the referee itself was late.
const noteworthyLate = time.Millisecond

func (s *lineWatch) Warned(text string) { s.Warn(text) }

func (s *lineWatch) Ordered(text string) { s.Game("order: " + text) }

func (s *lineWatch) Ended(sum *result.Summary) {
	s.Close()
	if !s.r.cmd.JSON || !s.r.cmd.Quiet {
		s.r.table(sum)
	}
}

// drawFinal shows the last position of a game.
func (s *lineWatch) drawFinal(p *run.Game) {
	v := s.r.lastView(p)
	if v == nil {
		return
	}
	var out bytes.Buffer
	board.Painter{W: &out, Colour: coloured(s.r.talk)}.Draw(v)
	s.Game(out.String())
}

// detail is how the run stands in full: the figures of a match, or a table.
func (r *matchRun) detail() string {
	if len(r.names) == 2 {
		return "  " + r.figures()
	}
	var out strings.Builder
	r.rankingTable(&out, shownWhilePlaying)
	return out.String()
}

// shownWhilePlaying is how many engines a table shows while a run goes on: as many as
// fit on a screen beside what was printed before.
const shownWhilePlaying = 20

// short is the score of the first of two engines, or of the leader of many, with its
// Elo.
func (r *matchRun) short() string {
	best := 0
	if len(r.names) > 2 {
		best = r.director.Ranking(r.breaks)[0].Engine
	}
	e, est := r.standings.Entry(best), r.director.Estimate(best)
	text := fmt.Sprintf("%s +%d -%d =%d, Elo %s", r.names[best], e.Wins, e.Losses, e.Draws, rating.Text(est.Elo, est.Error, 1))
	if r.sprt != nil {
		text += ", " + r.sprt.Ratio()
	}
	return text
}

// figures are those of a match of two engines, as the first sees them: normalized Elo,
// the likelihood of superiority, and draws, or pairs of games where each opening is
// played twice.
func (r *matchRun) figures() string {
	est := r.director.Estimate(0)
	text := fmt.Sprintf("nElo %s, LOS %s", rating.Text(est.NElo, est.NError, 1), percent(est.LOS))
	c, pairs := r.counts(0)
	if !pairs {
		return text + ", draws " + percent(c.DrawRatio())
	}
	return fmt.Sprintf("%s, pairs (LL LD even WD WW) %g %g %g %g %g, even %s, pair ratio %s",
		text, c.N[0], c.N[1], c.N[2], c.N[3], c.N[4], percent(c.DrawRatio()), breakText(c.Ratio()))
}
