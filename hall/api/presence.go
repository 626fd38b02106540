package api

import (
	"time"

	"kibitz/hall/hub"
	"kibitz/journal"
)

// Presence tells whether the person or the joined engine of a seat is there. Times are in milliseconds since 1970.
type Presence struct {
	Seat int `json:"seat"`
	// State is "here" or "away".
	State string `json:"state" enum:"here,away"`
	// Since is when he came or was heard last, At when this is told.
	Since int64 `json:"since"`
	At    int64 `json:"at"`
	// Lapses is when his absence ends the game, Ends how: "disconnect" or "abort".
	Lapses int64  `json:"lapses,omitempty"`
	Ends   string `json:"ends,omitempty" enum:"disconnect,abort"`
}

// presence sends what is new of who is there; told is what was sent before.
func (s *stream) presence(v *hub.Viewer, told *[2]*journal.Presence) error {
	st, _ := v.State()
	for seat, x := range st.Presence {
		if x == nil || x == told[seat] {
			continue
		}
		told[seat] = x
		if err := s.send("", "presence", jsonOf(presenceOf(x, s.now()))); err != nil {
			return err
		}
	}
	return nil
}

func presenceOf(x *journal.Presence, now time.Time) Presence {
	p := Presence{Seat: int(x.Seat), State: "here", Since: x.Since.UnixMilli(), At: now.UnixMilli(), Ends: string(x.Ends)}
	if x.Away {
		p.State = "away"
	}
	if !x.Lapses.IsZero() {
		p.Lapses = x.Lapses.UnixMilli()
	}
	return p
}
