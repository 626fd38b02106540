package screen

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/journal"
	"kibitz/rules"
)

// liveGame is a game as a spectator may see it. One that others can see is never
// changed: each event makes another one.
type liveGame struct {
	id string
	// order counts the games of this run as they began, from 1.
	order    int
	names    [2]string
	controls [2]clock.Control
	// private tells that nobody but the arbiter may know what is played.
	private bool
	// at is when the latest event happened; from then on the clock of turn runs.
	at     time.Time
	clocks [2]clock.Clock
	turn   game.Turn
	last   string     // the latest decision
	moves  []liveMove // all of them, the dealer's too
	// said is what each seat reported with its latest decision, nil if it did not
	// or nobody may know.
	said   [2]*game.Info
	view   *game.View // nil before the first
	result *game.Result
}

// liveMove is a decision as a spectator was told of it; ended tells that it completed a
// turn.
type liveMove struct {
	text  string
	ended bool
}

// turns returns the moves as the entries of a list, one for each turn.
func (g *liveGame) turns() []string {
	var out []string
	ended := true
	for _, m := range g.moves {
		if ended {
			out = append(out, m.text)
		} else {
			out[len(out)-1] += "," + m.text
		}
		ended = m.ended
	}
	return out
}

// newLiveGame returns a game that is about to begin.
func newLiveGame(id string, names [2]string, controls [2]clock.Control, private bool, at time.Time) *liveGame {
	g := &liveGame{id: id, names: names, controls: controls, private: private, at: at, turn: game.Turn{Seat: game.Nobody}}
	for i, c := range controls {
		g.clocks[i] = clock.New(c)
	}
	return g
}

// with returns the game after an event, nil if a spectator learns nothing by it.
func (g *liveGame) with(e *journal.Event, r rules.Rules) *liveGame {
	next := *g
	said := e.Kind == journal.KindSaid && !g.private
	if e.To != game.Public && !said {
		return nil
	}
	switch e.Kind {
	case journal.KindStart:
		next.turn.Seat = e.Start.ToMove
	case journal.KindDecision:
		next.decided(e.Decision, r)
	case journal.KindNotices:
		next.noticed(e.Notices, r)
	case journal.KindSaid:
		next.said[e.Said.By] = toldInfo(e.Said)
		return &next // the clock does not stand for it
	case journal.KindView:
		v := copyView(e.View)
		next.view = &v
		return &next
	case journal.KindRewind:
		next.rewind(e.Rewind)
	case journal.KindResult:
		res := e.Result.Result
		next.result, next.turn.Seat = &res, game.Nobody
	default:
		return nil
	}
	next.at = e.Time
	return &next
}

func (g *liveGame) decided(d *journal.Decision, r rules.Rules) {
	if d.Refused {
		return
	}
	for i, m := range d.Steps {
		text := r.FormatMove(m)
		if m.Op != game.Deal && d.By.IsPlayer() {
			g.last = text
		}
		g.moves = append(g.moves, liveMove{text, d.Ended && i == len(d.Steps)-1})
	}
	if d.By.IsPlayer() {
		g.said[d.By] = nil
	}
	g.tick(d.Clocks, d.Next)
}

// noticed takes what the public learned of a decision that it may not see.
func (g *liveGame) noticed(n *journal.Notices, r rules.Rules) {
	var words []string
	for _, x := range n.Notices {
		switch x.Kind {
		case game.Played:
			words = append(words, r.FormatMove(x.Move))
		case game.Moved:
			words = append(words, "moved")
		case game.Took:
			words = append(words, "took "+plain.Count(len(x.Points), "stone"))
		case game.Scored:
			words = append(words, "scored")
		}
	}
	if len(words) > 0 {
		g.last = strings.Join(words, ", ")
		g.moves = append(g.moves, liveMove{g.last, n.Next.Seat != n.By || n.Next.Step == 0})
	}
	g.tick(n.Clocks, n.Next)
}

