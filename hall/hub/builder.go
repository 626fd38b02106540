package hub

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"time"

	"kibitz/game"
	"kibitz/game/wire"
	"kibitz/hall/live"
	"kibitz/journal"
)

// Meta is what a hall knows of a game without its worker.
type Meta struct {
	Spec  string
	Names [2]string
	Rated bool
	// Lines lets spectators see what engines say; whoever sets it knows that the game
	// hides nothing.
	Lines bool
	// Open lets those who sit in the game see it too.
	Open bool
}

// builder makes states and deltas of the events of one attempt for one audience.
type builder struct {
	to    game.Audience
	lines bool
	state live.State
	// names are what engines call themselves, as they said while they thought.
	names  [2]string
	clocks clocks
	// next is the delta that is being made, view the board after it.
	next    live.Delta
	view    *wire.View
	pending bool
	// half tells that the latest entry is what the seat alone was told of a decision,
	// of which the public part follows.
	half bool
	// quiet tells that what is built is not shown yet.
	quiet bool
	// own tells that the audience has boards of its own, so that public ones are not
	// for it.
	own bool
}

func newBuilder(id string, to game.Audience, attempt int, m *Meta) *builder {
	return &builder{to: to, lines: m.Lines && (to == game.Public || m.Open), state: live.State{
		Game: id, Attempt: attempt, For: wire.Audience(to.String()), Spec: m.Spec, Names: m.Names, Rated: m.Rated,
	}}
}

// add takes an event; with a board, or at the end, the delta is whole and returned.
func (b *builder) add(seq uint64, ev *journal.Event) (*live.Delta, error) {
	if ev.To != game.Public && ev.To != b.to {
		return nil, fmt.Errorf("an event for %s in a stream for %s", ev.To, b.to)
	}
	if ev.Said != nil && (ev.Said.Live || !ev.Said.By.IsPlayer()) {
		return b.aside(seq, ev.Said), nil
	}
	if ev.Wait != nil {
		return b.wait(seq, ev), nil
	}
	if ev.Presence != nil {
		return b.presence(seq, ev.Presence), nil
	}
	if ev.Asks != nil {
		return b.asks(seq, ev.Asks.List), nil
	}
	if ev.View != nil && ev.View.For != b.to && b.own {
		return nil, nil // nothing is begun by it that a later event would end
	}
	d := &b.next
	d.Seq, d.At, b.pending = seq, ev.Time.UnixMilli(), true
	switch {
	case ev.Start != nil:
		b.start(ev.Start)
	case ev.Decision != nil:
		x := ev.Decision
		d.Entries = append(d.Entries, live.Entry{
			By: wire.SeatOf(x.By), Steps: journal.FormatMoves(x.Steps), Refused: x.Refused, Forced: x.Forced, Opening: x.Opening, Ended: x.Ended,
			Used: x.Used.Milliseconds(), Error: x.Error.Milliseconds(),
		})
		b.clocks.spend(x.By, x.Used, x.Ended)
		d.Clocks = b.clocks.at(x.Clocks)
	case ev.Notices != nil:
		b.notices(ev)
	case ev.Rewind != nil:
		if n := len(d.Entries); n > 0 { // of a turn that was never shown
			before := b.whole()
			b.rewind(seq, ev)
			return before, nil
		}
		b.rewind(seq, ev)
	case ev.Said != nil:
		if b.lines && ev.Said.By.IsPlayer() {
			d.Said[ev.Said.By] = SaidOf(&ev.Said.Info)
			d.Said[ev.Said.By].Name = b.names[ev.Said.By]
		}
	case ev.Result != nil:
		d.Result = ResultOf(ev.Result.Result)
		if k := ev.Result.Clocks; k != nil {
			d.Clocks = b.clocks.end(*k)
		}
		return b.whole(), nil
	case ev.View != nil:
		b.own = b.own || b.to != game.Public && ev.View.For == b.to
		b.view = wire.Of(ev.View)
		return b.whole(), nil
	}
	return nil, nil
}

// aside takes what a third engine said, or one that thinks. It comes at any time, and
// alone unless a delta is being made; the time of the clocks stays what it was.
func (b *builder) aside(seq uint64, x *journal.Said) *live.Delta {
	d := &b.next
	d.Seq = seq
	switch {
	case !x.By.IsPlayer():
		d.Kibitz = &live.Kibitz{Said: *SaidOf(&x.Info), Ply: x.Ply}
	case b.lines:
		d.Said[x.By] = SaidOf(&x.Info)
		b.names[x.By] = x.Name
		d.Said[x.By].Name = x.Name
	}
	if b.pending {
		return nil
	}
	d.At, b.pending = b.state.At, true
	return b.whole()
}

// wait takes what the game waits for. Clocks go on from when it does, and those of a pause are told.
func (b *builder) wait(seq uint64, ev *journal.Event) *live.Delta {
	d, x := &b.next, ev.Wait
	d.Seq, d.Wait = seq, &live.Wait{For: x.For, Before: x.Before, Of: x.Of, About: x.About, By: x.By, Ruled: x.Ruled}
	ran := b.state.Wait != nil && b.state.Wait.For == journal.ForAnswer
	if x.Clocks != nil {
		d.Clocks = b.clocks.now(*x.Clocks)
	}
	if b.pending {
		return nil
	}
	if d.At, b.pending = b.state.At, true; x.Clocks != nil || x.For == "" && !ran {
		d.At = ev.Time.UnixMilli()
	}
	return b.whole()
}

