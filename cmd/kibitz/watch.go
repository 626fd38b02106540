package main

import (
	"bytes"
	"fmt"
	"time"

	"kibitz/internal/plain"
	"kibitz/rating"
	"kibitz/term/board"
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
	*progress
	r *matchRun
}

func newLineWatch(r *matchRun) *lineWatch { return &lineWatch{progress: r.newProgress(), r: r} }

func (r *matchRun) newProgress() *progress {
	p := newProgress(r.talk, r.director.Len(), r.cmd.RatingInterval, r.cmd.Quiet, r.a.now)
	p.resumed(r.earlier.games())
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
	s.game(text)
	if s.r.cmd.Board && !s.r.cmd.Quiet {
		s.drawFinal(d.playedGame)
	}
	s.grow(d.of)
	s.standings(s.r, d.done)
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

func (s *lineWatch) warned(text string) { s.warn(text) }

func (s *lineWatch) ordered(text string) { s.game("order: " + text) }

func (s *lineWatch) ended(sum *summaryLine) {
	s.close()
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
	s.game(out.String())
}
