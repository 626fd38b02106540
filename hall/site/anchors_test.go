package site

import (
	"errors"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/game/look"
	"kibitz/hall/store"
)

// peopleAgainst are thirty rated games of ten people against level 1 of an engine, each of which won half of its
// own; elo is the rating of the people.
type peopleAgainst struct {
	store.Tx
	elo   float64
	fault error
	read  int
}

func (p *peopleAgainst) FindGames(store.GameQuery) (page store.GamePage, err error) {
	p.read++
	for i := range 30 {
		g := store.Game{Spec: "othello", Seats: [2]store.Seat{{User: int64(1 + i%10)}, {Engine: "bot=1"}}}
		g.Result = game.Win(game.Seat(i%2), "score", "")
		page.Games = append(page.Games, g)
	}
	return page, p.fault
}

func (p *peopleAgainst) User(id int64) (store.User, error) {
	return store.User{ID: id, Kind: store.Person}, nil
}

func (p *peopleAgainst) Rating(store.RatingKey) (r store.Rating, err error) {
	r.Value = p.elo
	return r, nil
}

// What level 1 is worth against people stands for a week, and is counted anew at the next look; a fault is not kept.
func TestAnchorsAreWeekly(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	h := &Site{now: func() time.Time { return now }}
	tx := &peopleAgainst{elo: 1500, fault: errors.New("busy")}
	othello := &look.Game{ID: "othello", Offer: look.Offer{Levels: []look.Level{{Measured: true}, {Elo: 300}}}}
	anchor := func(g *look.Game, want float64, read int) {
		t.Helper()
		got, err := h.anchor(tx, g)
		if err != nil || got < want-1 || got > want+1 || tx.read != read {
			t.Errorf("%s: %v, %v, read %d times, not %v and %d", now, got, err, tx.read, want, read)
		}
	}
	if _, err := h.anchor(tx, othello); !errors.Is(err, tx.fault) {
		t.Error(err)
	}
	tx.fault = nil
	anchor(othello, 1500, 2)
	tx.elo = 1700
	now = now.Add(anchorAge - time.Second)
	anchor(othello, 1500, 2)
	now = now.Add(time.Second)
	anchor(othello, 1700, 3)
	anchor(othello, 1700, 3)
	// Each game has its own.
	tx.elo = 1600
	gomoku := *othello
	gomoku.ID = "gomoku"
	anchor(&gomoku, 1600, 4)
	anchor(othello, 1700, 4)
}
