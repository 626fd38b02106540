package worker

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/consolelog"
	"kibitz/journal"
	"kibitz/match"
	"kibitz/rules"
)

const (
	// consoleLines and consoleBytes bound what is told of one engine while it plays: the latest count. What
	// came before goes into its log.
	consoleLines, consoleBytes = 500, 64 << 10
	// consoleLine is how much of a line is kept.
	consoleLine = 1000
	// consoleEvery is the time between two messages about one engine: what passes in
	// between goes together, on no engine's time.
	consoleEvery = 100 * time.Millisecond
)

// console is what passes between the engine of a seat and its host. Of engines without a
// host that tells, such as built-in ones, it is what they were told and what they answered.
type console struct {
	seat  game.Seat
	rules rules.Rules

	mu sync.Mutex
	// events tells that lines are made of the events of the game.
	events bool
	lines  []bus.ConsoleLine
	bytes  int
	log    *consolelog.Writer
	next   int // the number of the next line
	told   int // the number of the next line to be told
	over   bool
	// marks are from when on how many decisions had been made.
	marks []mark
}

// mark is how many decisions, counted by their steps, stand from a time on.
type mark struct {
	at  time.Time
	ply int
}

// listen begins to keep what engines print, and tells of it if those who look on may see
// it. In a game that hides anything nothing leaves the worker before the end.
func (a *attempt) listen(g *match.Game, setup *Setup) {
	if !a.p.Console {
		return
	}
	open := a.live.lines
	for s := range a.consoles {
		kind := a.p.Seats[s].Kind
		if kind == bus.PersonSeat {
			continue
		}
		c := &console{seat: game.Seat(s), rules: g.Rules, next: 1, told: 1, events: setup.Consoles[s] == nil, log: consolelog.NewWriter(a.w.pack)}
		a.consoles[s] = c
		if !c.events {
			setup.Consoles[s](c.add)
		}
		if open {
			a.connect(a.w.Bus.ServeConsole(a.p.Game, c.seat, func() bus.Console { return c.all(a.p) }))
		}
	}
	if open {
		over := make(chan struct{})
		var told sync.WaitGroup
		told.Go(func() { a.tellConsoles(over) })
		a.ends = append(a.ends, func() { close(over); told.Wait() })
	}
}

// tellConsoles tells what is new until the game is over, and that it is.
func (a *attempt) tellConsoles(over <-chan struct{}) {
	tick := time.NewTicker(consoleEvery)
	defer tick.Stop()
	for last := false; !last; {
		select {
		case <-tick.C:
		case <-over:
			last = true
		}
		for _, c := range a.consoles {
			if c == nil || a.stopped() || a.alone() {
				continue
			}
			if news := c.news(a.p, last); len(news.Lines) > 0 || last {
				if err := a.w.Bus.PublishConsole(news); err != nil {
					a.log.Debug("lines of a console are lost: " + err.Error())
				}
			}
		}
	}
}

// printed are the logs of the consoles at the end of a game.
func (a *attempt) printed() (out [2][]byte) {
	for s, c := range a.consoles {
		if c == nil {
			continue
		}
		var err error
		if out[s], err = c.whole(a.p); err != nil {
			a.log.Error("a console cannot be kept: " + err.Error())
		}
	}
	return out
}

// whole is the log of a game that is over, nil if nothing passed.
func (c *console) whole(p *bus.Play) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.next == 1 {
		return nil, nil
	}
	all := c.from(p, 0)
	c.logged(all.Lines)
	all.Over = true
	return c.log.Log(all)
}

// logged puts lines into the log; the lock is held.
func (c *console) logged(list []bus.ConsoleLine) {
	for i := range list {
		c.log.Add(&list[i])
	}
}

// add keeps a line; the oldest that are too many are in the log alone.
func (c *console) add(mark byte, at time.Time, line []byte) {
	text := game.Shown(string(line), consoleLine)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lines = append(c.lines, bus.ConsoleLine{At: at.UTC(), Mark: string(rune(mark)), Text: text})
	c.bytes += len(text)
	c.next++
	n := 0
	for len(c.lines)-n > consoleLines || c.bytes > consoleBytes {
		c.bytes -= len(c.lines[n].Text)
		n++
	}
	c.logged(c.placed(c.lines[:n]))
	c.lines = c.lines[n:]
}

