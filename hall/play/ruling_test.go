package play

import (
	"testing"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/bus/bustest"
	"kibitz/hall/room"
	"kibitz/hall/store"
)

// alive is what a worker hears.
func (x *playsTest) alive(attempt int) *bus.Order {
	x.Helper()
	a, err := x.p.Alive(x.Context(), bus.Pulse{Game: "g", Attempt: attempt, Worker: "w"})
	if err != nil || a.Stale {
		x.Fatal(a, err)
	}
	return a.Order
}

// How somebody ends a game is how it ends, whatever its worker finds or does until it hears that; ratings
// stay as they are, and the audit log says who it was.
func TestRuling(t *testing.T) {
	for name, res := range map[string]game.Result{
		"won":         game.Win(game.Second, game.ByAdjudication, "a bug"),
		"not counted": {Reason: game.ByAbort, Detail: "a bug"},
	} {
		t.Run(name, func(t *testing.T) {
			x := newPlaysTest(t)
			x.add("g", func(g *store.Game, p *bus.Play) { g.Room, g.Rated, p.Rated, p.Keep = "r", true, true, true })
			x.begin("g")
			x.update(func(tx store.Tx) error {
				return x.p.Effect(tx, "r", room.Effect{Rule: &room.Ruling{Game: "g", Account: 7, By: "Ada", Result: res}})
			})
			if o := x.alive(1); o == nil || o.Kind != bus.OrderVerdict || *o.Result != res {
				t.Errorf("%+v", o)
			}
			if g := x.game("g"); g.Ruled || g.Note != "" {
				t.Errorf("it is told before the game is over: %+v", g)
			}
			x.result(bus.Result{Game: "g", Attempt: 1, Worker: "w", Parked: true})
			if g := x.game("g"); g.State != store.Queued {
				t.Fatalf("it is put aside: %v", g.State)
			}
			x.begin("g")
			if o := x.alive(2); o == nil || o.Kind != bus.OrderVerdict {
				t.Errorf("%+v", o)
			}
			x.result(bustest.Win("g", 2)) // it was over by itself
			g := x.game("g")
			if g.State != store.Over || g.Result != res || !g.Ruled || g.Note != "Ada: a bug" || len(x.ratings()) != 0 {
				t.Errorf("%+v", g)
			}
			x.update(func(tx store.Tx) error {
				list, err := tx.Audit(store.AuditQuery{Action: "game-ruled"})
				if err == nil && (len(list) != 1 || list[0].Actor != 7 || list[0].Subject != "g") {
					t.Errorf("%+v", list)
				}
				return err
			})
		})
	}
}

// Whoever begins a paused game knows that it is, as does who plays it.
func TestPausedGame(t *testing.T) {
	x := newPlaysTest(t)
	x.add("g", func(g *store.Game, p *bus.Play) { p.Keep = false })
	pause := func(by string) {
		x.update(func(tx store.Tx) error { return x.p.Effect(tx, "r", room.Effect{Pause: "g", By: by}) })
	}
	pause("Ada")
	if p := x.begin("g"); p.Paused != "Ada" || x.alive(1) != nil {
		t.Errorf("%+v", p)
	}
	pause("")
	if o := x.alive(1); o == nil || o.Kind != bus.OrderResume {
		t.Errorf("%+v", o)
	}
	pause("Eve")
	if o := x.alive(1); o == nil || o.Kind != bus.OrderPause || o.By != "Eve" {
		t.Errorf("%+v", o)
	}
	x.result(bus.Result{Game: "g", Attempt: 1, Worker: "w", Parked: true})
	if p := x.begin("g"); p.Paused != "Eve" {
		t.Errorf("%+v", p)
	}
	x.update(func(tx store.Tx) error { return x.p.Order(tx, "g", bus.OrderAbort) })
	pause("")
	if o := x.alive(2); o == nil || o.Kind != bus.OrderAbort {
		t.Errorf("%+v", o)
	}
}
