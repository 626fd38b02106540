package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/player"
)

// Player is an Engine with all that a player.Player has to do beside thinking.
// It is also a Positioner, an Analyst, a Ponderer, a Suggester and a Namer.
type Player struct {
	id     string
	engine Engine
	opts   Options
	now    func() time.Time
	stop   atomic.Bool

	setup  player.Setup
	seed   uint64
	log    journal
	ready  bool
	broken error
	legal  []game.Move
	task   Task
	late   lateness // in this game

	pondering ponderer
}

var (
	_ player.Player     = (*Player)(nil)
	_ player.Positioner = (*Player)(nil)
	_ player.Analyst    = (*Player)(nil)
	_ player.Ponderer   = (*Player)(nil)
	_ player.Suggester  = (*Player)(nil)
	_ player.Namer      = (*Player)(nil)
	_ player.Hurrier    = (*Player)(nil)
)

// New returns the player of an engine. The id is that of the only game it plays, and in
// the player's name. The engine belongs to the player from then on.
func New(id string, e Engine, o Options) *Player {
	o.Level = min(max(cmp.Or(o.Level, MaxLevel), 1), MaxLevel)
	return &Player{id: id, engine: e, opts: o, now: o.Now}
}

// EngineName returns the name from the options, or "Kibitz othello 5".
func (p *Player) EngineName() string {
	if p.opts.Name != "" {
		return p.opts.Name
	}
	return fmt.Sprintf("Kibitz %s %d", p.id, p.opts.Level)
}

// CanStart says that the player can start anywhere, unless its engine cannot.
func (p *Player) CanStart(spec game.Spec) player.Start {
	if s, ok := p.engine.(Starter); ok {
		return s.CanStart(spec)
	}
	return player.FromPosition
}

// NewGame puts the engine on the position of the set-up.
func (p *Player) NewGame(_ context.Context, s *player.Setup) error {
	p.rest()
	p.stop.Store(false)
	p.ready, p.broken = false, nil
	if id := s.Spec.ID(); id != p.id {
		return player.Fail(game.ByStart, nil, "this engine plays %s, not %s", p.id, id)
	}
	p.late = 0
	p.setup = *s
	p.setup.History, p.setup.View = nil, nil
	if m := p.opts.Memory; m > 0 && (s.Limits.Memory == 0 || m < s.Limits.Memory) {
		p.setup.Limits.Memory = m
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(s.ID)) // writing to a hash cannot fail
	p.seed = p.opts.Seed ^ h.Sum64()
	p.log.clear()
	if f, ok := p.engine.(Forgetter); ok {
		f.Forget()
	}
	if err := p.engine.Reset(&p.setup); err != nil {
		return player.Fail(game.ByStart, err, "%v", err)
	}
	p.ready = true
	for i := range s.History {
		p.hear(&s.History[i])
	}
	if p.broken != nil {
		p.ready = false
		return p.broken
	}
	return nil
}

// Tell follows the game. What goes wrong surfaces at the next Choose.
func (p *Player) Tell(u *player.Update) {
	p.rest()
	p.hear(u)
	p.ponder(u)
}

func (p *Player) hear(u *player.Update) {
	if !p.ready || p.broken != nil {
		return
	}
	if u.Rewind > 0 {
		p.rewind(u.Rewind)
		return
	}
	p.log.add(u)
	p.follow(u)
}

func (p *Player) follow(u *player.Update) {
	if err := p.engine.Update(u); err != nil {
		p.broken = player.Fail(game.ByProtocol, err, "cannot follow the game: %v", err)
	}
}

func (p *Player) rewind(n int) {
	if err := p.log.rewind(n); err != nil {
		p.broken = player.Fail(game.ByProtocol, err, "cannot follow the game: %v", err)
		return
	}
	p.replay(len(p.log.updates))
}

// replay puts the engine on the position after the first n updates.
func (p *Player) replay(n int) {
	if err := p.engine.Reset(&p.setup); err != nil {
		p.broken = player.Fail(game.ByProtocol, err, "cannot follow the game: %v", err)
		return
	}
	for i := range p.log.updates[:n] {
		u := p.log.updates[i]
		p.follow(&u)
	}
}

// Hurries implements player.Hurrier.
func (p *Player) Hurries() {}

// Stop makes a running Choose or Analyse end within about a millisecond.
func (p *Player) Stop() { p.stop.Store(true) }

// Over ends the game.
func (p *Player) Over(game.Result) {
	p.rest()
	p.ready = false
}

// Close releases the engine.
func (p *Player) Close() error {
	p.rest()
	p.ready = false
	p.engine = nil
	return nil
}

// ErrNoGame is the error of a player that is asked outside of a game.
var ErrNoGame = errors.New("no game has been started")

// Choose thinks. The answer's steps are valid until the next call.
func (p *Player) Choose(ctx context.Context, pr *player.Prompt) (player.Answer, error) {
	p.rest()
	p.stop.Store(false)
	if !p.ready {
		return player.Answer{}, player.Fail(game.ByProtocol, ErrNoGame, "%v", ErrNoGame)
	}
	if p.broken != nil {
		return player.Answer{}, p.broken
	}
	began := p.now()
	p.legal = p.legal[:0]
	if pr.Moves != nil {
		p.legal = pr.Moves.Legal(p.legal)
	}
	t := p.prompted(ctx, pr, began)
	a := p.decide(t)
	if t.looked > 0 {
		t.look()
		p.late.add(t.away)
	}
	if err := ctx.Err(); err != nil {
		return player.Answer{}, player.Fail(game.ByAbort, err, "the game was abandoned")
	}
	if len(a.Steps) == 0 {
		if len(p.legal) == 0 {
			return player.Answer{}, player.Fail(game.ByProtocol, nil, "there is nothing to decide")
		}
		a.Steps = p.legal[:1]
	}
	t.fill(&a.Info)
	return a, nil
}

