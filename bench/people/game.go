package people

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"

	"kibitz/hall/room"
)

// settings are those of the room of a visit.
func settings(x *Visit) map[string]any {
	return map[string]any{"settings": map[string]any{
		"game": x.Game, "clocks": []string{x.Clock, x.Clock}, "undo": true, "games": 1, "grace": x.Grace.Seconds(), "pause": 0,
	}}
}

// host opens a room and sits down in it.
func (v *visitor) host(ctx context.Context, x *Visit) error {
	var r struct{ ID string }
	if err := v.ask(ctx, http.MethodPost, "/rooms", settings(x), &r); err != nil {
		return err
	}
	v.fresh(r.ID)
	v.r.ledger.Count("rooms")
	return v.command(ctx, "sit", "place", x.Place, "kind", "person")
}

// alone plays one visit against an engine.
func (v *visitor) alone(ctx context.Context, x *Visit) error {
	v.table, v.side = nil, 0
	if err := v.host(ctx, x); err != nil {
		return err
	}
	engine := "bot=" + string(rune('0'+x.Level))
	if err := v.command(ctx, "sit", "place", 1-x.Place, "kind", "bot", "engine", engine); err != nil {
		return err
	}
	v.open(ctx, x.Tabs)
	defer v.close(0)
	if x.Finish == Goes && x.In == Queued {
		return v.unseenStart(ctx, x)
	}
	return v.games(ctx, x, x.Again)
}

// games plays the game of a room, and a rematch.
func (v *visitor) games(ctx context.Context, x *Visit, again bool) error {
	for _, do := range []string{"start", "rematch"} {
		begun, old := v.r.cfg.Now(), v.game
		if v.side == 0 || do == "rematch" {
			if err := v.command(ctx, do); err != nil {
				return err
			}
		}
		playing := func() bool { return v.room != nil && v.room.Room.Phase == room.Playing }
		if do == "rematch" && !v.wait(ctx, v.slack(quickly), playing) || v.side != 0 && !v.wait(ctx, v.slack(patience), playing) {
			return nil // the other one has gone meanwhile
		}
		if !v.begins(ctx, old, begun) {
			return nil
		}
		v.play(ctx, x)
		if !again || !v.over || v.gone || ctx.Err() != nil {
			return nil
		}
		v.wait(ctx, v.slack(quickly), func() bool { return v.room != nil && v.room.Room.Phase == room.Done })
		v.r.ledger.Count("rematches agreed")
	}
	return nil
}

