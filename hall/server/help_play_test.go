package server

import (
	"context"
	"encoding/json"
	"testing"

	"kibitz/hall/play"
	"kibitz/hall/records"
	"kibitz/hall/store"
)

// ticketOf is what the job of a game shows.
func ticketOf(st store.Store, id string) (ticket string) {
	_ = st.View(context.Background(), func(tx store.Tx) error {
		g, err := tx.Game(id)
		if err != nil {
			return err
		}
		w, err := play.WorkOf(&g)
		ticket = w.Ticket()
		return err
	})
	return ticket
}

// The view of a game that is over tells who has played it, of all that its work says.
func TestGameTellsWhoPlayed(t *testing.T) {
	job, err := json.Marshal(play.Work{Host: "host one", Hashes: [2]string{"", "aa"}})
	if err != nil {
		t.Fatal(err)
	}
	v := records.ViewGame(&store.Game{State: store.Over, Job: job})
	if v.Worker != "host one" || v.Seats[0].Hash != "" || v.Seats[1].Hash != "aa" {
		t.Errorf("%+v", v)
	}
}
