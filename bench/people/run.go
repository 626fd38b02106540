package people

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"kibitz/internal/hallclient"
)

// Config says who comes to which hall.
type Config struct {
	// URL of the hall, "http://127.0.0.1:8080".
	URL string
	// Visitors come, the last two fifths of them in pairs who play each other.
	Visitors int
	Script   Script
	// For is how long they stay. Who comes then goes wherever his game stands.
	For time.Duration
	// Enough tells that what they did will do: they stay longer until then. Nil if it always
	// will.
	Enough func(*Ledger) bool
	// Probe is the time between two new games whose beginning is measured, 0 for none.
	Probe time.Duration
	// Slack stretches the times within which the hall must do something; 1 if it is
	// less. Tests on a busy machine have it.
	Slack float64
	// Memory returns that of the hall in bytes; nil if nobody asks.
	Memory func() int64
	Now    func() time.Time
	// Tell is told how far it is, about twice a minute; nil if nobody asks.
	Tell func(line string)
}

// sampled is the time between two looks at the hall's memory.
const sampled = 2 * time.Second

// Outcome is what a run came to.
type Outcome struct {
	*Ledger
	// Reasons count how games ended.
	Reasons map[string]int
	// Memory are samples of the hall's, while the visitors were there.
	Memory []int64
}

// run is a load at work.
type run struct {
	cfg    *Config
	ledger *Ledger
	watch  hallclient.Client // nobody in particular, who looks at games
}

// Run lets visitors be people for a while, and then waits until all that they have left
// is over.
func Run(ctx context.Context, cfg *Config) (*Outcome, error) {
	r := &run{cfg: cfg, ledger: newLedger()}
	r.watch.HTTP = &http.Client{Transport: hallclient.From(hallclient.Address(cfg.Visitors + 1)), Timeout: time.Minute}
	out := &Outcome{Ledger: r.ledger}
	visitors, err := r.arrive(ctx)
	if err != nil {
		return out, err
	}
	here, cancel := context.WithCancel(ctx)
	defer cancel()
	go r.stay(here, cancel)
	var wg sync.WaitGroup
	alone := cfg.Visitors - cfg.Visitors*2/5/2*2
	for _, v := range visitors[:alone] {
		wg.Go(func() { r.lonely(here, v) })
	}
	for i := alone; i+1 < cfg.Visitors; i += 2 {
		wg.Go(func() { r.pair(here, visitors[i], visitors[i+1]) })
	}
	if cfg.Probe > 0 {
		wg.Go(func() { r.probe(here, visitors[cfg.Visitors]) })
	}
	wg.Go(func() { r.look(here, out) })
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return out, err
	}
	r.settle(ctx)
	return out, r.count(ctx, out)
}

// stay calls leave when the visitors have been there for long enough.
func (r *run) stay(ctx context.Context, leave func()) {
	err := pause(ctx, r.cfg.For)
	for err == nil && r.cfg.Enough != nil && !r.cfg.Enough(r.ledger) {
		err = pause(ctx, sampled)
	}
	leave()
}

