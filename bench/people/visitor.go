package people

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"

	"kibitz/hall/bus"
	"kibitz/hall/live"
	"kibitz/hall/room"
	"kibitz/internal/hallclient"
)

// Times that the hall has. They are not scaled with those of people: they are promises.
const (
	quickly  = 5 * time.Second  // an act shows
	silently = time.Second      // something may wait before a reason must stand
	surely   = 30 * time.Second // added to the time within which a game must be over
	patience = 3 * time.Minute  // a game begins
)

// slack is a promise as the run takes it.
func (v *visitor) slack(d time.Duration) time.Duration {
	return time.Duration(float64(d) * max(1, v.r.cfg.Slack))
}

// visitor is one person with an address of his own and a guest's account.
type visitor struct {
	r      *run
	n      int
	client hallclient.Client
	in     chan news
	tabs   []*tab
	wg     sync.WaitGroup // pages that a router has not dropped yet

	// What is known from the pages.
	room   *roomNews
	roomID string
	game   string
	me     string // "first" or "second"
	state  *live.State
	seat   *bus.SeatState
	over   bool
	// answered is the question that was answered last, in an attempt.
	answered [2]int
	// unseen are decisions that were taken and did not show yet.
	unseen []string
	undid  bool
	// replied is the seat's state whose offer was answered, heard tells the other
	// visitor of the table what he sees.
	replied uint64
	table   *table
	side    int
	// gone tells that the visitor has been away from this game, left that he still is.
	gone, left bool
}

// table is what two visitors who play each other agree on without the hall.
type table struct {
	rooms chan string // from the host to the guest

	mu     sync.Mutex
	offers [2]string // what a side is offered, as it sees it
	here   [2]bool   // it has pages
}

func newTable() *table { return &table{rooms: make(chan string, 1)} }

func (t *table) setHere(side int, on bool) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.here[side] = on
}

func (t *table) isHere(side int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.here[side]
}

func (t *table) saw(side int, offer string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.offers[side] = offer
}

func (t *table) sees(side int) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.offers[side]
}

func newVisitor(ctx context.Context, r *run, n int) (*visitor, error) {
	transport := hallclient.From(hallclient.Address(n))
	v := &visitor{r: r, n: n, in: make(chan news, 64)}
	v.client.HTTP = &http.Client{Transport: transport, Timeout: time.Minute}
	return v, v.ask(ctx, http.MethodPost, "/account/guest", map[string]any{}, nil)
}

// ask sends a request; answers of 500 and more, and none, are found.
func (v *visitor) ask(ctx context.Context, method, path string, in, out any) error {
	err := v.client.Ask(ctx, v.r.cfg.URL, method, path, in, out)
	var refused *hallclient.RefusedError
	if err != nil && ctx.Err() == nil && (!errors.As(err, &refused) || refused.Status >= http.StatusInternalServerError) {
		v.r.ledger.find(Fault, "visitor %d: %v", v.n, err)
	}
	return err
}

func (v *visitor) command(ctx context.Context, do string, more ...any) error {
	in := map[string]any{"do": do}
	for i := 0; i+1 < len(more); i += 2 {
		in[more[i].(string)] = more[i+1]
	}
	return v.ask(ctx, http.MethodPost, "/rooms/"+v.roomID+"/commands", in, nil)
}

// take takes in what a page tells.
func (v *visitor) take(n news) {
	switch {
	case n.broken != nil:
		v.r.ledger.find(BrokenOff, "visitor %d: %v", v.n, n.broken)
	case n.room != nil:
		v.room = n.room
		if g := n.room.Room.Game; g != nil && g.ID != v.game {
			v.begin(g, n.room.Room.You.Place)
		}
	case n.game != v.game:
	case n.over:
		v.over = true
	case n.seat != nil:
		if v.seat == nil || n.seat.Attempt != v.seat.Attempt || n.seat.Seq > v.seat.Seq {
			v.seat = n.seat
			v.over = v.over || n.seat.Over
			if v.table != nil {
				v.table.saw(v.side, theirs(n.seat))
			}
		}
	case n.state != nil:
		v.show(n)
	}
}

