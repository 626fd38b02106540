package bot

import (
	"context"
	"time"

	"kibitz/game"
	"kibitz/player"
)

// analysed is how many positions an analysis looks at where a turn has so many: more, for
// those of a turn may be too few to be worth telling, up to what is usual where nothing
// bounds it.
func analysed(turn int64) int64 {
	return max(turn, min(10*turn, freeAnalysed), leastAnalysed)
}

// freeAnalysed bounds the analysis of each position of a game where nothing else does.
const freeAnalysed = FreeNodes / 10

// Analyse thinks about the current position, or about every position of the
// game, and streams the lines. Bounds that the question leaves open come from the
// level; at the strongest level there are then none but ctx. The limits of the
// set-up hold in any case.
func (p *Player) Analyse(ctx context.Context, q player.Question, yield func(game.Info) bool) error {
	p.rest()
	p.stop.Store(false)
	if !p.ready {
		return ErrNoGame
	}
	if p.broken != nil {
		return p.broken
	}
	if q.WholeGame {
		return p.analyseGame(ctx, q, yield)
	}
	if n := len(p.log.updates); n > 0 && ended(&p.log.updates[n-1]) {
		return nil
	}
	t := p.question(ctx, q, yield)
	p.engine.Think(t)
	return nil
}

// question fills the task of an analysis.
func (p *Player) question(ctx context.Context, q player.Question, yield func(game.Info) bool) *Task {
	t := p.newTask(ctx, p.now())
	t.analysing, t.yield = true, yield
	t.Lines = max(1, q.Lines)
	if t.Nodes > 0 {
		t.Nodes = analysed(t.Nodes)
	}
	if q.Depth > 0 {
		t.Depth, t.Nodes = q.Depth, 0
	}
	if q.Budget > 0 {
		t.Hard = q.Budget
		if q.Depth == 0 {
			t.Depth, t.Nodes = 0, 0
		}
	}
	t.Depth = player.Tighter(t.Depth, p.setup.Limits.Depth)
	t.Nodes = player.Tighter(t.Nodes, p.setup.Limits.Nodes)
	t.Seat = p.toMove(len(p.log.updates))
	return t
}

// toMove returns the seat on turn after n updates, Nobody if it was not told.
func (p *Player) toMove(n int) game.Seat {
	if n == 0 {
		return p.setup.ToMove
	}
	return p.log.updates[n-1].Next.Seat
}

func ended(u *player.Update) bool { return u.Result != nil || u.Next.Seat == game.Nobody }

// analyseGame evaluates the positions from the last to the first, so that what
// was found about later ones helps with the earlier.
func (p *Player) analyseGame(ctx context.Context, q player.Question, yield func(game.Info) bool) error {
	n, told := len(p.log.updates), p.log.told
	q.Lines = 1
	q.Budget /= time.Duration(n + 1)
	defer p.replay(n)
	for i := n; i >= 0; i-- {
		if i < n {
			told -= decisions(&p.log.updates[i])
		}
		if i > 0 && ended(&p.log.updates[i-1]) {
			continue
		}
		p.replay(i)
		if p.broken != nil {
			return p.broken
		}
		if !p.analyseAt(ctx, q, i, told, yield) {
			return nil
		}
	}
	return nil
}

// analyseAt evaluates the position after i updates, which are told decisions,
// and reports whether to go on with the next.
func (p *Player) analyseAt(ctx context.Context, q player.Question, i, told int, yield func(game.Info) bool) bool {
	var last game.Info
	found := false
	t := p.question(ctx, q, func(info game.Info) bool {
		if info.Rank <= 1 {
			last, found = info, true
		}
		return true
	})
	t.Seat = p.toMove(i)
	if t.Depth == 0 && t.Nodes == 0 && t.Hard == 0 {
		t.Nodes = freeAnalysed
	}
	p.engine.Think(t)
	if p.stop.Load() || ctx.Err() != nil {
		return false
	}
	if !found {
		return true
	}
	last.Rank = told
	return yield(last)
}
