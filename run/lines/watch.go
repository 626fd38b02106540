package lines

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/run"
	"kibitz/run/result"
	"kibitz/term/board"
	"kibitz/term/progress"
)

// JSON prints an object for each game, and the summary. A run ends where it cannot.
type JSON struct {
	Run *run.Run
	Out io.Writer
}

// Began prints nothing.
func (*JSON) Began(*run.Game) {}

// Warned prints nothing.
func (*JSON) Warned(string) {}

// Ordered prints nothing.
func (*JSON) Ordered(string) {}

// Finished prints a game.
func (w *JSON) Finished(g *run.Finished) { w.print(g.Line) }

// Ended prints the summary.
func (w *JSON) Ended(s *result.Summary) { w.print(s) }

func (w *JSON) print(x any) {
	if err := plain.JSONLine(w.Out, x); err != nil {
		w.Run.Fail(err)
	}
}

// Lines tells people how a run goes.
type Lines struct {
	*progress.Games
	run      *run.Run
	out      io.Writer
	coloured bool
}

// New returns Lines for the people who read out.
func New(r *run.Run, out io.Writer, coloured bool, now func() time.Time) *Lines {
	s := r.Settings()
	p := progress.NewGames(out, r.Standing().Director.Len(), s.RatingInterval, s.Quiet, now)
	before, _ := r.Before()
	p.Resumed(before)
	return &Lines{p, r, out, coloured}
}

// Began tells nothing.
func (s *Lines) Began(*run.Game) {}

// Finished tells of a game, and now and then how the run stands.
func (s *Lines) Finished(g *run.Finished) {
	set, o := s.run.Settings(), &g.Outcome
	text := fmt.Sprintf("%s: %s - %s: %s, %s", gameOfAll(g.Pairing.Index+1, g.Of), g.Names[0], g.Names[1],
		plain.Result(o.Result, g.Names), plain.Plies(o.Turns))
	if o.Result.Detail != "" {
		text += "; " + o.Result.Detail
	}
	if o.Late >= noteworthyLate {
		text += fmt.Sprintf("; the referee was %s late, on no clock", o.Late.Round(10*time.Microsecond))
	}
	s.Game(text)
	if set.Board && !set.Quiet {
		s.draw(g.Final(s.run.Rules()))
	}
	s.Grow(g.Of)
	t := tableOf(s.run)
	s.Standing(g.Done, progress.Standing{Pair: len(t.Names) == 2, Short: t.short, Detail: t.detail})
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

// Warned tells what is odd.
func (s *Lines) Warned(text string) { s.Warn(text) }

// Ordered tells of an order.
func (s *Lines) Ordered(text string) { s.Game("order: " + text) }

// Ended prints how the run ended.
func (s *Lines) Ended(sum *result.Summary) {
	s.Close()
	if set := s.run.Settings(); !set.JSON || !set.Quiet {
		End(s.out, s.run, sum)
	}
}

func tableOf(r *run.Run) *Table {
	return &Table{Standing: r.Standing(), ShowBreaks: r.Settings().TieBreaks != nil}
}

// draw shows a position, nil is none.
func (s *Lines) draw(v *game.View) {
	if v == nil {
		return
	}
	var out bytes.Buffer
	board.Painter{W: &out, Colour: s.coloured}.Draw(v)
	s.Game(out.String())
}

// End prints for people how a run ended.
func End(w io.Writer, r *run.Run, sum *result.Summary) {
	table := tableOf(r)
	t := &table.Totals
	fmt.Fprintln(w)
	table.format(w)
	if table.Test != nil {
		fmt.Fprintln(w, table.Test.Text())
	}
	for _, x := range t.Starved {
		counts := map[bool]string{true: "played again", false: "it counts"}[x.Again]
		fmt.Fprintf(w, "game %s: %s lost on time, having waited %.2fs for a processor (%.2fs over): %s\n", x.Game, x.Engine, x.Waited,
			x.Over, counts)
	}
	n := table.Games()
	elapsed := time.Duration(sum.Seconds * float64(time.Second))
	fmt.Fprintf(w, "%s in %s", plain.Count(n, "game"), elapsed.Round(10*time.Millisecond))
	if t.Plies > 0 && n > 0 {
		fmt.Fprintf(w, ", of %d plies and %s of thinking each", (t.Plies+n/2)/n, plain.Span(t.Thought/float64(n)))
	}
	if t.Unfinished > 0 {
		fmt.Fprintf(w, ", %d not played", t.Unfinished)
	}
	if t.Unneeded > 0 {
		fmt.Fprintf(w, ", %d not needed", t.Unneeded)
	}
	again, many := table.Repeats()
	if again > 0 {
		fmt.Fprintf(w, ", %d of them different", n-again)
	}
	fmt.Fprintf(w, "; records and logs in %s\n", r.Folder().Path)
	if many {
		fmt.Fprintf(w, "%s repeated others and told nothing new: the margins are too narrow (more openings help)\n",
			plain.Count(again, "game"))
	}
	switch failed := r.Failed() != nil; {
	case failed && !r.Folder().There():
	case t.Unfinished > 0:
		fmt.Fprintf(w, "kibitz resume %s plays the rest\n", r.Folder().Path)
	case failed:
		fmt.Fprintf(w, "kibitz resume %s writes what is missing\n", r.Folder().Path)
	}
}