// begin forgets the game before.
func (v *visitor) begin(g *room.Current, place int) {
	v.game, v.me = g.ID, g.Seat(place).String()
	v.state, v.seat, v.over, v.unseen, v.undid = nil, nil, false, nil, false
	v.gone, v.left = false, false
	v.answered, v.replied = [2]int{}, 0
}

// show takes a view or a delta in; entries show what was decided.
func (v *visitor) show(n news) {
	old := v.state
	if old == nil || n.state.Attempt > old.Attempt || n.state.Seq >= old.Seq {
		v.state = n.state
	}
	v.over = v.over || n.state.Result != nil
	if n.undid {
		v.undid, v.unseen = true, nil
	}
	for i := range n.fresh {
		e := &n.fresh[i]
		if string(e.By) != v.me || len(v.unseen) == 0 {
			continue
		}
		if len(e.Steps) == 0 { // a seat may be told in notices
			v.unseen = v.unseen[1:]
		}
		for _, s := range e.Steps {
			if len(v.unseen) > 0 && v.unseen[0] == s {
				v.unseen = v.unseen[1:]
			}
		}
	}
}

// wait takes in news until done says so, which it reports, or the time is over.
func (v *visitor) wait(ctx context.Context, d time.Duration, done func() bool) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	for !done() {
		select {
		case n := <-v.in:
			v.take(n)
		case <-t.C:
			return done()
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// asked reports whether a question waits for an answer.
func (v *visitor) asked() bool {
	return v.seat != nil && v.seat.Prompt > 0 && v.answered != [2]int{v.seat.Attempt, v.seat.Prompt}
}

// theirs is what the opponent of a seat asks, "" for nothing.
func theirs(s *bus.SeatState) string {
	for _, q := range s.Asks {
		if q.By != s.Seat {
			return q.What
		}
	}
	return ""
}

// offered is what the opponent offers, if it was not answered.
func (v *visitor) offered() bool {
	return v.seat != nil && theirs(v.seat) != "" && v.seat.Seq != v.replied && v.seat.Prompt >= 0
}

// forget forgets what pages told that are closed.
func (v *visitor) forget() {
	for len(v.in) > 0 {
		<-v.in
	}
	v.room, v.state, v.seat = nil, nil, nil
}

// fresh forgets all that was known, for another room.
func (v *visitor) fresh(id string) {
	v.forget()
	v.roomID = id
	v.begin(&room.Current{}, 0)
}

// open opens pages of the room.
func (v *visitor) open(ctx context.Context, n int) {
	v.table.setHere(v.side, true)
	for range n {
		v.tabs = append(v.tabs, openTab(ctx, v.r.cfg.URL, v.client.Cookie, hallclient.Address(v.n), v.roomID, v.in))
	}
}

// close closes all pages but some, and takes in what they still tell.
func (v *visitor) close(but int) {
	v.table.setHere(v.side, but > 0)
	for len(v.tabs) > but {
		t := v.tabs[len(v.tabs)-1]
		v.tabs = v.tabs[:len(v.tabs)-1]
		t.close()
	}
}

// lose loses the network of all pages, and with it the pages after a while.
func (v *visitor) lose(ctx context.Context) {
	v.table.setHere(v.side, false)
	for _, t := range v.tabs {
		t.lose()
		v.wg.Go(func() {
			_ = pause(ctx, time.Duration(float64(time.Minute)*v.r.cfg.Script.Scale))
			t.close()
		})
	}
	v.tabs = nil
}

// key is under which a visitor's own part in a game is kept.
func (v *visitor) key() string { return v.game + fmt.Sprintf(" %d", v.n) }

// away closes all pages in a state, and tells whether the visitor comes back to a game
// that still goes on.
func (v *visitor) away(ctx context.Context, x *Visit, in State) bool {
	v.r.ledger.Count("left, " + string(in))
	v.gone, v.left = true, true
	v.r.ledger.leave(v.key(), v.r.cfg.Now().Add(v.bound(x)))
	if x.Lost {
		v.r.ledger.Count("network lost")
		v.lose(ctx)
	} else {
		v.close(0)
	}
	if x.Back == 0 {
		return false
	}
	if pause(ctx, x.Back) != nil {
		return false
	}
	v.r.ledger.Count("came back")
	v.left = false
	v.r.ledger.stay(v.key())
	v.forget()
	v.open(ctx, x.Tabs)
	id := v.game
	v.wait(ctx, v.slack(quickly), func() bool { return v.over || v.state != nil || v.room != nil && v.room.Room.Game == nil })
	return !v.over && v.game == id && v.room != nil && v.room.Room.Game != nil
}

// bound is the longest that a game may go on without the visitor by the rules of the
// hall: both clocks, or the grace of both places.
func (v *visitor) bound(x *Visit) (d time.Duration) {
	var base, more int
	if x.Lost { // its end is not heard at once
		defer func() { d += v.slack(time.Minute) }()
	}
	if n, _ := fmt.Sscanf(x.Clock, "%d+%d", &base, &more); n > 0 {
		return 2*time.Duration(base+20*more)*time.Second + v.slack(surely)
	}
	return 2*x.Grace + v.slack(surely)
}

// act does what is no move.
func (v *visitor) act(ctx context.Context, what string) error {
	err := v.ask(ctx, http.MethodPost, "/games/"+v.game+"/acts", map[string]any{"act": what}, nil)
	if err == nil {
		v.r.ledger.Count(what)
	}
	return err
}

// decide answers the question that waits with one of the legal decisions.
func (v *visitor) decide(ctx context.Context, rng *rand.Rand) {
	if !v.asked() || len(v.seat.Legal) == 0 || v.over {
		return
	}
	q, step := [2]int{v.seat.Attempt, v.seat.Prompt}, pick(rng, v.seat.Legal)
	v.unseen = append(v.unseen, step) // one that was taken shows, also if its answer is lost
	for range 5 {
		err := v.ask(ctx, http.MethodPost, "/games/"+v.game+"/moves", map[string]any{"prompt": q[1], "steps": []string{step}}, nil)
		var refused *hallclient.RefusedError
		if err == nil {
			v.answered = q
			v.r.ledger.Count("moves")
			v.check(ctx, step)
			return
		}
		if errors.As(err, &refused) && refused.Status < http.StatusInternalServerError {
			v.answered = q
			v.drop(step)
			// The question may have been taken back while the answer was on its way.
			if !v.wait(ctx, v.slack(quickly), func() bool { return v.over || v.seat.Prompt != q[1] || v.seat.Attempt != q[0] }) {
				v.refused(err)
			}
			return
		}
		if v.wait(ctx, time.Second, func() bool { return v.over }) {
			return
		}
	}
	v.drop(step)
}

// drop expects a decision no more.
func (v *visitor) drop(step string) {
	if i := slices.Index(v.unseen, step); i >= 0 {
		v.unseen = slices.Delete(v.unseen, i, i+1)
	}
}

// refused keeps a refusal that nothing explains: a game may be over before its end is
// told.
func (v *visitor) refused(err error) {
	if !v.over {
		v.r.ledger.Count("refused")
		v.r.ledger.find(Refused, "visitor %d, game %s: %v", v.n, v.game, err)
	}
}

// check waits until a decision shows. Steps of a turn may show together at its end.
func (v *visitor) check(ctx context.Context, step string) {
	shown := func() bool { return v.over || len(v.unseen) == 0 || !slices.Contains(v.unseen, step) }
	next := func() bool { return v.asked() && v.state != nil && v.state.View != nil && v.state.View.Step > 0 }
	if v.wait(ctx, v.slack(2*quickly), func() bool { return shown() || next() }) || ctx.Err() != nil || len(v.tabs) == 0 {
		return
	}
	v.r.ledger.find(Swallowed, "visitor %d, game %s: %s was taken and does not show in %s", v.n, v.game, step, v.slack(2*quickly))
	v.unseen = nil
}
