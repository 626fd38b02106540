package nboard_test

import (
	"context"
	"fmt"
	"sync"
	"time"

	"kibitz/game"
	"kibitz/player"
)

// plain is a player of the tests that can only choose: the first legal move,
// after a time or when it is stopped.
type plain struct {
	think time.Duration
	fail  error
	mu    sync.Mutex
	halt  chan struct{}
	log   []string
	moves int
	start player.Setup
	games int // given to it
	overs int // ended
}

func (b *plain) note(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.log = append(b.log, fmt.Sprintf(format, args...))
}

// noted returns what was noted and forgets it.
func (b *plain) noted() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := b.log
	b.log = nil
	return l
}

func (b *plain) NewGame(_ context.Context, s *player.Setup) error {
	b.start = *s
	b.games++
	b.moves = 0
	for i := range s.History {
		b.moves += len(s.History[i].Steps)
	}
	b.note("new %s %s after %d: %s, %s", s.Names[0], s.Names[1], b.moves, s.Clocks[0].Remaining(), s.Clocks[1].Remaining())
	return nil
}

func (b *plain) Tell(u *player.Update) {
	b.moves += len(u.Steps)
	b.note("told %s by %s, left %s", nameOf(u.Steps[0]), u.By, u.Clocks[u.By].Remaining())
}

func (b *plain) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	note := ""
	if p.Limits.Ordered {
		note = " ordered"
	}
	b.note("choose depth %d%s", p.Limits.Depth, note)
	b.mu.Lock()
	b.halt = make(chan struct{})
	halt := b.halt
	b.mu.Unlock()
	select {
	case <-time.After(b.think):
	case <-halt:
	case <-ctx.Done():
		return player.Answer{}, player.Fail(game.ByAbort, ctx.Err(), "abandoned")
	}
	b.mu.Lock()
	b.halt = nil
	b.mu.Unlock()
	if b.fail != nil {
		return player.Answer{}, b.fail
	}
	m := p.Moves.Legal(nil)[:1]
	return player.Answer{Steps: m, Info: game.Info{
		Eval: discs(1.5), Depth: 3, Nodes: 100, PV: m,
	}}, nil
}

func discs(v float64) game.Eval { return game.Eval{Unit: game.Discs, Lo: v, Hi: v} }

func (b *plain) Stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.halt != nil {
		close(b.halt)
		b.halt = nil
	}
}

func (b *plain) Over(game.Result) { b.overs++ }
func (b *plain) Close() error     { return nil }

// analyst also streams three depths, half a second each, learns, and minds
// contempt.
type analyst struct {
	plain
	whole bool // it can analyse a whole game
}

func (a *analyst) Analyse(ctx context.Context, q player.Question, yield func(game.Info) bool) error {
	if q.WholeGame {
		if !a.whole {
			return player.ErrUnsupported
		}
		for n := a.moves; n >= 0; n-- {
			if n != 1 && !yield(game.Info{Rank: n, Eval: discs(float64(n))}) {
				return nil
			}
		}
		return nil
	}
	for depth := 1; depth <= max(1, q.Depth); depth++ {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(500 * time.Millisecond):
		}
		for line := range q.Lines {
			in := game.Info{
				PV: []game.Move{game.PlaceAt(game.Pt(line, 0)), game.PassMove()}, Eval: discs(float64(a.moves - line)),
				Depth: depth, Nodes: int64(1000 * depth), Rank: line + 1, Book: line == 2, Games: 7,
			}
			if !yield(in) {
				return nil
			}
		}
	}
	return nil
}

func (a *analyst) Learn(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil // who is broken off need not call it a failure
	case <-time.After(a.think):
	}
	a.note("learn %d", a.moves)
	return nil
}

func (a *analyst) SetContempt(n int) { a.note("contempt %d", n) }