// arrive makes the accounts of all visitors, and of the one who measures.
func (r *run) arrive(ctx context.Context) ([]*visitor, error) {
	list := make([]*visitor, r.cfg.Visitors+1)
	for i := range list {
		var err error
		if list[i], err = newVisitor(ctx, r, i); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// lonely is a visitor who plays engines.
func (r *run) lonely(ctx context.Context, v *visitor) {
	defer v.wg.Wait()
	for n := 0; ctx.Err() == nil; n++ {
		x := r.cfg.Script.Visit(v.n, n)
		if pause(ctx, x.Before) != nil {
			return
		}
		r.visited(ctx, v, &x, v.alone(ctx, &x))
	}
}

// pair are two visitors who play each other.
func (r *run) pair(ctx context.Context, a, b *visitor) {
	defer func() { a.wg.Wait(); b.wg.Wait() }()
	for n := 0; ctx.Err() == nil; n++ {
		x, y := r.cfg.Script.Visit(a.n, n), r.cfg.Script.Visit(b.n, n)
		y.Game, y.Clock, y.Grace, y.Place = x.Game, x.Clock, x.Grace, 1-x.Place
		if pause(ctx, x.Before) != nil {
			return
		}
		t := newTable()
		var wg sync.WaitGroup
		both := x.Again && y.Again
		wg.Go(func() { r.visited(ctx, a, &x, a.together(ctx, &x, t, 0, both)) })
		wg.Go(func() { r.visited(ctx, b, &y, b.together(ctx, &y, t, 1, both)) })
		wg.Wait()
	}
}

// visited ends a visit: a game that is not over was left.
func (r *run) visited(ctx context.Context, v *visitor, x *Visit, err error) {
	if err != nil && ctx.Err() == nil {
		r.ledger.find(Refused, "visitor %d, room %s: %v", v.n, v.roomID, err)
	}
	if v.game != "" && !v.over && !v.left {
		r.ledger.leave(v.key(), r.cfg.Now().Add(v.bound(x)))
	}
	v.game, v.over = "", false
	r.ledger.Count("visits")
	if err != nil { // not at once again
		_ = pause(ctx, time.Second)
	}
}

// probe opens a game against an engine every now and then, and measures until it is
// asked for its first decision.
func (r *run) probe(ctx context.Context, v *visitor) {
	x := Visit{Game: "othello", Clock: r.cfg.Script.Clocks[0], Level: 1, Tabs: 1, Grace: r.cfg.Script.Grace}
	for n := 0; ctx.Err() == nil; n++ {
		err := v.probe(ctx, &x)
		r.visited(ctx, v, &x, err)
		if pause(ctx, r.cfg.Probe) != nil {
			return
		}
	}
}

func (v *visitor) probe(ctx context.Context, x *Visit) error {
	if err := v.host(ctx, x); err != nil {
		return err
	}
	if err := v.command(ctx, "sit", "place", 1, "kind", "bot", "engine", "bot=1"); err != nil {
		return err
	}
	v.open(ctx, 1)
	defer v.close(0)
	v.wait(ctx, v.slack(patience), func() bool { return v.room != nil })
	begun := v.r.cfg.Now()
	if err := v.command(ctx, "start"); err != nil {
		return err
	}
	if !v.wait(ctx, v.slack(patience), v.asked) && ctx.Err() == nil {
		v.r.ledger.find(NeverEnds, "room %s: a new game was not begun in %s", v.roomID, patience)
	}
	if ctx.Err() == nil { // a game that has not begun when the run ends waited so long at least
		v.r.ledger.took("probe", v.r.cfg.Now().Sub(begun))
	} else if d := v.r.cfg.Now().Sub(begun); d > 2*time.Second {
		v.r.ledger.took("probe", d)
	}
	if !v.asked() {
		return nil
	}
	err := v.act(ctx, "resign")
	if err != nil && v.overSoon(ctx) {
		return nil
	}
	return err
}

// overSoon reports whether a game in which an act was refused is over; that may not have been told yet.
func (v *visitor) overSoon(ctx context.Context) bool {
	return v.wait(ctx, v.slack(quickly), func() bool { return v.over })
}

// look looks after the hall while people are there.
func (r *run) look(ctx context.Context, out *Outcome) {
	begun := r.cfg.Now()
	for n := 1; pause(ctx, sampled) == nil; n++ {
		if r.cfg.Memory != nil {
			out.Memory = append(out.Memory, r.cfg.Memory())
		}
		if states, ok := r.unfinished(ctx); ok {
			r.overdue(states)
		}
		if r.cfg.Tell != nil && n%15 == 0 {
			r.cfg.Tell(fmt.Sprintf("%s: %d games begun, %d moves, found %s", r.cfg.Now().Sub(begun).Round(time.Second), r.ledger.Counts("games"),
				r.ledger.Counts("moves"), r.ledger.summary()))
		}
	}
}

// unfinished returns the games that are not over, with their state. ok is false when the
// hall did not say.
func (r *run) unfinished(ctx context.Context) (states map[string]string, ok bool) {
	states = map[string]string{}
	err := r.games(ctx, "state=queued,running,parked&", func(g *listed) { states[g.ID] = g.State })
	if err != nil && ctx.Err() == nil {
		r.ledger.find(Fault, "the list of games: %v", err)
	}
	return states, err == nil
}

// overdue finds games that were left and are not over in their time.
func (r *run) overdue(states map[string]string) {
	told := map[string]bool{} // both who left it may be due
	for _, key := range r.ledger.due(r.cfg.Now()) {
		id, who, _ := strings.Cut(key, " ")
		if s := states[id]; s != "" && !told[id] {
			told[id] = true
			r.ledger.find(NeverEnds, "game %s, left by visitor %s, is %s after its time", id, who, s)
		}
	}
}

// settle waits until what was left is over, or must be: also games that their visitor
// had ordered and never seen.
func (r *run) settle(ctx context.Context) {
	if states, ok := r.unfinished(ctx); ok {
		for id := range states {
			for _, k := range r.cfg.Script.Clocks {
				x := Visit{Clock: k, Grace: r.cfg.Script.Grace}
				r.ledger.leave(id+" any", r.cfg.Now().Add((&visitor{r: r}).bound(&x)))
			}
		}
	}
	for n := 0; r.ledger.Left() > 0 && ctx.Err() == nil; n++ {
		if states, ok := r.unfinished(ctx); ok {
			for _, key := range r.ledger.keys() {
				if id, _, _ := strings.Cut(key, " "); states[id] == "" {
					r.ledger.stay(key)
				}
			}
			r.overdue(states)
		}
		if r.cfg.Tell != nil && n%15 == 0 {
			r.cfg.Tell(fmt.Sprintf("all have gone: %d games are left", r.ledger.Left()))
		}
		if r.ledger.Left() > 0 {
			_ = pause(ctx, sampled)
		}
	}
}

// listed is a game in a list of the hall.
type listed struct {
	ID, State string
	Result    *struct{ Reason string }
}

// games passes the games that a query finds to fn.
func (r *run) games(ctx context.Context, query string, fn func(*listed)) error {
	for cursor := ""; ; {
		var page struct {
			Games []listed
			Next  string
		}
		if err := r.watch.Ask(ctx, r.cfg.URL, http.MethodGet, "/games?"+query+"limit=500&cursor="+url.QueryEscape(cursor), nil,
			&page); err != nil {
			return err
		}
		for i := range page.Games {
			fn(&page.Games[i])
		}
		if cursor = page.Next; cursor == "" {
			return nil
		}
	}
}

// count reads how all games ended, and finds those that did not.
func (r *run) count(ctx context.Context, out *Outcome) error {
	out.Reasons = map[string]int{}
	told := strings.Join(r.ledger.Found(NeverEnds), " ")
	return r.games(ctx, "", func(g *listed) {
		switch {
		case g.Result != nil:
			out.Reasons[g.Result.Reason]++
		case g.State == "aborted":
			out.Reasons["abort"]++
		default:
			out.Reasons["not over: "+g.State]++
			if !strings.Contains(told, g.ID) {
				r.ledger.find(NeverEnds, "game %s is %s when all have gone", g.ID, g.State)
			}
		}
	})
}
