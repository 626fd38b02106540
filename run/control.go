package run

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/internal/process"
	"kibitz/match"
	"kibitz/run/folder"
	"kibitz/run/orders"
	"kibitz/tournament"
)

// Control steers a run that plays.
type Control struct {
	r       *Run
	runner  *tournament.Runner
	ctx     context.Context // of the run
	stop    context.CancelFunc
	running *running
}

// running are the games that are played.
type running struct {
	mu    sync.Mutex
	games map[string]context.CancelCauseFunc
}

// begin returns the context of a game that others may decide; over ends it.
func (g *running) begin(ctx context.Context, id string) (_ context.Context, over func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.games == nil {
		g.games = map[string]context.CancelCauseFunc{}
	}
	g.games[id] = cancel
	return ctx, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		delete(g.games, id)
		cancel(nil)
	}
}

// decide ends a game by a verdict, also one that is played again, as whose name it returns its
// own ("000001-2"); "" if it does not run.
func (g *running) decide(id string, res game.Result) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	for name, cancel := range g.games {
		if name == id || strings.HasPrefix(name, id+"-") {
			cancel(&match.Verdict{Result: res})
			return name
		}
	}
	return ""
}

func (g *running) names() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	out := slices.AppendSeq([]string{}, maps.Keys(g.games))
	slices.Sort(out)
	return out
}

// listen lets others steer the run, by signals and by the socket in its folder, until release
// is called.
func (c *Control) listen() (release func()) {
	unsign := process.OnUserSignals(func() { c.Widen(1) }, func() { c.Widen(-1) })
	holder := c.r.with.Launcher.Guards.Holder
	desk := &orders.Desk{Now: c.r.now, Engine: func(pid int) bool { return holder().Holds(pid) }, Obey: c.Order}
	unlisten, err := desk.Listen(c.r.keep.dir.Path)
	if err != nil {
		c.r.audience.warn("kibitz control cannot reach this run: " + plain.OneLine(err))
		return unsign
	}
	return func() {
		unlisten()
		unsign()
	}
}

// Status is how many games run, and whether more begin.
func (c *Control) Status() tournament.Status { return c.runner.Status() }

// Between calls f between two games; none begins or ends meanwhile.
func (c *Control) Between(f func()) { c.runner.Change(f) }

// Widen changes how many games run at a time; none is a pause.
func (c *Control) Widen(by int) {
	st := c.Status()
	switch n := st.Limit + by; {
	case st.Paused && by > 0:
		c.runner.Pause(false)
	case n < 1:
		c.runner.Pause(true)
	case !st.Paused:
		c.setConcurrency(min(n, MostAtATime))
	}
}

// setConcurrency changes how many games run at a time.
func (c *Control) setConcurrency(n int) {
	c.r.players.cpus.Fit(n, c.r.players.roster)
	c.r.players.warnOfCrowd(&c.r.warnings, n)
	c.runner.SetConcurrency(n)
}

// Order carries an order out and tells those who watch the run.
func (c *Control) Order(o orders.Request) orders.Answer {
	out := c.carryOut(o)
	if out.Said == "" {
		return out
	}
	text := out.Said
	if o.By != "" {
		text = o.By + ": " + text
	}
	c.r.audience.ordered(text)
	return out
}

func (c *Control) carryOut(o orders.Request) orders.Answer {
	organiser, err := o.Check()
	if err != nil {
		return orders.Unusable(err)
	}
	if organiser {
		return c.organise(o)
	}
	switch o.Do {
	case "pause":
		c.runner.Pause(true)
		return orders.Answer{Said: "no further games start"}
	case "continue":
		if c.Status().Drained {
			return orders.Refused(fmt.Errorf("no new games start: the run ends, and goes on by: kibitz resume %s", c.r.keep.dir.Path))
		}
		c.runner.Pause(false)
		return orders.Answer{Said: "games start again"}
	case "drain":
		c.runner.Drain()
		return orders.Answer{Said: "running games end, no new ones start"}
	case "stop":
		c.stop()
		return orders.Answer{Said: "stopped"}
	case "concurrency":
		n, err := strconv.Atoi(o.Args[0])
		if err != nil || n < 1 || n > MostAtATime {
			return orders.Unusable(fmt.Errorf("concurrency %s: must be a number from 1 to %d", o.Args[0], MostAtATime))
		}
		c.setConcurrency(n)
		return orders.Answer{Said: plain.Count(n, "game") + " at a time"}
	case "verdict":
		return c.verdict(o)
	}
	return orders.Answer{Status: c.status()}
}

func (c *Control) organise(o orders.Request) (out orders.Answer) {
	r := c.r
	c.runner.Change(func() {
		before := len(r.standing.Names)
		order, spec, err := r.organiser.read(c.ctx, o)
		out.Usage = err != nil
		if err == nil && r.compat != nil {
			err = fmt.Errorf("the games are those that the options of %s describe, and no others", r.compat.Program)
		}
		if err == nil {
			order, err = r.organiser.settle(order, spec, o.By)
		}
		if err != nil {
			if len(r.standing.Names) > before {
				r.organiser.dismiss(before)
			}
			out.Error = plain.OneLine(err)
			return
		}
		r.players.cpus.Fit(0, r.players.roster)
		out.Said = orders.Text(order, r.standing.Names)
	})
	return out
}

// counts is how long a game that was decided may need until it counts: its engines are stopped first.
const counts = 5 * time.Second

// verdict decides a game that runs, and waits until it counts: what is said of it next finds it over.
func (c *Control) verdict(o orders.Request) orders.Answer {
	index, err := orders.Game(o.Args[0])
	if err != nil {
		return orders.Unusable(err)
	}
	res, err := orders.Ruling(o)
	if err != nil {
		return orders.Unusable(err)
	}
	id := folder.GameName(index)
	name := c.running.decide(id, res)
	if name == "" {
		return orders.Refused(fmt.Errorf("game %s does not run", id))
	}
	if d := c.r.standing.Director; c.r.compat == nil {
		ctx, cancel := context.WithTimeout(c.ctx, counts)
		defer cancel()
		c.runner.Await(ctx, func() bool { return !d.Playing(index) })
	}
	return orders.Answer{Said: fmt.Sprintf("game %s: %s", name, res.Detail)}
}

// status says where the run stands.
func (c *Control) status() *orders.Status {
	st := &c.r.standing
	out := &orders.Status{Running: c.running.names(), Game: string(c.r.rules.Spec())}
	c.runner.Change(func() {
		out.Done, out.Of = st.Games(), c.r.schedule().Len()
		out.Engines, out.SPRT = st.Engines(), st.Sequential()
	})
	now := c.Status()
	out.Concurrency, out.Paused, out.Draining = now.Limit, now.Paused, now.Drained
	return out
}
