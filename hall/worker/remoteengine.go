package worker

import (
	"encoding/json"
	"fmt"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/player/remote"
)

// remoteEngine is a seat of an engine whose frames come through the bus.
type remoteEngine struct {
	a      *attempt
	player *remote.Player
}

func newRemoteEngine(a *attempt, seat game.Seat) *remoteEngine {
	d := &remoteEngine{a: a}
	d.player = remote.NewPlayer(remote.Options{
		Session: fmt.Sprintf("%s/%d", a.p.Game, a.p.Attempt), Now: a.w.Now, Grace: a.p.Seats[seat].Grace,
		Send: func(frame []byte) error {
			if a.stopped() {
				return nil
			}
			return a.w.Bus.PublishSeat(a.p.Game, a.p.Attempt, seat, frame)
		},
	})
	return d
}

// receive takes a frame, and answers with what is wrong with it.
func (d *remoteEngine) receive(frame []byte) []byte {
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

func (d *remoteEngine) close() {
	if err := d.player.Close(); err != nil {
		d.a.log.Debug(err.Error())
	}
}
