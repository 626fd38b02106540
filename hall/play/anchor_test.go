package play

import (
	"fmt"
	"math"
	"testing"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/bus/bustest"
	"kibitz/hall/store"
)

// The anchor of a game is known after thirty rated games of eight people against its levels, and not before;
// games of programs, unrated ones and those of other games do not count.
func TestAnchor(t *testing.T) {
	x := newPlaysTest(t)
	above := []float64{0, 215, 440}
	anchor := func(id string) (elo float64, known bool) {
		x.Helper()
		if err := x.store.View(x.Context(), func(tx store.Tx) (err error) { elo, known, err = Anchor(tx, id, above); return err }); err != nil {
			x.Fatal(err)
		}
		return elo, known
	}
	n := 0
	played := func(user int64, wins game.Seat, change func(*store.Game)) {
		id := fmt.Sprintf("g%d", n)
		n++
		x.add(id, func(g *store.Game, _ *bus.Play) {
			g.Seats[0] = store.Seat{Name: "who", User: user}
			if change != nil {
				change(g)
			}
		})
		x.begin(id)
		r := bustest.Win(id, 1)
		r.Result = game.Win(wins, "score", "")
		x.result(r)
	}
	var people []int64
	for i := range 10 {
		u := store.User{Name: fmt.Sprintf("p%d", i), Kind: store.Person}
		if i > 7 {
			u.Kind = store.Bot
		}
		x.update(func(tx store.Tx) error { return tx.AddUser(&u) })
		people = append(people, u.ID)
	}
	for i := range 29 {
		played(people[i%7], game.Seat(i/7%2), nil)
	}
	played(people[8], 0, nil)                                                              // a program
	played(people[7], 0, func(g *store.Game) { g.Rated = false })                          // unrated
	played(people[7], 0, func(g *store.Game) { g.Spec = "gomoku" })                        // another game
	played(people[7], 0, func(g *store.Game) { g.Seats[1] = store.Seat{User: people[0]} }) // no level
	if _, known := anchor("othello"); known {
		t.Error("29 games of seven people are enough")
	}
	played(people[0], 1, nil)
	if _, known := anchor("othello"); known {
		t.Error("seven people are enough")
	}
	played(people[7], 1, nil)
	elo, known := anchor("othello")
	// Level 3 won about half of its games against people of about 1500, 440 above level 1.
	if !known || math.Abs(elo+440-1500) > 150 {
		t.Errorf("the anchor is %v, known: %v", elo, known)
	}
	if _, known := anchor("gomoku"); known {
		t.Error("one game of five in a row is enough")
	}
}