// presence takes whether somebody is there. It comes at any time, and the time of the clocks
// stays what it was.
func (b *builder) presence(seq uint64, x *journal.Presence) *live.Delta {
	d := &b.next
	d.Seq = seq
	if x.Seat.IsPlayer() {
		d.Presence[x.Seat] = x
	}
	if b.pending {
		return nil
	}
	d.At, b.pending = b.state.At, true
	return b.whole()
}

// asks takes what the seats ask of each other. It comes at any time, and the time of the
// clocks stays what it was.
func (b *builder) asks(seq uint64, list []journal.Ask) *live.Delta {
	d := &b.next
	list = append([]journal.Ask{}, list...)
	d.Seq, d.Asks = seq, &list
	if b.pending {
		return nil
	}
	d.At, b.pending = b.state.At, true
	return b.whole()
}

func (b *builder) rewind(seq uint64, ev *journal.Event) {
	d := &b.next
	d.Seq, d.At, b.pending = seq, ev.Time.UnixMilli(), true
	b.clocks.used = [2]time.Duration{}
	d.Rewind, d.Clocks = ev.Rewind.Steps, b.clocks.at(ev.Rewind.Clocks)
}

// start takes what cannot be told by a delta: a game starts before anybody has a state.
func (b *builder) start(s *journal.Start) {
	b.state.Spec, b.state.Names, b.state.Rated = string(s.Spec), s.Names, s.Rated
	b.state.Opening, b.state.Commitment = s.Opening, s.Commitment
	b.state.Clocks = b.clocks.start(s.Controls)
	for i, c := range s.Controls {
		b.state.Controls[i] = c.String()
	}
}

func (b *builder) notices(ev *journal.Event) {
	d, x := &b.next, ev.Notices
	list := make([]live.Notice, 0, len(x.Notices))
	refused := false
	for i := range x.Notices {
		n := &x.Notices[i]
		if n.To != game.Public && n.To != b.to {
			continue
		}
		w := live.Notice{Kind: live.NoticeKind(n.Kind.String()), By: wire.SeatOf(n.By), Points: wire.Points(n.Points), Count: n.Count}
		if n.Move != (game.Move{}) {
			w.Move = journal.FormatMove(n.Move)
		}
		refused = refused || n.Kind == game.Refused
		list = append(list, w)
	}
	ended := !refused && (x.Next.Seat != x.By || x.Next.Step == 0)
	if n := len(d.Entries); b.half && n > 0 && ev.To == game.Public && d.Entries[n-1].By == wire.SeatOf(x.By) {
		d.Entries[n-1].Notices = append(d.Entries[n-1].Notices, list...)
		b.half = false
		d.Clocks = b.clocks.at(x.Clocks)
		return
	}
	b.clocks.spend(x.By, x.Used, ended)
	d.Clocks = b.clocks.at(x.Clocks)
	b.half = ev.To != game.Public && !refused
	d.Entries = append(d.Entries, live.Entry{
		By: wire.SeatOf(x.By), Notices: list, Refused: refused, Ended: ended, Used: x.Used.Milliseconds(),
	})
}

// whole ends the delta that is being made and goes on to the state after it.
func (b *builder) whole() *live.Delta {
	if !b.pending {
		return nil
	}
	d := b.next
	d.Prev = b.state.Seq
	if b.view != nil {
		drawn(&d, b.state.View, b.view)
	}
	b.next, b.view, b.pending, b.half = live.Delta{}, nil, false, false
	state, err := live.Apply(b.state, &d)
	if err != nil { // a delta that was made for this state fits it
		return nil
	}
	b.state = state
	return &d
}

// drawn tells in a delta how one board becomes another.
func drawn(d *live.Delta, old, now *wire.View) {
	if old == nil || old.Width != now.Width || old.Height != now.Height || old.Shape != now.Shape || old.Ground != now.Ground ||
		old.Loops != now.Loops || len(old.Pieces) != len(now.Pieces) ||
		!slices.Equal(old.Columns, now.Columns) || !slices.Equal(old.Rows, now.Rows) ||
		len(old.Lines) > len(now.Lines) || !slices.Equal(old.Lines, now.Lines[:len(old.Lines)]) {
		d.View = now
		return
	}
	for i := range len(now.Pieces) {
		if now.Pieces[i] != old.Pieces[i] || now.Owners[i] != old.Owners[i] {
			d.Cells = append(d.Cells, wire.Change{I: i, C: now.Pieces[i:i+1] + now.Owners[i:i+1]})
		}
	}
	d.Lines = now.Lines[len(old.Lines):]
	if !reflect.DeepEqual(old.Rest, now.Rest) {
		rest := now.Rest
		d.Rest = &rest
	}
}

// ResultOf is a result as a State has it.
func ResultOf(r game.Result) *live.Result {
	out := &live.Result{Points: r.Points, Reason: string(r.Reason), Detail: r.Detail}
	if r.HasBoard {
		out.Board = &[2]float64{r.Board[0], r.Board[1]}
	}
	return out
}

// SaidOf is what an engine reported, as a State has it.
func SaidOf(i *game.Info) *live.Said {
	out := &live.Said{
		Depth: i.Depth, Nodes: i.Nodes, Time: i.Time.Milliseconds(), Line: journal.FormatMoves(i.PV), Text: game.Shown(i.Text, 500),
	}
	if i.Eval.Known() {
		out.Unit, out.Lo, out.Hi = int(i.Eval.Unit), finite(i.Eval.Lo), finite(i.Eval.Hi)
	}
	return out
}

// finite is a number that JSON can hold, nil for others.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
