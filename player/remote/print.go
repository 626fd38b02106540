package remote

import (
	"context"
	"fmt"
	"sync"
	"time"

	"kibitz/game"
	"kibitz/internal/bell"
)

// What is kept of what an engine prints until it can be sent, and how long it is gathered.
const (
	maxPrinted      = 500
	maxPrintedBytes = 64 << 10
	printEvery      = 100 * time.Millisecond
)

// wireLine is a line between the player's host and its engine: > to it, < from it, | beside the
// connection, ! to its standard error, # a remark.
type wireLine struct {
	Mark string `json:"m"`
	Text string `json:"t"`
}

// printed are lines that were not sent yet; of too many the latest. It has a lock of its own: a
// player that is stopped writes to its engine.
type printed struct {
	mu     sync.Mutex
	lines  []wireLine
	bytes  int
	known  bool // a game has begun, with or without a wish for them
	wanted bool
	over   bool // the game is, and its last line is here
	timer  *time.Timer
	runs   bool // the timer does
}

// Print is told what passes between the player's host and its engine. Where the hall shows that
// to the engine's owner it is sent, before the answer that came of it; over a connection that
// breaks the latest may be lost.
func (c *Client) Print(mark byte, _ time.Time, line []byte) {
	p := &c.printed
	p.mu.Lock()
	defer p.mu.Unlock()
	if c.ctx.Err() != nil || p.known && !p.wanted {
		return
	}
	text := game.Shown(string(line), maxText)
	p.lines = append(p.lines, wireLine{string(rune(mark)), text})
	p.bytes += len(text)
	for len(p.lines) > maxPrinted || p.bytes > maxPrintedBytes {
		p.bytes -= len(p.lines[0].Text)
		p.lines = p.lines[1:]
	}
	switch {
	case p.runs:
		return
	case p.timer == nil:
		p.timer = time.AfterFunc(printEvery, c.printNow)
	default:
		p.timer.Reset(printEvery)
	}
	p.runs = true
}

// printNow wakes whoever sends.
func (c *Client) printNow() {
	c.printed.mu.Lock()
	c.printed.runs = false
	c.printed.mu.Unlock()
	bell.Ring(c.wake)
}

// begin notes whether a game wants lines.
func (p *printed) begin(wanted bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = false
	if p.known, p.wanted = true, wanted; !wanted {
		p.lines, p.bytes = nil, 0
	}
}

// next is what is to be sent, nil for nothing.
func (p *printed) next(session string) *frame {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.wanted || len(p.lines) == 0 && !p.over {
		return nil
	}
	f := &frame{K: kindLines, S: session, Lines: p.lines, Whole: p.over}
	p.lines, p.bytes, p.over = nil, 0, false
	return f
}

// ends has what is left sent, now that the player has been told of the end.
func (c *Client) ends() {
	c.printed.mu.Lock()
	c.printed.over = true
	c.printed.mu.Unlock()
	bell.Ring(c.wake)
}

// hear tells what a frame has of lines; p.mu is not held.
func (p *Player) hear(f *frame) {
	for _, l := range f.Lines {
		p.o.Printed(l.Mark[0], l.Text)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.whole = f.Whole
	p.changed.Ring()
}

// AwaitPrinted waits until the other end has told all that was printed in a game that is over. It does not
// wait for who tells nothing.
func (p *Player) AwaitPrinted(ctx context.Context) {
	for {
		p.mu.Lock()
		done, wake := !p.prints || p.whole || p.closed, p.changed.Next()
		p.mu.Unlock()
		if done {
			return
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return
		}
	}
}

// boundLines refuses more lines than are sent, and cuts long ones.
func boundLines(list []wireLine) error {
	if len(list) > maxPrinted {
		return fmt.Errorf("a frame with %d lines", len(list))
	}
	for i := range list {
		l := &list[i]
		switch l.Mark {
		case ">", "<", "|", "!", "#":
		default:
			return fmt.Errorf("a line with the mark %q", game.Shown(l.Mark, 10))
		}
		l.Text = game.Shown(l.Text, maxText)
	}
	return nil
}
