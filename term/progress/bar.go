// Package progress tells people how far some work is: a bar on a terminal, lines or nothing
// elsewhere.
package progress

import (
	"fmt"
	"io"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"kibitz/term"
)

// Bar shows on a terminal how far some work is; elsewhere it shows nothing.
type Bar struct {
	w    io.Writer
	bars *mpb.Progress
	bar  *mpb.Bar
}

// NewBar shows so many of something.
func NewBar(w io.Writer, total int, of string, quiet bool) *Bar {
	b := &Bar{w: w}
	if quiet || !term.IsTerminal(w) {
		return b
	}
	b.bars = mpb.New(mpb.WithOutput(term.Bare(w)), mpb.WithWidth(30))
	b.bar = b.bars.AddBar(int64(total), mpb.PrependDecorators(decor.CountersNoUnit("%d/%d "+of+" ")),
		mpb.AppendDecorators(decor.OnComplete(decor.AverageETA(decor.ET_STYLE_GO, decor.WC{W: 8}), "")))
	return b
}

// Shown tells whether there is a terminal on which it is shown.
func (b *Bar) Shown() bool { return b.bars != nil }

// Set shows how much is done.
func (b *Bar) Set(done int) {
	if b.bar != nil {
		b.bar.SetCurrent(int64(done))
	}
}

// Tell shows a remark of the program above the bar.
func (b *Bar) Tell(text string) {
	w := b.w
	if b.bars != nil {
		w = b.bars
	}
	fmt.Fprintf(w, "kibitz: %s\n", text)
}

// Close ends the display.
func (b *Bar) Close() {
	if b.bars == nil {
		return
	}
	if !b.bar.Completed() {
		b.bar.Abort(true)
	}
	b.bars.Wait()
	b.bars, b.bar = nil, nil
}
