package main

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"kibitz/rating"
	"kibitz/tournament"
)

// progress tells people how a run goes: a bar on a terminal, a line now and then
// elsewhere, nothing when quiet.
type progress struct {
	w        io.Writer
	names    func() []string
	total    int
	interval int
	quiet    bool
	now      func() time.Time
	began    time.Time
	bars     *mpb.Progress
	bar      *mpb.Bar
	line     atomic.Pointer[string]
	sprt     *rating.Sequence // nil without a test
	before   int              // games that were played before the run was taken up again
}

// resumed tells that so many games were played before.
func (p *progress) resumed(games int) {
	p.before = games
	if p.bar != nil && games > 0 {
		p.bar.SetRefill(int64(games))
		p.bar.IncrBy(games)
	}
}

func newProgress(w io.Writer, names func() []string, total, interval int, quiet bool, now func() time.Time) *progress {
	p := &progress{w: w, names: names, total: total, interval: interval, quiet: quiet, now: now, began: now()}
	empty := ""
	p.line.Store(&empty)
	if !quiet && isTerminal(w) {
		p.bars = mpb.New(mpb.WithOutput(bare(w)), mpb.WithWidth(30))
		p.bar = p.bars.AddBar(int64(total),
			mpb.PrependDecorators(decor.CountersNoUnit("%d/%d games ")),
			mpb.AppendDecorators(
				decor.Any(func(decor.Statistics) string { return *p.line.Load() }),
				decor.OnComplete(decor.AverageETA(decor.ET_STYLE_GO, decor.WC{W: 8}), ""),
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

// standings shows how the match stands after a game.
func (p *progress) standings(st *tournament.Standings, done int) {
	if p.quiet {
		return
	}
	text := p.short(st)
	if p.bar != nil {
		p.line.Store(&text)
		p.bar.Increment()
		return
	}
	if p.interval > 0 && done%p.interval == 0 && done < p.total {
		fmt.Fprintf(p.w, "%d of %d games, %s, %s left\n", done, p.total, text, eta(p.now().Sub(p.began), done-p.before, p.total-p.before))
	}
}

// short is the score of the first engine with its Elo, or of the leader of many.
func (p *progress) short(st *tournament.Standings) string {
	best, names := 0, p.names()
	if len(names) > 2 {
		for i := range names {
			if st.Entry(i).Points > st.Entry(best).Points {
				best = i
			}
		}
	}
	e, est := st.Entry(best), st.Estimate(best)
	text := fmt.Sprintf("%s +%d -%d =%d, Elo %s", names[best], e.Wins, e.Losses, e.Draws, eloText(est.Elo, est.Error))
	if p.sprt != nil {
		text += ", " + llrText(p.sprt)
	}
	return text
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
