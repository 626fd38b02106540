package report

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/journal"
)

// Played is a finished game with its decisions.
type Played = journal.Game

// Bounds of what is kept as text, in lines and bytes.
const (
	maxEvidence = 40  // lines of a seat
	maxLine     = 400 // bytes of a line of evidence
	maxWarnings = 5   // of a game
	maxPlies    = 400 // of the curves by ply
)

// Collector gathers what a report tells from the events of a journal.
type Collector struct {
	cfg    Config
	folder journal.Folder
	names  map[string]int
	games  map[string]*Game
	ended  int
	// shown are games that the page shows move by move: forfeits, others.
	shown    [2]int
	byPly    []plySums
	notes    []string // warnings of the run
	warnings int
	aborted  int // games that were stopped without a verdict
	first    time.Time
	last     time.Time
	resumed  int
	texts    map[string]string
	err      error
}

// plySums are sums over all games at one ply, by engine.
type plySums struct {
	used   map[int]float64
	turns  map[int]int
	depth  map[int]float64
	depths map[int]int
}

// NewCollector returns a collector before the first event.
func NewCollector(cfg Config) *Collector {
	c := &Collector{cfg: cfg, names: map[string]int{}, games: map[string]*Game{}, texts: map[string]string{}}
	c.cfg.Engines = slices.Clone(cfg.Engines)
	for i, e := range c.cfg.Engines {
		c.names[e.Name] = i
	}
	for _, r := range cfg.Ranking {
		c.engine(r.Name)
	}
	if c.cfg.Points == (Points{}) {
		c.cfg.Points = Points{Win: 1, Draw: 0.5}
	}
	return c
}

// Add takes the next event. The error is that of Config.Moves.
func (c *Collector) Add(ev *journal.Event) error {
	if c.first.IsZero() {
		c.first = ev.Time
	}
	if ev.Game == "" || ev.Kind == journal.KindResult || ev.Kind == journal.KindRuling {
		c.last = ev.Time // not of a running game
	}
	if ev.Game == "" {
		c.run(ev)
		return nil
	}
	switch ev.Kind {
	case journal.KindStart:
		c.forget(ev.Game) // a game that is played again counts anew
	case journal.KindRuling:
		c.rule(ev)
	}
	if g := c.folder.Add(ev); g != nil {
		c.finish(g)
	}
	return c.err
}

// forget drops the row of a game that begins again.
func (c *Collector) forget(id string) {
	if g := c.games[id]; g != nil {
		if g.viewer != nil {
			c.shown[g.viewer.kind]--
		}
		delete(c.games, id)
	}
}

func (c *Collector) run(ev *journal.Event) {
	switch ev.Kind {
	case journal.KindRun:
		c.resumed = max(c.resumed, ev.Run.Resumed)
	case journal.KindWarning:
		c.warnings++
		if len(c.notes) < 100 {
			c.notes = append(c.notes, cut(ev.Warning.Text))
		}
	}
}

// rule replaces a result by that of a person.
func (c *Collector) rule(ev *journal.Event) {
	if g := c.games[ev.Game]; g != nil {
		r := ev.Ruling
		g.Result = r.Result
		g.Ruled = r.By
		g.ruling = plain.Ruling(*r, [2]string{c.cfg.Engines[g.Engines[0]].Name, c.cfg.Engines[g.Engines[1]].Name})
		if r.Note != "" && !strings.Contains(r.Result.Detail, r.Note) {
			g.Ruled = strings.TrimSpace(r.By + " " + r.Note)
		}
		if g.viewer != nil {
			g.viewer.Result = resultText(&g.Result, g.viewer.Names)
		}
		c.hide(g)
	}
}

func (c *Collector) engine(name string) int {
	i, ok := c.names[name]
	if !ok {
		i = len(c.cfg.Engines)
		c.names[name] = i
		c.cfg.Engines = append(c.cfg.Engines, Engine{Name: name})
	}
	return i
}

// text returns an equal string that is kept once.
func (c *Collector) text(s string) string {
	if t, ok := c.texts[s]; ok {
		return t
	}
	c.texts[s] = s
	return s
}

// finish makes the row of a game that ended.
func (c *Collector) finish(p *Played) {
	r := p.Result
	if r.Result.Reason == game.ByAbort {
		c.aborted++
		return
	}
	g := &Game{
		ID: p.ID, Round: p.Start.Round, Pair: p.Start.Pair, Attempt: p.Start.Attempt, Result: r.Result, Plies: r.Plies,
		Used: r.Used, Late: r.Late, Resources: r.Resources,
		Engines: [2]int{c.engine(p.Start.Names[0]), c.engine(p.Start.Names[1])},
		Opening: c.text(p.Start.Opening), Position: c.text(p.Start.Position), Commitment: p.Start.Commitment, Begun: p.Begun, Over: p.Over,
		order: c.ended,
	}
	c.ended++
	g.Result.Detail = c.text(g.Result.Detail)
	g.Closed = !c.cfg.Over && g.Commitment != "" && !c.cfg.Revealed[g.Commitment]
	for i, k := range p.Start.Controls {
		g.Share[i] = math.NaN()
		if !k.None() {
			g.Clocks[i] = c.text(k.String())
		}
	}
	c.steps(g, p)
	if c.cfg.Errors != nil {
		g.Transit = c.cfg.Errors(g.ID)
	}
	if c.cfg.Files != nil {
		g.Record, g.Log = c.cfg.Files(g.ID)
		g.Record, g.Log = c.text(g.Record), c.text(g.Log)
	}
	c.games[g.ID] = g
	if g.Closed {
		c.hide(g)
		return
	}
	c.warnings += len(p.Warnings)
	for _, w := range p.Warnings[:min(len(p.Warnings), maxWarnings)] {
		g.Warnings = append(g.Warnings, c.text(cut(w.Text)))
	}
	for _, e := range p.Evidence {
		if len(e.Lines) > 0 {
			lines := e.Lines[max(0, len(e.Lines)-maxEvidence):]
			out := make([]string, len(lines))
			for i, l := range lines {
				out[i] = cut(l)
			}
			g.Evidence = append(g.Evidence, Evidence{e.Seat, out})
		}
	}
	c.show(g, p)
}