// heard keeps a line that an engine elsewhere sent: what it prints takes the place of what is
// made of events.
func (c *console) heard(mark byte, at time.Time, text string) {
	c.mu.Lock()
	c.events = false
	c.mu.Unlock()
	c.add(mark, at, []byte(text))
}

func (c *console) byEvents() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.events
}

// all is what is kept.
func (c *console) all(p *bus.Play) bus.Console {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.from(p, 0)
}

// news is what was kept since it was asked for the last time.
func (c *console) news(p *bus.Play, over bool) bus.Console {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := c.from(p, c.told)
	c.told, c.over = c.next, c.over || over
	out.Over = c.over
	return out
}

// from is what is kept from a number on; the lock is held.
func (c *console) from(p *bus.Play, number int) bus.Console {
	first := c.next - len(c.lines)
	lines := c.placed(c.lines[max(0, min(len(c.lines), number-first)):])
	return bus.Console{Game: p.Game, Attempt: p.Attempt, Seat: c.seat, Next: c.next, Over: c.over, Lines: lines}
}

// placed are lines with the decisions before them; the lock is held.
func (c *console) placed(list []bus.ConsoleLine) []bus.ConsoleLine {
	out := append([]bus.ConsoleLine{}, list...)
	for i := range out {
		l := &out[i]
		if k := sort.Search(len(c.marks), func(k int) bool { return !c.marks[k].at.Before(l.At) }); k > 0 {
			l.Ply = c.marks[k-1].ply
		}
		l.At = l.At.Truncate(time.Millisecond)
	}
	return out
}

// note notes that steps were made, or taken back: what passed before that belongs to them.
func (c *console) note(at time.Time, steps int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.marks); n > 0 {
		steps += c.marks[n-1].ply
	}
	c.marks = append(c.marks, mark{at.UTC(), steps})
}

// event makes lines of what an engine was told and what it answered. Of the other seat's
// decisions it is told only what everybody is.
func (c *console) event(ev *journal.Event) {
	switch {
	case ev.Decision != nil:
		c.note(ev.Time, len(ev.Decision.Steps))
	case ev.Rewind != nil:
		c.note(ev.Time, -ev.Rewind.Steps)
	}
	switch {
	case ev.Warning != nil && ev.Warning.Seat == c.seat:
		c.add('#', ev.Time, []byte(ev.Warning.Text))
	case !c.byEvents():
	case ev.Decision != nil && ev.Decision.By == c.seat && !ev.Decision.Opening:
		c.add('<', ev.Time, []byte("move "+c.moves(ev.Decision.Steps)))
	case ev.Decision != nil && ev.To == game.Public:
		c.add('>', ev.Time, []byte("moved "+c.moves(ev.Decision.Steps)))
	case ev.Said != nil && ev.Said.By == c.seat:
		for _, info := range append([]game.Info{ev.Said.Info}, ev.Said.Lines...) {
			if text := c.said(&info); text != "" {
				c.add('<', ev.Time, []byte(text))
			}
		}
	}
}

func (c *console) moves(list []game.Move) string {
	words := make([]string, len(list))
	for i, m := range list {
		words[i] = c.rules.FormatMove(m)
	}
	return strings.Join(words, " ")
}

// said is what an engine said about a move, in one line.
func (c *console) said(i *game.Info) string {
	var words []string
	if i.Depth > 0 {
		words = append(words, fmt.Sprint("depth ", i.Depth))
	}
	if i.Eval.Known() {
		words = append(words, "score "+strconv.FormatFloat(i.Eval.Mid(), 'f', 2, 64))
	}
	if i.Nodes > 0 {
		words = append(words, fmt.Sprint("nodes ", i.Nodes))
	}
	if i.Time > 0 {
		words = append(words, fmt.Sprintf("time %.3f", i.Time.Seconds()))
	}
	if len(i.PV) > 0 {
		words = append(words, "line "+c.moves(i.PV))
	}
	if i.Text != "" {
		words = append(words, i.Text)
	}
	return strings.Join(words, " ")
}
