package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/journal"
	"kibitz/player/remote"
)

// remoteEngine is a seat of an engine whose frames come through the bus.
type remoteEngine struct {
	a      *attempt
	seat   game.Seat
	player *remote.Player
	// timed tells that the seat has a clock for the game.
	timed bool

	mu sync.Mutex
	// heard is when the latest frame came, notice the time until others are told that there
	// was none.
	heard  time.Time
	notice *time.Timer
	shown
	closed bool
}

func newRemoteEngine(a *attempt, seat game.Seat) *remoteEngine {
	d := &remoteEngine{a: a, seat: seat}
	o := remote.Options{
		Session: fmt.Sprintf("%s/%d", a.p.Game, a.p.Attempt), Now: a.w.Now, Grace: a.p.Seats[seat].Grace,
		Send: func(frame []byte) error {
			if a.stopped() {
				return nil
			}
			return a.w.Bus.PublishSeat(a.p.Game, a.p.Attempt, seat, frame)
		},
	}
	if a.p.Console {
		o.Printed = func(mark byte, text string) {
			if c := a.consoles[seat]; c != nil { // frames come when there is one
				c.heard(mark, a.w.Now(), text)
			}
		}
	}
	d.player = remote.NewPlayer(o)
	return d
}

// begin waits for the engine, which is missed until there is a frame of it.
func (d *remoteEngine) begin() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.heard = d.a.w.Now()
	d.notice = time.AfterFunc(awayShown, d.silent)
}

// here notes a frame, which is a sign of life too: the engine's end gives one each second.
func (d *remoteEngine) here() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return
	}
	d.heard = d.a.w.Now()
	d.showHere(d.a, d.seat)
	if d.notice == nil {
		d.notice = time.AfterFunc(awayShown, d.silent)
	}
}

// silent tells that the engine is away, if it was not heard of for long enough in which it could be.
func (d *remoteEngine) silent() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return
	}
	now := d.a.w.Now()
	on, freed := d.a.w.reach.held(d.heard.Add(awayShown))
	rest := max(d.heard.Add(awayShown).Sub(now), freed.Add(awayShown).Sub(now))
	if on {
		rest = time.Second // and look again
	}
	if rest > 0 {
		d.notice = time.AfterFunc(rest, d.silent)
		return
	}
	d.notice = nil
	p := &journal.Presence{Seat: d.seat, Away: true, Since: d.heard}
	if grace := d.a.p.Seats[d.seat].Grace; grace > 0 && !d.timed {
		p.Lapses, p.Ends = d.heard.Add(grace), game.ByDisconnect
	}
	d.show(d.a, p)
}

// receive takes a frame, and answers with what is wrong with it.
func (d *remoteEngine) receive(frame []byte) []byte {
	d.here()
	var r bus.Reply
	if err := d.player.Receive(frame); err != nil {
		r.Error, r.Code = err.Error(), "unreadable"
	}
	data, err := json.Marshal(r)
	if err != nil {
		return nil
	}
	return data
}

// printTime is how long the last lines of an engine elsewhere are waited for.
const printTime = 500 * time.Millisecond

// awaitPrinted waits for the last lines of engines elsewhere.
func (a *attempt) awaitPrinted() {
	ctx, cancel := context.WithTimeout(context.Background(), printTime)
	defer cancel()
	for _, d := range a.remote {
		if d != nil {
			d.player.AwaitPrinted(ctx)
		}
	}
}

func (d *remoteEngine) close() {
	d.mu.Lock()
	d.closed = true
	if d.notice != nil {
		d.notice.Stop()
	}
	d.mu.Unlock()
	if err := d.player.Close(); err != nil {
		d.a.log.Debug(err.Error())
	}
}