// Suggest is Choose: thinking changes nothing.
func (p *Player) Suggest(ctx context.Context, pr *player.Prompt) (player.Answer, error) {
	return p.Choose(ctx, pr)
}

func (p *Player) decide(t *Task) player.Answer {
	switch {
	case len(t.Moves) == 1:
		return player.Answer{Steps: t.Moves}
	case t.Rejected == player.AnswerIllegal && len(t.Moves) > 0:
		return p.anyMove(t)
	case p.Strength().Blunder > t.Rand.Float64() && len(t.Moves) > 0:
		if b, ok := p.engine.(Blunderer); ok {
			if a := b.Blunder(t); len(a.Steps) > 0 {
				return a
			}
		}
		return p.anyMove(t)
	}
	if p.varied(t) {
		if a := p.vary(t); len(a.Steps) > 0 {
			return a
		}
	}
	return p.engine.Think(t)
}

func (p *Player) anyMove(t *Task) player.Answer {
	i := t.Rand.IntN(len(t.Moves))
	return player.Answer{Steps: t.Moves[i : i+1]}
}

// Strength returns what bounds the player at its level.
func (p *Player) Strength() Level {
	if l, ok := p.engine.(Leveler); ok {
		return l.Level(p.opts.Level)
	}
	return LevelOf(p.opts.Level)
}

func (p *Player) prompted(ctx context.Context, pr *player.Prompt, began time.Time) *Task {
	t := p.newTask(ctx, began)
	t.Seat, t.Moves, t.Rejected = pr.Seat, p.legal, pr.Rejected
	if pr.Report != nil {
		t.yield = func(i game.Info) bool { pr.Report(&i); return true }
	}
	var k clock.Clock
	if pr.Seat.IsPlayer() {
		k = pr.Clocks[pr.Seat]
	}
	var wait time.Duration
	if !pr.Deadline.IsZero() {
		wait = max(1, pr.Deadline.Sub(began))
	}
	turns := 25
	if e, ok := p.engine.(Pacer); ok {
		turns = e.TurnsLeft()
	}
	b := Share(k, wait, turns, time.Duration(p.late))
	t.Soft, t.Hard = b.Soft, b.Hard
	t.Lost = !k.Control.None() && !k.Control.Timed()
	if pr.Limits.Ordered && pr.Limits.Depth > 0 {
		t.Depth, t.Nodes = pr.Limits.Depth, 0
	} else {
		t.Depth = player.Tighter(player.Tighter(t.Depth, pr.Limits.Depth), p.setup.Limits.Depth)
	}
	t.Nodes = player.Tighter(player.Tighter(t.Nodes, pr.Limits.Nodes), p.setup.Limits.Nodes)
	t.Threads = max(1, player.Tighter(p.setup.Limits.Threads, pr.Limits.Threads))
	if t.Depth == 0 && t.Nodes == 0 && t.Soft == 0 {
		t.Nodes = FreeNodes
	}
	return t
}

// newTask resets the task with the bounds of the level.
func (p *Player) newTask(ctx context.Context, began time.Time) *Task {
	l := p.Strength()
	p.task = Task{
		Seat: game.Nobody, Lines: 1, Depth: l.Depth, Nodes: l.Nodes,
		Threads: max(p.setup.Limits.Threads, 1),
		Rand:    rand.New(rand.NewPCG(p.seed, uint64(p.log.told))),
		p:       p, halt: &p.stop, began: began, done: ctx.Done(),
	}
	return &p.task
}

// journal is what the player was told, kept for undo and analysis.
type journal struct {
	updates []player.Update
	moves   []game.Move
	notices []game.Notice
	told    int // decisions
}

func (j *journal) clear() {
	j.updates, j.moves, j.notices, j.told = j.updates[:0], j.moves[:0], j.notices[:0], 0
}

// add keeps a copy that shares nothing with u.
func (j *journal) add(u *player.Update) {
	c := *u
	n := len(j.moves)
	j.moves = append(j.moves, u.Steps...)
	c.Steps = j.moves[n:len(j.moves):len(j.moves)]
	n = len(j.notices)
	for _, x := range u.Notices {
		x.Points = slices.Clone(x.Points)
		j.notices = append(j.notices, x)
	}
	c.Notices = j.notices[n:len(j.notices):len(j.notices)]
	c.Info, c.View = nil, nil
	if u.Result != nil {
		r := *u.Result
		c.Result = &r
	}
	j.updates = append(j.updates, c)
	j.told += decisions(&c)
}

// decisions counts what a rewind would count: the steps, or the hidden decisions
// that were only noticed.
func decisions(u *player.Update) int {
	if len(u.Steps) > 0 {
		return len(u.Steps)
	}
	n := 0
	for _, x := range u.Notices {
		if x.Kind == game.Moved {
			n++
		}
	}
	return n
}

func (j *journal) rewind(n int) error {
	if n > j.told {
		return fmt.Errorf("asked to take back %d of %d decisions", n, j.told)
	}
	j.told -= n
	for n > 0 {
		last := &j.updates[len(j.updates)-1]
		d := decisions(last)
		if d > n {
			last.Steps = last.Steps[:len(last.Steps)-n]
			last.Result, last.Ended, last.Notices = nil, false, nil
			return nil
		}
		n -= d
		j.updates = j.updates[:len(j.updates)-1]
	}
	return nil
}
