package progress

import (
	"fmt"
	"io"
	"time"

	"kibitz/internal/plain"
)

// Lines tells people how far some work is: a bar on a terminal, a line now and then elsewhere.
type Lines struct {
	*Bar
	w     io.Writer
	total int
	of    string
	quiet bool
	now   func() time.Time
	began time.Time
	next  time.Duration
}

// betweenLines is the time between two lines where there is no bar.
const betweenLines = 10 * time.Second

// NewLines tells of so many of something.
func NewLines(w io.Writer, total int, of string, quiet bool, now func() time.Time) *Lines {
	return &Lines{Bar: NewBar(w, total, of, quiet), w: w, total: total, of: of, quiet: quiet, now: now, began: now(), next: betweenLines}
}

// Set shows how much is done, and what else is to be said in a line.
func (p *Lines) Set(done int, more string) {
	p.Bar.Set(done)
	took := p.now().Sub(p.began)
	if p.quiet || p.Shown() || took < p.next || done == p.total {
		return
	}
	p.next = took + betweenLines
	left := "no"
	if done > 0 {
		left = plain.Remaining(took, done, p.total)
	}
	fmt.Fprintf(p.w, "%d of %d %s, %s, %s left\n", done, p.total, p.of, more, left)
}
