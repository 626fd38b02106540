package remote

import (
	"context"
	"sync"
	"time"

	"kibitz/game"
	"kibitz/internal/bell"
	"kibitz/player"
)

// mostProposals is how often an engine may leave one decision to somebody else.
const mostProposals = 20

// decider is whoever decides what an engine proposes, as player.Consulter has it.
type decider func(ctx context.Context, p *player.Prompt, proposed game.Move) game.Move

// proposal is what the engine leaves to somebody else, of the question that waits. It is guarded
// by Player.mu.
type proposal struct {
	prompt *player.Prompt
	// num is the engine's number of the latest, count how many there were.
	num, count int
	began      time.Time
	// end has it decided at once; nil while nothing is to be decided.
	end context.CancelFunc
	// spent is how long was decided so far.
	spent time.Duration
	busy  sync.WaitGroup
}

// Consult implements player.Consulter.
func (p *Player) Consult(decide func(context.Context, *player.Prompt, game.Move) game.Move) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.decide = decide
}

// propose has decided what the engine proposes; p.mu is held. It comes again until it is.
func (p *Player) propose(f *frame) {
	x := &p.proposal
	if f.Q != p.open || p.reply != nil || x.prompt == nil || x.num == f.I {
		return
	}
	if x.end == nil {
		x.began = p.o.Now()
	} else {
		x.end()
	}
	x.num = f.I
	x.count++
	prompt, decide, proposed := x.prompt, p.decide, *f.Move
	if decide == nil || x.count > mostProposals || proposed.Op != game.Place || min(proposed.To.X, proposed.To.Y) < 0 {
		p.decided(f, proposed)
		return
	}
	ctx, end := context.WithCancel(context.Background())
	x.end = end
	if !p.halted.IsZero() {
		end()
	}
	x.busy.Go(func() {
		defer end()
		m := decide(ctx, prompt, proposed)
		p.mu.Lock()
		defer p.mu.Unlock()
		if x.num == f.I && p.open == f.Q {
			p.decided(f, m)
		}
	})
}

// decided tells what an engine is to play; p.mu is held. The time of who decided is not the engine's.
func (p *Player) decided(f *frame, m game.Move) {
	x := &p.proposal
	now := p.o.Now()
	p.hold.Lose(x.began, now)
	x.spent += now.Sub(x.began)
	x.end = nil
	_ = p.tell(frame{K: kindDecided, Q: f.Q, I: f.I, Move: &m})
	p.changed.Ring()
}

// undecided ends what is still to be decided of a question that is over, and waits for whoever was to
// decide; p.mu is held but meanwhile.
func (p *Player) undecided() {
	x := &p.proposal
	x.num = 0
	if x.end != nil {
		x.end()
	}
	p.mu.Unlock()
	x.busy.Wait()
	p.mu.Lock()
	x.prompt, x.end, x.num, x.count, x.spent = nil, nil, 0, 0, 0
}

// until is when the time of a question is up, zero while somebody decides what the engine proposes;
// p.mu is held.
func (p *Player) until(deadline time.Time) time.Time {
	if p.proposal.end != nil {
		return time.Time{}
	}
	return p.hold.Until(deadline)
}

// proposed is what the player's engine proposed and nobody has decided. It is guarded by Client.mu.
type proposed struct {
	num     int
	f       *frame
	decided chan game.Move
}

// consult has the referee's end decide what the player's engine proposes as its answer to a question,
// if somebody decides there.
func (c *Client) consult(q *frame) {
	e, ok := c.p.(player.Consulter)
	if !ok {
		return
	}
	if !q.Prompt.Consult {
		e.Consult(nil)
		return
	}
	e.Consult(func(ctx context.Context, _ *player.Prompt, suggested game.Move) game.Move {
		decided := make(chan game.Move, 1)
		c.mu.Lock()
		x := &c.proposed
		x.num++
		f := &frame{K: kindPropose, S: q.S, Q: q.Q, I: x.num, Move: &suggested}
		x.f, x.decided = f, decided
		c.mu.Unlock()
		bell.Ring(c.wake)
		defer func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			if x.f == f {
				x.f = nil
			}
		}()
		select {
		case m := <-decided:
			return m
		case <-ctx.Done():
		case <-c.ctx.Done():
		}
		return suggested
	})
}

// take takes what was decided; Client.mu is held.
func (x *proposed) take(f *frame) {
	if x.f != nil && x.f.Q == f.Q && x.f.I == f.I {
		x.f = nil
		x.decided <- *f.Move
	}
}

var _ player.Consulter = (*Player)(nil)
