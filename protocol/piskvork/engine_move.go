package piskvork

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/player"
)

// thought is what a search came to.
type thought struct {
	reply  Reply
	info   game.Info
	err    error
	played bool // the session has made the decisions
}

// move executes BEGIN, TURN and YXNBEST: applies what the opponent played and
// starts to think.
func (b *brain) move(ctx context.Context, c *Command) {
	if !b.fit() {
		return
	}
	switch {
	case c.Bad:
		b.errorf("%s needs its numbers", c.Verb)
		return
	case c.Verb == Begin && len(b.stones) > 0:
		b.errorf("BEGIN on a board with stones")
		return
	case c.Verb == Turn && isPassLine(*c):
		if err := b.theirPass(); err != nil {
			b.errorf("%v", err)
			return
		}
	case c.Verb == Turn:
		b.theirTurn()
		if err := b.put(c.At); err != nil {
			b.errorf("%v", err)
			return
		}
	}
	if c.Verb == YxNBest {
		lines := c.N
		halted, halt := context.WithCancel(ctx)
		b.halt = halt
		b.think(ctx, func(ctx context.Context) thought { return b.analyse(ctx, halted, lines) })
		return
	}
	b.think(ctx, b.choose)
}

// put applies one stone of either side. A manager may play on after what is the
// end here, because it has other rules in mind: such stones are only noted.
func (b *brain) put(at game.Point) error {
	if _, over := b.sess.Position.Result(); over {
		if !at.On(b.width, b.height) || slices.Contains(b.stones, at) {
			return fmt.Errorf("%d,%d is occupied or outside the board", at.X, at.Y)
		}
		b.stones = append(b.stones, at)
		b.beyond++
		return nil
	}
	if err := b.sess.Play(game.PlaceAt(at)); err != nil {
		return err
	}
	b.stones = append(b.stones, at)
	return nil
}

// think runs a search beside the reader.
func (b *brain) think(ctx context.Context, search func(context.Context) thought) {
	ctx, b.cancel = context.WithCancel(ctx)
	b.thinking = true
	b.sess.Clocks, b.sess.Limits = [2]clock.Clock{}, b.said.limits
	if seat := b.sess.Position.Turn().Seat; seat.IsPlayer() {
		b.sess.Clocks[seat] = b.said.clock()
	}
	done := b.done
	go func() { done <- search(ctx) }()
}

func stone(at game.Point, info game.Info) thought {
	return thought{reply: Reply{Kind: Coords, N: 1, Points: [MaxCoords]game.Point{at}}, info: info}
}

var errNoMove = errors.New("no move was found")

// choose asks the player for one stone.
func (b *brain) choose(ctx context.Context) thought {
	if _, over := b.sess.Position.Result(); over {
		return b.afterEnd()
	}
	b.own = b.sess.Position.Turn().Seat
	a, err := b.sess.Choose(ctx, noDeadline)
	if err != nil {
		return thought{err: err}
	}
	for _, m := range a.Steps {
		if m.Op == game.Place {
			return stone(m.To, a.Info)
		}
	}
	// The player resigns, for which the protocol has no word: any move.
	for _, m := range b.sess.Position.Legal(nil) {
		if m.Op == game.Place {
			return stone(m.To, a.Info)
		}
	}
	return thought{err: errNoMove}
}

// afterEnd answers with the first empty point, if any is left.
func (b *brain) afterEnd() thought {
	for i := range b.width * b.height {
		if at := game.Pt(i%b.width, i/b.width); !slices.Contains(b.stones, at) {
			return stone(at, game.Info{})
		}
	}
	return thought{err: errNoMove}
}

// swap asks the player for a whole turn of the swap2 opening.
func (b *brain) swap(ctx context.Context) thought {
	a, err := b.sess.PlayTurn(ctx, noDeadline)
	if err != nil {
		return thought{err: err}
	}
	t := thought{reply: Reply{Kind: Coords}, info: a.Info, played: true}
	for _, m := range a.Steps {
		switch {
		case m.Op == game.Resign:
			return thought{err: errNoMove}
		case m.Op == game.Place && t.reply.N < MaxCoords:
			t.reply.Points[t.reply.N] = m.To
			t.reply.N++
		case m == game.ChooseArg(game.Swap2Swap):
			t.reply.Kind = Swap
		}
	}
	return t
}

// analyse thinks with n variations until it has enough or halted ends, and answers
// the best, as YXNBEST does.
func (b *brain) analyse(ctx, halted context.Context, n int) thought {
	analyst, ok := b.srv.Player.(player.Analyst)
	turn := b.sess.Position.Turn()
	if !ok || !turn.Seat.IsPlayer() {
		return b.choose(ctx)
	}
	if err := b.sess.Ready(ctx, turn.Seat); err != nil {
		return thought{err: err}
	}
	q := player.Question{Lines: n, Depth: b.sess.Limits.Depth}
	if limit := b.sess.Clocks[turn.Seat].Limit(); limit != clock.Unlimited {
		q.Budget = limit
	}
	var best game.Info
	err := analyst.Analyse(halted, q, func(i game.Info) bool {
		if i.Rank <= 1 && len(i.PV) > 0 {
			best = i
			best.PV = slices.Clone(i.PV)
		}
		b.send(appendDetail(b.out[:0], &i, n))
		return true
	})
	if errors.Is(err, player.ErrUnsupported) || err == nil && len(best.PV) == 0 {
		return b.choose(ctx)
	}
	if err != nil && len(best.PV) == 0 {
		return thought{err: err}
	}
	return stone(best.PV[0].To, best)
}

