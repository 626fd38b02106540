package main

import (
	"fmt"
	"io"
	"time"

	"kibitz/internal/plain"
	"kibitz/opening"
	"kibitz/term/progress"
)

// openingProgress tells people how a search for openings goes: a bar on a terminal,
// a line now and then elsewhere.
type openingProgress struct {
	*progress.Bar
	w     io.Writer
	total int
	quiet bool
	now   func() time.Time
	began time.Time
	next  time.Duration
}

// betweenLines is the time between two lines of progress where there is no bar.
const betweenLines = 10 * time.Second

func newOpeningProgress(w io.Writer, total int, quiet bool, now func() time.Time) *openingProgress {
	return &openingProgress{
		Bar: progress.NewBar(w, total, "openings", quiet), w: w, total: total, quiet: quiet, now: now, began: now(), next: betweenLines,
	}
}

// count shows how far the search is.
func (p *openingProgress) count(c opening.Counts) {
	p.Set(c.Found)
	took := p.now().Sub(p.began)
	if p.quiet || p.Shown() || took < p.next || c.Found == p.total {
		return
	}
	p.next = took + betweenLines
	left := "no"
	if c.Found > 0 {
		left = plain.Remaining(took, c.Found, p.total)
	}
	fmt.Fprintf(p.w, "%d of %d openings, %d evaluated, %s left\n", c.Found, p.total, c.Evaluated, left)
}
