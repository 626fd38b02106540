package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"kibitz/internal/plain"
	"kibitz/rating"
	"kibitz/term/board"
	"kibitz/term/progress"
	"kibitz/tournament"
)

// watcher is told how a run goes: there is one for people, one for programs, and
// each knows nothing of the others.
type watcher interface {
	// began tells of a game that is about to start. Games begin side by side.
	began(p *playedGame)
	// finished tells of a game that is over and kept, for one game at a time.
	finished(d *finishedGame)
	// warned tells what is odd; it may be called at any time.
	warned(text string)
	// ordered tells what somebody ordered from outside; it may be called at any time.
	ordered(text string)
	// ended tells that nothing more is played.
	ended(s *summaryLine)
}

// finishedGame is what watchers are told of a game.
type finishedGame struct {
	*playedGame
	line gameLine
	// of is how many games there are to be, as far as is known; done how many are
	// over.
	of, done int
	sprt     *rating.Sequence // nil without a test
}

// newWatchers returns those whom the flags ask for.
func (r *matchRun) newWatchers() []watcher {
	if r.foreign != nil {
		return []watcher{r.foreign.watch}
	}
	var out []watcher
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
		w.warned(text)
	}
}

// line is the game as --json prints it.
func (r *matchRun) line(f tournament.Finished, p *playedGame) gameLine {
	res := f.Result
	line := gameLine{
		Type: "game", ID: p.id, Game: string(r.rules.Spec()), Round: f.Pairing.Round, Pair: f.Pairing.Pair, First: p.names[0],
		Second: p.names[1],
		Score:  res.Points, Reason: string(res.Reason), Detail: res.Detail, Plies: f.Plies, Seconds: f.Seconds, Opening: p.opening,
	}
	for i, u := range p.outcome.Resources {
		line.CPU[i], line.Memory[i] = newEngineUse(u).mean(), newEngineUse(u).peak()
	}
	if w := res.Winner(); w.IsPlayer() {
		line.Winner = &p.names[w]
	}
	if res.HasBoard {
		line.Board = &res.Board
	}
	return line
}

// jsonWatch prints a line for each game and the summary.
type jsonWatch struct{ r *matchRun }

func (w *jsonWatch) began(*playedGame) {}
func (w *jsonWatch) warned(string)     {}
func (w *jsonWatch) ordered(string)    {}

func (w *jsonWatch) finished(d *finishedGame) {
	if err := plain.JSONLine(w.r.a.stdout, d.line); err != nil {
		w.r.fail(err)
	}
}

func (w *jsonWatch) ended(s *summaryLine) {
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

func (s *lineWatch) began(*playedGame) {}

func (s *lineWatch) finished(d *finishedGame) {
	res := d.outcome.Result
	text := fmt.Sprintf("%s: %s - %s: %s, %s", gameOfAll(d.pairing.Index+1, d.of), d.names[0], d.names[1],
		plain.Result(res, d.names), plain.Plies(d.outcome.Turns))
	if res.Detail != "" {
		text += "; " + res.Detail
	}
	if late := d.outcome.Late; late >= noteworthyLate {
		text += fmt.Sprintf("; the referee was %s late, on no clock", late.Round(10*time.Microsecond))
	}
	s.Game(text)
	if s.r.cmd.Board && !s.r.cmd.Quiet {
		s.drawFinal(d.playedGame)
	}
	s.Grow(d.of)
	s.Standing(d.done, progress.Standing{Pair: len(s.r.names) == 2, Short: s.r.short, Detail: s.r.detail})
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

func (s *lineWatch) warned(text string) { s.Warn(text) }

func (s *lineWatch) ordered(text string) { s.Game("order: " + text) }

func (s *lineWatch) ended(sum *summaryLine) {
	s.Close()
	if !s.r.cmd.JSON || !s.r.cmd.Quiet {
		s.r.table(sum)
	}
}

// drawFinal shows the last position of a game.
func (s *lineWatch) drawFinal(p *playedGame) {
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
