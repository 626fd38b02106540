package main

import (
	"fmt"
	"io"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"kibitz/term"
)

// bar shows on a terminal how far some work is; elsewhere it shows nothing.
type bar struct {
	w    io.Writer
	bars *mpb.Progress
	bar  *mpb.Bar
}

// newBar shows so many of something.
func newBar(w io.Writer, total int, of string, quiet bool) *bar {
	b := &bar{w: w}
	if quiet || !term.IsTerminal(w) {
		return b
	}
	b.bars = mpb.New(mpb.WithOutput(term.Bare(w)), mpb.WithWidth(30))
	b.bar = b.bars.AddBar(int64(total), mpb.PrependDecorators(decor.CountersNoUnit("%d/%d "+of+" ")),
		mpb.AppendDecorators(decor.OnComplete(decor.AverageETA(decor.ET_STYLE_GO, decor.WC{W: 8}), "")))
	return b
}

// shown tells whether there is a terminal on which it is shown.
func (b *bar) shown() bool { return b.bars != nil }

// set shows how much is done.
func (b *bar) set(done int) {
	if b.bar != nil {
		b.bar.SetCurrent(int64(done))
	}
}

// tell shows a remark of the program above the bar.
func (b *bar) tell(text string) {
	w := b.w
	if b.bars != nil {
		w = b.bars
	}
	fmt.Fprintf(w, "kibitz: %s\n", text)
}

// close ends the display.
func (b *bar) close() {
	if b.bars == nil {
		return
	}
	if !b.bar.Completed() {
		b.bar.Abort(true)
	}
	b.bars.Wait()
	b.bars, b.bar = nil, nil
}