func (g *liveGame) rewind(w *journal.Rewind) {
	g.moves = slices.Clip(g.moves[:max(0, len(g.moves)-w.Steps)])
	g.last, g.said = "taken back", [2]*game.Info{}
	g.tick(w.Clocks, w.Next)
}

func (g *liveGame) tick(clocks [2]journal.Clock, next game.Turn) {
	for i, k := range clocks {
		g.clocks[i] = clock.Clock{Control: g.controls[i], Left: k.Left, Total: k.Total, Moves: k.Moves, Periods: k.Periods, Stage: k.Stage}
	}
	g.turn = next
}

func (g *liveGame) clockAt(seat game.Seat, now time.Time) clock.Clock {
	k := g.clocks[seat]
	if g.result == nil && g.turn.Seat == seat {
		k = k.Spend(now.Sub(g.at))
	}
	return k
}

// toldInfo copies the best of what a player reported.
func toldInfo(s *journal.Said) *game.Info {
	in := s.Info
	if !in.Eval.Known() && in.Depth == 0 && len(s.Lines) > 0 {
		in = s.Lines[0]
	}
	in.PV = slices.Clone(in.PV)
	return &in
}

// copyView returns a view that shares nothing with v.
func copyView(v *game.View) game.View {
	c := *v
	c.Columns, c.Rows, c.Notes = slices.Clone(v.Columns), slices.Clone(v.Rows), slices.Clone(v.Notes)
	c.Cells, c.Lines = slices.Clone(v.Cells), slices.Clone(v.Lines)
	c.Marks, c.Attempts = slices.Clone(v.Marks), slices.Clone(v.Attempts)
	c.Trays = slices.Clone(v.Trays)
	for i := range c.Trays {
		c.Trays[i].Items = slices.Clone(c.Trays[i].Items)
	}
	if v.Result != nil {
		res := *v.Result
		c.Result = &res
	}
	return c
}

// liveGames are the games that run and a few that are over. The referee of a game
// leaves each event behind and goes on; whoever shows the games takes what there is
// when it is time to draw.
type liveGames struct {
	mu    sync.Mutex
	games map[string]*atomic.Pointer[liveGame]
	order []string // as they began
	begun int
}

// mostOver is how many games that are over are kept to be looked at.
const mostOver = 64

// begin adds a game; one of the same name, which was broken off, is forgotten.
func (l *liveGames) begin(g *liveGame) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.games == nil {
		l.games = map[string]*atomic.Pointer[liveGame]{}
	}
	l.order = slices.DeleteFunc(l.order, func(id string) bool { return id == g.id })
	over := 0
	for i := len(l.order) - 1; i >= 0; i-- {
		id := l.order[i]
		if l.games[id].Load().result == nil {
			continue
		}
		if over++; over > mostOver {
			delete(l.games, id)
			l.order = slices.Delete(l.order, i, i+1)
		}
	}
	l.begun++
	g.order = l.begun
	p := &atomic.Pointer[liveGame]{}
	p.Store(g)
	l.games[g.id] = p
	l.order = append(l.order, g.id)
}

// at returns the place of a game, nil if there is none.
func (l *liveGames) at(id string) *atomic.Pointer[liveGame] {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.games[id]
}

// event takes an event of a game. There is one goroutine at a time for each game.
func (l *liveGames) event(e *journal.Event, r rules.Rules) {
	p := l.at(e.Game)
	if p == nil {
		return
	}
	if next := p.Load().with(e, r); next != nil {
		p.Store(next)
	}
}

// change replaces a game by what f makes of it.
func (l *liveGames) change(id string, f func(g *liveGame)) {
	if p := l.at(id); p != nil {
		next := *p.Load()
		f(&next)
		p.Store(&next)
	}
}

// all returns the games as they are now, in the order in which they began.
func (l *liveGames) all() []*liveGame {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]*liveGame, len(l.order))
	for i, id := range l.order {
		out[i] = l.games[id].Load()
	}
	return out
}

// count returns how many games have begun.
func (l *liveGames) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.begun
}
