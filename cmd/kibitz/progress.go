package main

import (
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"kibitz/internal/plain"
	"kibitz/rating"
	"kibitz/term"
)

// progress tells people how a run goes: a bar on a terminal, a line now and then
// elsewhere, nothing when quiet.
type progress struct {
	w        io.Writer
	total    int
	interval int
	quiet    bool
	now      func() time.Time
	began    time.Time
	bars     *mpb.Progress
	bar      *mpb.Bar
	line     atomic.Pointer[string]
	renewed  time.Time // when line was made
	before   int       // games that were played before the run was taken up again
}

// renewEvery is how often the standing beside the bar of a field of engines changes at
// most.
const renewEvery = time.Second

// resumed tells that so many games were played before.
func (p *progress) resumed(games int) {
	p.before = games
	if p.bar != nil && games > 0 {
		p.bar.SetRefill(int64(games))
		p.bar.IncrBy(games)
	}
}

func newProgress(w io.Writer, total, interval int, quiet bool, now func() time.Time) *progress {
	p := &progress{w: w, total: total, interval: interval, quiet: quiet, now: now, began: now()}
	empty := ""
	p.line.Store(&empty)
	if !quiet && term.IsTerminal(w) {
		p.bars = mpb.New(mpb.WithOutput(term.Bare(w)), mpb.WithWidth(30))
		p.bar = p.bars.AddBar(int64(total),
			mpb.PrependDecorators(decor.CountersNoUnit("%d/%d games ")),
			mpb.AppendDecorators(
				decor.Any(func(decor.Statistics) string { return *p.line.Load() }),
				decor.OnComplete(decor.Any(func(s decor.Statistics) string { return p.eta(int(s.Current)) }, decor.WC{W: 8}), ""),
			))
	}
	return p
}

// game prints one line about a finished game, above the bar if there is one.
func (p *progress) game(text string) {
	if p.quiet {
		return
	}
	if p.bars != nil {
		fmt.Fprintln(p.bars, text)
		return
	}
	fmt.Fprintln(p.w, text)
}

// warn prints a remark even when quiet.
func (p *progress) warn(text string) {
	if p.bars != nil {
		fmt.Fprintln(p.bars, "warning: "+text)
		return
	}
	fmt.Fprintln(p.w, "warning: "+text)
}

// standings shows how the run stands after a game: in the bar, and as a table or as
// the figures of a match every so many games.
func (p *progress) standings(r *matchRun, done int) {
	if p.quiet {
		return
	}
	if p.bar != nil {
		// The leader of many is found by fitting all ratings: not after every game.
		if now := p.now(); len(r.names) == 2 || done >= p.total || now.Sub(p.renewed) >= renewEvery {
			text := r.short()
			p.line.Store(&text)
			p.renewed = now
		}
		p.bar.Increment()
	}
	if p.interval <= 0 || done == 0 || done%p.interval != 0 || done >= p.total || p.bar != nil && len(r.names) == 2 {
		return
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%d of %d games", done, p.total)
	if len(r.names) == 2 {
		fmt.Fprintf(&out, ", %s", r.short())
	}
	fmt.Fprintf(&out, ", %s left", p.eta(done))
	if len(r.names) == 2 {
		fmt.Fprintf(&out, "\n  %s", r.figures())
	} else {
		fmt.Fprintln(&out)
		r.rankingTable(&out, shownWhilePlaying)
	}
	p.game(strings.TrimRight(out.String(), "\n"))
}

// shownWhilePlaying is how many engines a table shows while a run goes on: as many as
// fit on a screen beside what was printed before.
const shownWhilePlaying = 20

// eta is how long the games that are left may take, by those of this start.
func (p *progress) eta(done int) string {
	return plain.Remaining(p.now().Sub(p.began), done-p.before, p.total-p.before)
}

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

// grow takes over how many games there are: rematches add some.
func (p *progress) grow(total int) {
	if total == p.total {
		return
	}
	p.total = total
	if p.bar != nil {
		p.bar.SetTotal(int64(total), false)
	}
}

// close ends the display.
func (p *progress) close() {
	if p.bars == nil {
		return
	}
	if !p.bar.Completed() {
		p.bar.Abort(false)
	}
	p.bars.Wait()
}
