package lobby

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/play"
	"kibitz/hall/store"
)

// deafSeat is a bus on which the first signs of a person are lost.
type deafSeat struct {
	lost []error
	at   []time.Time
}

func (b *deafSeat) SubscribeSeatState(string, game.Seat, func(bus.SeatState)) (*bus.Subscription, error) {
	return &bus.Subscription{}, nil
}

func (b *deafSeat) AskSeatInput(context.Context, bus.SeatInput) (bus.Reply, error) {
	n := len(b.at)
	if b.at = append(b.at, time.Now()); n < len(b.lost) {
		return bus.Reply{}, b.lost[n]
	}
	return bus.Reply{}, nil
}

// A sign of a person that was lost is given again at once, and not with the next beat: the
// person is asked nothing before. Where nobody plays the game yet there is nobody to tell.
func TestLostSignIsGivenAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		away := errors.New("the database is away")
		wire := &deafSeat{lost: []error{away, away, bus.ErrNobody}}
		running := &Running{Bus: wire, Link: &Link{}, Now: time.Now, Log: slog.New(slog.DiscardHandler)}
		began := time.Now()
		_, leave := running.Attend(t.Context(), &Watched{Game: store.Game{ID: "g"}, To: game.ToFirst}, began)
		time.Sleep(play.Heartbeat + time.Second*5/2)
		leave(true)
		var got []time.Duration
		for _, at := range wire.at {
			got = append(got, at.Sub(began))
		}
		want := []time.Duration{0, time.Second, 2 * time.Second, play.Heartbeat}
		if len(got) != len(want) {
			t.Fatalf("signs at %v, want %v", got, want)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("signs at %v, want %v", got, want)
			}
		}
	})
}