// together plays one visit against the other visitor of a table, whose host has side 0.
func (v *visitor) together(ctx context.Context, x *Visit, t *table, side int, again bool) error {
	v.table, v.side = t, side
	defer v.close(0)
	if side == 0 {
		defer close(t.rooms)
		if err := v.host(ctx, x); err != nil {
			return err
		}
		v.open(ctx, x.Tabs)
		t.rooms <- v.roomID
		ready := func() bool {
			p := v.room
			return p != nil && p.Room.Places[1-x.Place].Ready && len(p.Room.People) > 1
		}
		if !v.wait(ctx, v.slack(patience), ready) {
			return ctx.Err()
		}
		return v.games(ctx, x, again)
	}
	select {
	case id, ok := <-t.rooms:
		if !ok {
			return nil
		}
		v.fresh(id)
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := v.command(ctx, "enter"); err != nil {
		return err
	}
	v.open(ctx, x.Tabs)
	if !v.wait(ctx, v.slack(patience), func() bool { return v.room != nil }) {
		return ctx.Err()
	}
	if err := errors.Join(v.command(ctx, "sit", "place", x.Place, "kind", "person"), v.command(ctx, "ready")); err != nil {
		return err
	}
	return v.games(ctx, x, again)
}

// unseenStart starts the game and closes all pages before it has begun.
func (v *visitor) unseenStart(ctx context.Context, x *Visit) error {
	v.close(0)
	if err := v.command(ctx, "start"); err != nil {
		return err
	}
	var now roomNews
	if err := v.ask(ctx, http.MethodGet, "/rooms/"+v.roomID, nil, &now); err != nil {
		return err
	}
	if now.Room.Game == nil { // it is over already
		return nil
	}
	v.take(news{room: &now})
	if v.away(ctx, x, Queued) && v.begins(ctx, "", v.r.cfg.Now()) {
		v.play(ctx, x)
	}
	return nil
}

// begins waits until the board of the next game is seen. While it waits the hall must
// say for what.
func (v *visitor) begins(ctx context.Context, old string, since time.Time) bool {
	seen := func() bool { return v.game != old && (v.state != nil || v.over) }
	if !v.wait(ctx, v.slack(silently), seen) && ctx.Err() == nil {
		v.r.ledger.Count("waits")
		v.asksWhy(ctx)
		v.wait(ctx, v.slack(patience), seen)
	}
	if ctx.Err() != nil {
		return false
	}
	if !seen() {
		g, last, err := v.current(ctx)
		if g.ID == "" && last != nil && last.ID != old {
			v.r.ledger.find(Unseen, "visitor %d, room %s: game %s: %s: %s, %+v", v.n, v.roomID, last.ID, last.Result.Reason,
				last.Result.Detail, last.Why)
			return false
		}
		v.r.ledger.find(NeverEnds, "visitor %d, room %s: the game has not begun after %s: %+v, seen %q, its board %t, %v",
			v.n, v.roomID, patience, g, v.game, v.state != nil, err)
		return false
	}
	v.r.ledger.took("begin", v.r.cfg.Now().Sub(since))
	v.r.ledger.Count("games")
	return true
}

// current is the room's game as the hall tells of it; without an ID there is none.
type current struct{ ID, State, Waiting string }

// current asks for the room's game, and for the one that was over last.
func (v *visitor) current(ctx context.Context) (g current, last *room.Past, err error) {
	var now roomNews
	if err := v.ask(ctx, http.MethodGet, "/rooms/"+v.roomID, nil, &now); err != nil || now.Room.Game == nil {
		return g, now.Room.Last, err
	}
	err = v.ask(ctx, http.MethodGet, "/games/"+now.Room.Game.ID, nil, &g)
	return g, now.Room.Last, err
}

// asksWhy finds a game that has not begun and does not say for what it waits.
func (v *visitor) asksWhy(ctx context.Context) {
	if g, _, err := v.current(ctx); err == nil && g.State == "queued" && g.Waiting == "" {
		v.r.ledger.find(NoReason, "visitor %d, room %s: game %s has not begun after %s, and nothing says why", v.n, v.roomID, g.ID,
			v.slack(silently))
	}
}

// leaving is how a visit ends by going away, once, at the moment that it says.
type leaving struct {
	v    *visitor
	x    *Visit
	goes bool
}

// at goes away if now is the moment. It reports whether it was, and whether the visitor is
// there again.
func (l *leaving) at(ctx context.Context, where State, now bool) (was, back bool) {
	if !l.goes || l.x.In != where || !now {
		return false, true
	}
	l.goes = false
	return true, l.v.away(ctx, l.x, where)
}

// play plays a game as the visit says, until it is over or the visitor has gone.
func (v *visitor) play(ctx context.Context, x *Visit) {
	rng := rand.New(rand.NewPCG(x.Seed, uint64(v.n)))
	leave := leaving{v, x, x.Finish == Goes && !v.gone}
	if _, back := leave.at(ctx, Begun, true); !back {
		return
	}
	for turn := 0; ; turn++ {
		if !v.mine(ctx, x) {
			return
		}
		if x.Half && turn == x.Turns/2 && len(v.tabs) == 2 {
			v.r.ledger.Count("one of two tabs closed")
			v.close(1)
		}
		end := turn >= x.Turns
		if was, back := leave.at(ctx, Own, end); !back {
			return
		} else if was {
			continue
		}
		if v.think(ctx, x, x.Think[turn%len(x.Think)]); v.over || ctx.Err() != nil {
			return
		}
		if what, ok := x.Asks[turn]; ok || end && x.In == Asked && leave.goes {
			v.offer(ctx, what)
			if was, back := leave.at(ctx, Asked, end); !back {
				return
			} else if was {
				continue
			}
		}
		if end && !leave.goes && v.ends(ctx, x) {
			return
		}
		v.decide(ctx, rng)
		if _, back := leave.at(ctx, Other, end && !v.over); !back {
			return
		}
	}
}

// mine waits until the visitor is asked, answering offers meanwhile; false when the game
// is over. The opponent's time is bounded by the rules of the hall.
func (v *visitor) mine(ctx context.Context, x *Visit) bool {
	bound := v.bound(x)
	if x.Clock == "inf" { // the other one leaves, comes back within its grace, and thinks
		bound += time.Duration(float64(longThought) * v.r.cfg.Script.Scale)
	}
	end := v.r.cfg.Now().Add(bound)
	for {
		left := end.Sub(v.r.cfg.Now())
		if !v.wait(ctx, left, func() bool { return v.over || v.asked() || v.offered() }) {
			if ctx.Err() == nil {
				v.r.ledger.find(NeverEnds, "visitor %d, game %s: not asked, and not over, for %s", v.n, v.game, bound)
			}
			return false
		}
		switch {
		case v.over:
			v.ended(ctx)
			return false
		case v.offered():
			v.reply(ctx, x)
		default:
			return true
		}
	}
}

// think lets time pass, and answers offers.
func (v *visitor) think(ctx context.Context, x *Visit, d time.Duration) {
	end := v.r.cfg.Now().Add(d)
	for v.wait(ctx, end.Sub(v.r.cfg.Now()), func() bool { return v.over || v.offered() }) {
		if v.over {
			v.ended(ctx)
			return
		}
		v.reply(ctx, x)
	}
}

// reply answers an offer after a moment.
func (v *visitor) reply(ctx context.Context, x *Visit) {
	v.replied = v.seat.Seq
	v.wait(ctx, time.Duration(float64(2*time.Second)*v.r.cfg.Script.Scale), func() bool { return v.over })
	if v.over || v.seat == nil || theirs(v.seat) == "" {
		return
	}
	v.replied = v.seat.Seq
	what := map[bool]string{true: "accept", false: "decline"}[x.Accepts]
	_ = v.act(ctx, what) // it may have been taken back meanwhile
}

// offer asks for something, and sees to it that the other side hears of it.
func (v *visitor) offer(ctx context.Context, what string) {
	what = cmp.Or(what, "undo")
	v.undid = false
	if v.act(ctx, what) != nil {
		return // there is nothing to take back, or something is asked already
	}
	shown := func() bool { return v.over || v.undid }
	if v.table != nil {
		shown = func() bool { return v.over || v.undid || v.table.sees(1-v.side) == what }
	} else if what == "draw" { // an engine has no page
		return
	}
	v.effect(ctx, what, shown)
}

// effect waits for what an act must show soon. Only visitors who look see it.
func (v *visitor) effect(ctx context.Context, what string, shown func() bool) {
	begun := v.r.cfg.Now()
	for !shown() {
		if v.wait(ctx, 50*time.Millisecond, shown) {
			break
		}
		if ctx.Err() != nil || v.table != nil && !v.table.isHere(1-v.side) {
			return
		}
		if v.r.cfg.Now().Sub(begun) > v.slack(quickly) {
			v.r.ledger.find(NoEffect, "visitor %d, game %s: %s was taken and has no effect in %s", v.n, v.game, what, quickly)
			return
		}
	}
	v.r.ledger.took("act", v.r.cfg.Now().Sub(begun))
}

// ends makes an end of the game, and reports whether it is over.
func (v *visitor) ends(ctx context.Context, x *Visit) bool {
	what := "resign"
	if x.Finish == Aborts {
		what = "abort"
	}
	if err := v.act(ctx, what); err != nil {
		if !v.overSoon(ctx) && ctx.Err() == nil {
			v.refused(err)
		}
		return v.over
	}
	if what == "abort" && v.table != nil { // the other one may decline
		v.wait(ctx, time.Duration(float64(quickly)*v.r.cfg.Script.Scale), func() bool { return v.over })
		x.Finish = Resigns
		return v.over
	}
	v.effect(ctx, what, func() bool { return v.over })
	return v.over
}

// ended looks at how a game ended that the visitor has seen to its end.
func (v *visitor) ended(ctx context.Context) {
	if v.gone || v.state == nil || v.state.Result == nil {
		return
	}
	if r := v.state.Result; r.Reason == "disconnect" && r.Points[map[string]int{"first": 0, "second": 1}[v.me]] == 0 {
		v.r.ledger.find(Missed, "visitor %d, game %s: %s", v.n, v.game, r.Detail)
	}
}
