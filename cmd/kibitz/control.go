package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/match"
	"kibitz/rating"
	"kibitz/run/folder"
	"kibitz/run/result"
	"kibitz/tournament"
)

// request is what somebody outside asks of a run that goes on.
type request struct {
	// Do is the order's word, Args what follows it.
	Do   string   `json:"do"`
	Args []string `json:"args,omitempty"`
	// By is who gives it.
	By string `json:"by,omitempty"`
}

// answer is what the run says to it.
type answer struct {
	Error string `json:"error,omitempty"`
	// Usage tells that the order itself cannot be meant.
	Usage  bool       `json:"usage,omitempty"`
	Said   string     `json:"said,omitempty"`
	Status *runStatus `json:"status,omitempty"`
}

// runStatus is where a run stands.
type runStatus struct {
	Game        string           `json:"game"`
	Done        int              `json:"done"`
	Of          int              `json:"of"`
	Running     []string         `json:"running"`
	Concurrency int              `json:"concurrency"`
	Paused      bool             `json:"paused"`
	Draining    bool             `json:"draining"`
	Engines     []result.Engine  `json:"engines"`
	SPRT        *rating.Standing `json:"sprt"`
}

// orderWord is an order with what follows it, for people. What stands in brackets
// can be left away.
type orderWord struct{ do, args, what string }

// least is how many words must follow at least, most how many may; -1 any number.
func (w orderWord) least() (least, most int) {
	for f := range strings.FieldsSeq(w.args) {
		most++
		if !strings.HasPrefix(f, "[") {
			least++
		}
	}
	if strings.Contains(w.args, "...") {
		most = -1
	}
	return least, most
}

// orders are the orders that any run takes.
var orders = []orderWord{
	{"status", "", "where the run stands"},
	{"pause", "", "start no further games; running ones go on"},
	{"continue", "", "start games again"},
	{"concurrency", "N", "so many games at a time"},
	{"drain", "", "running games end, and the run with them; it can be resumed"},
	{"stop", "", "stop at once; games that run are played again when the run is resumed"},
	{"verdict", "GAME first|second|draw NOTE...", "decide a game that runs"},
}

// control gives the games of a run orders from outside.
type control struct {
	r    *matchRun
	stop context.CancelFunc

	mu      sync.Mutex
	running map[string]context.CancelCauseFunc
}

// play returns the context of a game that others may decide; over ends it.
func (c *control) play(ctx context.Context, id string) (_ context.Context, over func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running == nil {
		c.running = map[string]context.CancelCauseFunc{}
	}
	c.running[id] = cancel
	return ctx, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.running, id)
		cancel(nil)
	}
}

// obey carries an order out and tells those who watch the run.
func (c *control) obey(o request) answer {
	out := c.carryOut(o)
	if out.Said == "" {
		return out
	}
	text := out.Said
	if o.By != "" {
		text = o.By + ": " + text
	}
	for _, w := range c.r.watchers {
		w.Ordered(text)
	}
	return out
}

func (c *control) carryOut(o request) answer {
	all := slices.Concat(orders, organiserOrders)
	i := slices.IndexFunc(all, func(x orderWord) bool { return x.do == o.Do })
	if i < 0 {
		var words []string
		for _, x := range all {
			words = append(words, x.do)
		}
		return unusable(fmt.Errorf("unknown order %q: known are %s", o.Do, strings.Join(words, " ")))
	}
	if least, most := all[i].least(); len(o.Args) < least || most >= 0 && len(o.Args) > most {
		return unusable(fmt.Errorf("write: %s", strings.TrimSpace(o.Do+" "+all[i].args)))
	}
	if strings.ContainsFunc(strings.Join(append(o.Args, o.By), ""), unicode.IsControl) {
		return unusable(errors.New("an order must be one line without control characters"))
	}
	if i >= len(orders) {
		return c.organise(o)
	}
	run := c.r.runner
	switch o.Do {
	case "pause":
		run.Pause(true)
		return answer{Said: "no further games start"}
	case "continue":
		run.Pause(false)
		return answer{Said: "games start again"}
	case "drain":
		run.Drain()
		return answer{Said: "running games end, no new ones start"}
	case "stop":
		c.stop()
		return answer{Said: "stopped"}
	case "concurrency":
		n, err := strconv.Atoi(o.Args[0])
		if err != nil || n < 1 || n > maxConcurrency {
			return unusable(fmt.Errorf("concurrency %s: must be a number from 1 to %d", o.Args[0], maxConcurrency))
		}
		c.r.setConcurrency(n)
		return answer{Said: plain.Count(n, "game") + " at a time"}
	case "verdict":
		return c.verdict(o)
	}
	return answer{Status: c.status()}
}

// maxConcurrency is more games at a time than any machine can play.
const maxConcurrency = 4096

func refused(err error) answer { return answer{Error: plain.OneLine(err)} }

// unusable refuses an order that cannot be meant, whatever the run is about.
func unusable(err error) answer { return answer{Error: plain.OneLine(err), Usage: true} }

// verdict decides a game that runs.
func (c *control) verdict(o request) answer {
	id, err := gameOf(o.Args[0])
	if err != nil {
		return unusable(err)
	}
	res, err := rulingOf(o)
	if err != nil {
		return unusable(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	cancel := c.running[id]
	if cancel == nil {
		return refused(fmt.Errorf("game %s does not run", id))
	}
	cancel(&match.Verdict{Result: res})
	return answer{Said: fmt.Sprintf("game %s: %s", id, res.Detail)}
}

// gameOf returns the name of a game that is given by its number.
func gameOf(text string) (string, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return "", fmt.Errorf("game %s: must be the number of a game, from 1", text)
	}
	return folder.GameName(n - 1), nil
}

// rulingOf reads "GAME first|second|draw NOTE...": a result that says who set it and
// why.
func rulingOf(o request) (game.Result, error) {
	detail := noteOf(o)
	if detail == "" {
		return game.Result{}, errors.New("a verdict needs a note that says why")
	}
	switch o.Args[1] {
	case "first":
		return game.Win(game.First, game.ByAdjudication, detail), nil
	case "second":
		return game.Win(game.Second, game.ByAdjudication, detail), nil
	case "draw":
		return game.Drawn(game.ByAdjudication, detail), nil
	}
	return game.Result{}, fmt.Errorf("%s: must be first, second or draw%s", o.Args[1], orNobody(o))
}

// orNobody is what else an order may say for a result.
func orNobody(o request) string {
	if o.Do == string(tournament.Overrule) {
		return ", or nobody"
	}
	return ""
}

// status says where the run stands.
func (c *control) status() *runStatus {
	out := &runStatus{Running: []string{}, Game: string(c.r.rules.Spec())}
	c.r.runner.Change(func() {
		out.Done, out.Of = c.r.standings.Games(), c.r.schedule().Len()
		for i := range c.r.names {
			out.Engines = append(out.Engines, c.r.engineLine(i))
		}
		out.SPRT = rating.NewStanding(c.r.sprt, c.r.names[0])
	})
	st := c.r.runner.Status()
	out.Concurrency, out.Paused, out.Draining = st.Limit, st.Paused, st.Drained
	c.mu.Lock()
	defer c.mu.Unlock()
	for id := range c.running {
		out.Running = append(out.Running, id)
	}
	slices.Sort(out.Running)
	return out
}