// hide takes what happened on the board from a row whose shuffle is not public.
func (c *Collector) hide(g *Game) {
	if !g.Closed {
		return
	}
	g.Result.Detail, g.Result.Board, g.Result.HasBoard = "", [2]float64{}, false
	g.Hash, g.Record, g.Log, g.Evidence, g.Warnings, g.viewer = 0, "", "", nil, nil, nil
}

func cut(s string) string {
	if len(s) <= maxLine {
		return s
	}
	return strings.ToValidUTF8(s[:maxLine], "") + "…"
}

// steps sums what the decisions tell and passes them on.
func (c *Collector) steps(g *Game, p *Played) {
	h := fnv.New64a()
	ply := 0
	for i := range p.Steps {
		s := &p.Steps[i]
		if !s.Refused {
			for _, m := range s.Steps {
				h.Write([]byte{byte(m.Op), byte(m.From.X), byte(m.From.Y), byte(m.To.X), byte(m.To.Y), byte(m.Arg)})
			}
		}
		if s.By.IsPlayer() && !s.Opening && !s.Forced {
			c.timed(g, s, ply)
		}
		for k, m := range s.Steps {
			if m.Op == game.Deal {
				continue
			}
			ply++
			if c.cfg.Moves != nil && !g.Closed && c.err == nil {
				row := Move{
					Game: g.ID, Ply: ply, Seat: s.By, Text: c.cfg.Format(m), Opening: s.Opening, Forced: s.Forced,
					Refused: s.Refused,
				}
				if k == 0 {
					row.Used = s.Used
					if s.Said != nil {
						row.Info = &s.Said.Info
					}
				}
				c.err = c.cfg.Moves(&row)
			}
		}
		for seat, k := range s.Clocks {
			g.Share[seat] = share(p.Start.Controls[seat], k)
		}
	}
	g.Hash = h.Sum64()
}

// share is how much of the time that it was given a seat used.
func share(c clock.Control, k journal.Clock) float64 {
	given := k.Total + max(0, k.Left)
	if !c.Timed() || given <= 0 {
		return math.NaN()
	}
	return min(1, float64(k.Total)/float64(given))
}

// timed sums one answer, which begins after so many plies.
func (c *Collector) timed(g *Game, s *journal.Step, ply int) {
	seat := s.By
	g.Turns[seat]++
	g.Longest[seat] = max(g.Longest[seat], s.Used)
	depth := 0
	if s.Said != nil && !g.Closed {
		depth = s.Said.Info.Depth
		if depth > 0 {
			g.Depth[seat] += depth
			g.Depths[seat]++
		}
		if n := s.Said.Info.Nodes; n > 0 {
			g.Nodes[seat] += n
			g.Busy[seat] += s.Used
		}
	}
	if ply >= maxPlies || g.Closed {
		return
	}
	for len(c.byPly) <= ply {
		c.byPly = append(c.byPly, plySums{map[int]float64{}, map[int]int{}, map[int]float64{}, map[int]int{}})
	}
	at, e := &c.byPly[ply], g.Engines[seat]
	at.used[e] += s.Used.Seconds()
	at.turns[e]++
	if depth > 0 {
		at.depth[e] += float64(depth)
		at.depths[e]++
	}
}

// show keeps the positions of a game while there is room: half of it is for
// forfeits.
func (c *Collector) show(g *Game, p *Played) {
	kind, room := 1, c.cfg.Boards
	if g.Forfeit() {
		kind, room = 0, (c.cfg.Boards+1)/2
	}
	if c.shown[kind] >= room || c.cfg.Positions == nil {
		return
	}
	list, err := c.cfg.Positions(p)
	if err != nil || len(list) == 0 {
		return
	}
	c.shown[kind]++
	g.viewer = newViewer(g, p, list)
	g.viewer.kind = kind
	if c.cfg.Review == nil || g.Closed {
		return
	}
	rv, err := c.cfg.Review(p)
	if err != nil {
		c.err = errors.Join(c.err, fmt.Errorf("game %s: %w", g.ID, err))
	} else if rv != nil {
		g.viewer.review(rv, Turns(p.Steps), c.cfg.Format)
	}
}

// rows returns the finished games by identifier.
func (c *Collector) rows() []*Game {
	return slices.SortedFunc(maps.Values(c.games), func(a, b *Game) int { return cmp.Compare(a.ID, b.ID) })
}
