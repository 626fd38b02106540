package main

import (
	"fmt"
	"io"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"kibitz/internal/plain"
	openings "kibitz/opening"
	"kibitz/term"
)

// openingProgress tells people how a search for openings goes: a bar on a terminal,
// a line now and then elsewhere.
type openingProgress struct {
	w     io.Writer
	total int
	quiet bool
	now   func() time.Time
	began time.Time
	next  time.Duration
	bars  *mpb.Progress
	bar   *mpb.Bar
}

// betweenLines is the time between two lines of progress where there is no bar.
const betweenLines = 10 * time.Second

func newOpeningProgress(w io.Writer, total int, quiet bool, now func() time.Time) *openingProgress {
	p := &openingProgress{w: w, total: total, quiet: quiet, now: now, began: now(), next: betweenLines}
	if !quiet && term.IsTerminal(w) {
		p.bars = mpb.New(mpb.WithOutput(term.Bare(w)), mpb.WithWidth(30))
		p.bar = p.bars.AddBar(int64(total),
			mpb.PrependDecorators(decor.CountersNoUnit("%d/%d openings ")),
			mpb.AppendDecorators(decor.OnComplete(decor.AverageETA(decor.ET_STYLE_GO, decor.WC{W: 8}), "")))
	}
	return p
}

// count shows how far the search is.
func (p *openingProgress) count(c openings.Counts) {
	if p.quiet {
		return
	}
	if p.bar != nil {
		p.bar.SetCurrent(int64(c.Found))
		return
	}
	took := p.now().Sub(p.began)
	if took < p.next || c.Found == p.total {
		return
	}
	p.next = took + betweenLines
	left := "no"
	if c.Found > 0 {
		left = plain.Remaining(took, c.Found, p.total)
	}
	fmt.Fprintf(p.w, "%d of %d openings, %d evaluated, %s left\n", c.Found, p.total, c.Evaluated, left)
}

// close ends the display.
func (p *openingProgress) close() {
	if p.bars == nil {
		return
	}
	if !p.bar.Completed() {
		p.bar.Abort(false)
	}
	p.bars.Wait()
}
