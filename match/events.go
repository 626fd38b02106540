package match

import (
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/journal"
	"kibitz/player"
)

// recorder hands the events of a game to its sink. A decision waits until the next
// question was passed on, or until something else is to be told.
type recorder struct {
	g            *Game
	pos          *position
	time         *timekeeper
	last         lastDecision
	info         game.Info // what the player said with the latest decision
	lines        []game.Info
	boardsHidden bool // boards are not shown yet
	// event and decided are what the sink is given of a decision.
	event   journal.Event
	decided journal.Decision
}

// lastDecision is what was decided and is not yet in the journal. The steps and notices
// stand in the position until the next answer is applied, which is later.
type lastDecision struct {
	pending                       bool
	at                            time.Time
	by                            game.Seat
	forced, refused, opening      bool
	ended                         bool
	used, refusedTime, late, lost time.Duration // lost is the transmission error
	next                          game.Turn
}

// release puts what was decided into the journal.
func (c *recorder) release() {
	n := &c.last
	if !n.pending {
		return
	}
	n.pending = false
	if c.g.Sink == nil {
		return
	}
	clocks := c.time.journal()
	c.decided = journal.Decision{
		By: n.by, Steps: c.pos.steps, Refused: n.refused, Forced: n.forced, Opening: n.opening,
		Used: n.used, Late: n.late, Error: n.lost, Clocks: clocks, Next: n.next, Ended: n.ended,
	}
	if n.refused {
		c.decided.Steps = c.pos.refusedStep()
	}
	c.event = journal.Event{Decision: &c.decided}
	c.emit(&c.event, journal.KindDecision, c.public())
	if c.pos.hidden() {
		c.emitNotices(clocks)
	}
	if c.said() {
		c.emit(&journal.Event{Said: &journal.Said{By: n.by, Info: c.info, Lines: c.lines}}, journal.KindSaid, game.Arbiter)
	}
	if c.g.Views && !c.boardsHidden {
		c.emitViews()
	}
}

// said reports whether the player told anything with its decision.
func (c *recorder) said() bool {
	if c.last.forced || c.last.refused || c.last.opening || !c.last.by.IsPlayer() {
		return false
	}
	v := &c.info
	return v.Eval.Unit != game.NoUnit || v.Depth > 0 || v.Nodes > 0 || v.Time > 0 || v.Book || v.Text != "" || len(v.PV) > 0 ||
		len(c.lines) > 0
}

// emit hands an event on, dated with the decision.
func (c *recorder) emit(ev *journal.Event, kind journal.Kind, to game.Audience) {
	ev.Kind, ev.Game, ev.Time, ev.To = kind, c.g.ID, c.last.at, to
	c.g.Sink(ev)
}

// public is the audience of what everybody sees, unless the game hides it.
func (c *recorder) public() game.Audience {
	if c.pos.hidden() {
		return game.Arbiter
	}
	return game.Public
}

// emitNotices tells each audience that may not see everything what it learned.
// A refused attempt is nobody's business but the mover's, not even its time.
func (c *recorder) emitNotices(clocks [2]journal.Clock) {
	n := &c.last
	for _, to := range [...]game.Audience{game.ToFirst, game.ToSecond, game.Public} {
		if n.refused && to != game.To(n.by) {
			continue
		}
		var list []game.Notice
		for i := range c.pos.notices {
			if c.pos.notices[i].To == to {
				list = append(list, c.pos.notices[i])
			}
		}
		if len(list) == 0 {
			continue
		}
		used := n.used
		if to != game.To(n.by) {
			used += n.refusedTime
		}
		c.emit(&journal.Event{Notices: &journal.Notices{By: n.by, Notices: list, Used: used, Clocks: clocks, Next: n.next}}, journal.KindNotices,
			to)
	}
}

// emitViews shows the board to each audience that sees another one.
func (c *recorder) emitViews() {
	to := []game.Audience{game.Public}
	if c.pos.hidden() {
		to = []game.Audience{game.ToFirst, game.ToSecond, game.Public}
		if c.last.refused {
			to = []game.Audience{game.To(c.last.by)}
		}
	}
	for _, a := range to {
		v := c.pos.state.View(a)
		c.emit(&journal.Event{View: &v}, journal.KindView, a)
	}
}

func (c *recorder) start(toMove game.Seat) {
	g := c.g
	if g.Sink == nil {
		return
	}
	c.last.at = g.Now()
	if len(g.Resume) > 0 {
		c.last.at = g.Resume[0].Time
	}
	start := &journal.Start{
		Spec: g.Rules.Spec(), Names: [2]string{g.Sides[0].Name, g.Sides[1].Name}, Controls: [2]clock.Control{g.Sides[0].Clock, g.Sides[1].Clock},
		Position: g.Position, ToMove: toMove, Opening: g.OpeningName, Commitment: g.Commitment,
		Round: g.Round, Pair: g.Pair, Attempt: max(1, g.Attempt), Rated: g.Rated,
	}
	to := game.Public
	if c.pos.hidden() && g.Position != "" { // the text of a position may hold what a seat must not see
		to = game.Arbiter
	}
	c.emit(&journal.Event{Start: start}, journal.KindStart, to)
	if g.Views {
		c.emitViews()
	}
}

func (c *recorder) warning(w *journal.Warning) {
	if c.g.Sink == nil {
		return
	}
	c.release()
	c.emit(&journal.Event{Warning: w}, journal.KindWarning, game.Arbiter)
}

// engines are what the engines call themselves where their seats do not say so.
func (c *recorder) engines() (names [2]string) {
	for s := range c.g.Sides {
		names[s] = player.Beside(player.OwnName(c.g.Sides[s].Player), c.g.Sides[s].Name)
	}
	return names
}

func (c *recorder) end(o *Outcome, warnings int) {
	if c.g.Sink == nil {
		return
	}
	c.release()
	c.last.at = c.g.Now()
	c.emit(&journal.Event{Evidence: &journal.Evidence{Seat: o.loser(), Lines: o.Evidence, Final: o.Final}}, journal.KindEvidence, game.Arbiter)
	c.emit(&journal.Event{Result: &journal.Result{
		Result: o.Result, Plies: o.Plies, Used: o.Used, Late: o.Late, Warnings: warnings,
		Resources: o.Resources, Engines: c.engines(), Clocks: &o.Clocks,
	}}, journal.KindResult, game.Public)
}