// finish sends what a search came to.
func (b *brain) finish(t thought) {
	if t.err != nil {
		b.errorf("%v", t.err)
		return
	}
	b.out = b.out[:0]
	if b.said.detail >= 2 {
		b.out = appendDetail(b.out, &t.info, 1)
	}
	b.out = appendRemark(b.out, &t.info)
	b.out = AppendReply(b.out, t.reply)
	b.send(append(b.out, eol...))
	switch {
	case t.played:
		b.stones = append(b.stones, t.reply.Points[:t.reply.N]...)
	case t.reply.N == 1:
		if err := b.put(t.reply.Points[0]); err != nil {
			b.srv.Logf("own move: %v", err)
		}
	}
}

// play executes PLAY: the manager decides the brain's own move.
func (b *brain) play(c *Command) {
	if !b.fit() {
		return
	}
	if c.Bad {
		b.errorf("PLAY needs a point")
		return
	}
	if err := b.put(c.At); err != nil {
		b.errorf("%v", err)
		return
	}
	b.send(append(AppendPoint(b.out[:0], c.At), eol...))
}

func (b *brain) takeBack(c *Command) {
	n := len(b.stones)
	switch {
	case c.Bad:
		b.errorf("TAKEBACK needs a point")
		return
	case n == 0:
		b.errorf("there is no stone to take back")
		return
	case b.stones[n-1] != c.At:
		if err := b.takeOut(c.At); err != nil {
			b.errorf("%v", err)
			return
		}
		b.say("OK")
		return
	}
	if b.beyond > 0 {
		b.beyond--
	} else if err := b.sess.Undo(1); err != nil {
		b.errorf("%v", err)
		return
	}
	b.stones = b.stones[:n-1]
	b.say("OK")
}

// takeOut takes a stone back that others were put down after. Whose it was is to move.
func (b *brain) takeOut(at game.Point) error {
	i := slices.Index(b.stones, at)
	switch {
	case i < 0:
		return fmt.Errorf("there is no stone on %d,%d", at.X, at.Y)
	case b.beyond > 0 || b.spec != b.wanted(false):
		return fmt.Errorf("the last stone is not on %d,%d", at.X, at.Y)
	}
	owners := b.owners()
	by := owners[at]
	delete(owners, at)
	err := b.arrange(slices.Delete(slices.Clone(b.stones), i, i+1), owners, by)
	if errors.Is(err, player.ErrUnsupported) {
		return fmt.Errorf("the last stone is not on %d,%d", at.X, at.Y)
	}
	return err
}

// theirTurn makes it the opponent's turn, where stones were taken back and it is not.
func (b *brain) theirTurn() {
	turn := b.sess.Position.Turn().Seat
	if b.own.IsPlayer() && turn == b.own && len(b.stones) > 0 && b.beyond == 0 && b.spec == b.wanted(false) {
		_ = b.arrange(slices.Clone(b.stones), b.owners(), b.own.Other()) // else the stone counts for who is on turn
	}
}

// theirPass takes a pass of the opponent, which is told by the point -1,-1.
func (b *brain) theirPass() error {
	turn := b.sess.Position.Turn().Seat
	if !turn.IsPlayer() || len(b.stones) == 0 || b.beyond > 0 {
		return errors.New("there is nothing to pass")
	}
	return b.arrange(slices.Clone(b.stones), b.owners(), turn.Other())
}

// clearHash makes the player start afresh with the same position.
func (b *brain) clearHash() {
	b.sess.Forget()
	b.say("MESSAGE the hash table is clear")
}

// showForbidden lists where the side to move would lose by its own stone.
func (b *brain) showForbidden() {
	if !b.fit() {
		return
	}
	pos := b.sess.Position
	turn := pos.Turn()
	var list []game.Point
	if f, ok := pos.(interface{ Forbidden() []game.Point }); ok {
		list = f.Forbidden()
	} else if b.said.rule == "renju" && turn.Seat.IsPlayer() && len(b.stones)%2 == 0 {
		list = losing(pos, turn.Seat)
	}
	b.send(append(AppendForbid(b.out[:0], list), eol...))
}

// losing tries every legal stone and lists those after which seat has lost.
func losing(pos player.Position, seat game.Seat) []game.Point {
	var list []game.Point
	for _, m := range pos.Legal(nil) {
		if m.Op != game.Place || m.To.X > 99 || m.To.Y > 99 {
			continue
		}
		if _, err := pos.Apply(m); err != nil {
			continue
		}
		if r, over := pos.Result(); over && r.Winner() == seat.Other() {
			list = append(list, m.To)
		}
		if pos.Undo(1) != nil {
			break
		}
	}
	return list
}
