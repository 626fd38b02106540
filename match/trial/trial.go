// Package trial plays whole games with an engine, behind the host of its protocol and
// under the referee of every match, to find what a match would find: an engine that
// reads or writes points the wrong way, forgets its own moves or those it is told,
// loses count of passes, or fails late in a game. It is part of the check of an engine,
// and says which of these faults explains what was seen.
package trial

import (
	"context"
	"fmt"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/link"
	"kibitz/match"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/rules"
)

// Trial is what games with an engine need.
type Trial struct {
	Protocol protocol.Protocol
	Rules    rules.Rules
	// Config returns how the engine is started, with somebody who sees the traffic.
	Config func(observe link.Observer) protocol.Config
	// Opponent returns a new built-in engine that answers quickly, and Random one that
	// draws its moves.
	Opponent, Random func() (player.Player, error)
	// Memory is how much the engine is told that it may have, 0 for nothing, and Most at
	// how much it is ended, 0 for never.
	Memory, Most int64
	// Lines are found once for all trials that share them; nil for this one's own.
	Lines *Lines

	peak int64 // the most that it had in any of the games
}

const source = "what a match asks of an engine"

// Checks returns what the protocol demands, and then the games.
func (t *Trial) Checks() []protocol.Check {
	var list []protocol.Check
	if t.Protocol.Checks != nil {
		list = t.Protocol.Checks(rules.BoardOf(t.Rules))
	}
	return append(list, t.Games()...)
}

// Games returns the games as requirements: from the middle of games that look
// different from every side of the board, where the protocol can begin there, and from
// the initial position, by either seat.
func (t *Trial) Games() []protocol.Check {
	var list []protocol.Check
	silent := "" // the requirement in which the engine fell silent: no further game waits for it
	add := func(id, text string, run func(context.Context, *protocol.Probe) error) {
		list = append(list, protocol.Check{
			ID: id, Requirement: text, Source: source, Own: true,
			Run: func(ctx context.Context, p *protocol.Probe) error {
				if silent != "" {
					return fmt.Errorf("%w: it rests on %s", protocol.ErrSkipped, silent)
				}
				err := run(ctx, p)
				if f := Named(err); f != nil && slow(f.Reason) {
					silent = id
				}
				return err
			},
		})
	}
	for seat, name := range []string{"first", "second"} {
		if t.Protocol.Start >= player.FromHistory && t.Rules.Doc().Info != rules.Private {
			add("line-"+name, "positions from the middle and the end of games are understood, and played to the end as the "+name+" player",
				func(ctx context.Context, p *protocol.Probe) error { return t.lines(ctx, p, game.Seat(seat)) })
		}
	}
	for seat, name := range []string{"first", "second"} {
		add("game-"+name, "a whole game against a built-in engine is played to its end as the "+name+" player",
			func(ctx context.Context, p *protocol.Probe) error {
				return t.play(ctx, p, game.Seat(seat), []line{{}}, t.Opponent)
			})
	}
	if t.Memory > 0 {
		list = append(list, protocol.Check{
			ID: "memory", Requirement: "no more memory is used than the engine is told", Source: source, Advice: true, Own: true,
			Run: func(context.Context, *protocol.Probe) error { return t.memory() },
		})
	}
	return list
}

// memory compares what the engine had in the games before with what it was told.
func (t *Trial) memory() error {
	switch {
	case t.peak == 0:
		return fmt.Errorf("%w: nobody knows what it used", protocol.ErrSkipped)
	case t.peak <= t.Memory:
		return nil
	case t.Most == 0:
		return fmt.Errorf("it used %s and was told %s", megabytes(t.peak), megabytes(t.Memory))
	}
	return fmt.Errorf("it used %s, was told %s and is ended beyond %s", megabytes(t.peak), megabytes(t.Memory), megabytes(t.Most))
}

func megabytes(n int64) string { return fmt.Sprintf("%.0f MB", float64(n)/(1<<20)) }

func (t *Trial) lines(ctx context.Context, p *protocol.Probe, seat game.Seat) error {
	known := t.Lines
	if known == nil {
		known = &Lines{}
	}
	return t.play(ctx, p, seat, known.of(t.Rules, seat), t.Random)
}

// slow reports whether a loss for a reason has taken a long wait.
func slow(r game.Reason) bool {
	return r == game.ByTime || r == game.ByStall || r == game.ByStart
}

// mostTurns is how many turns follow a line.
const mostTurns = 60

// played is one game of a trial.
type played struct {
	line   line
	number int       // of the trial, from 0
	seat   game.Seat // the engine's
	out    match.Outcome
	answer player.Answer // the engine's latest
}

// failed reports whether the engine lost the game by a fault of its own.
func (g *played) failed() bool { return protocol.AtFault(g.out.Result, g.seat) }

// play plays a game from each line, and tells what all that failed have in common.
func (t *Trial) play(ctx context.Context, p *protocol.Probe, seat game.Seat, list []line, opponent func() (player.Player, error)) error {
	p.Forget()
	config := t.Config(p.Observe)
	config.StartLimit = p.Ready()
	engine, err := t.Protocol.Host(config)
	if err != nil {
		return err
	}
	defer func() { _ = engine.Close() }()
	var failed []played
	for i, l := range list {
		if len(failed) == 0 {
			p.Forget()
		}
		g := t.game(ctx, p, engine, seat, l, i, opponent)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case g.out.Result.Reason == game.ByAbort:
			return fmt.Errorf("%w: %s", protocol.ErrSkipped, g.out.Result.Detail)
		case g.failed():
			failed = append(failed, g)
		}
		if len(failed) > 0 && slow(g.out.Result.Reason) {
			list = list[:i+1]
			break
		}
	}
	if len(failed) == 0 {
		return nil
	}
	return t.fault(failed, len(list))
}

func (t *Trial) game(ctx context.Context, p *protocol.Probe, engine player.Player, seat game.Seat, l line, number int,
	opponent func() (player.Player, error),
) played {
	g := played{line: l, seat: seat, number: number}
	other, err := opponent()
	if err != nil {
		g.out.Result = game.Result{Reason: game.ByAbort, Detail: err.Error()}
		return g
	}
	defer func() { _ = other.Close() }()
	heard := &listener{Player: engine, answer: &g.answer}
	m := &match.Game{
		ID: fmt.Sprintf("check-%d", number+1), Rules: t.Rules, Opening: l.moves, Now: p.Config.Now,
		Dealer: l.dealer(t.Rules), Policy: match.Policy{MaxMoves: mostTurns, Stall: p.Thought(), Start: p.Ready() + time.Second},
	}
	if len(l.moves) == 0 {
		m.Policy.MaxMoves = 0
	}
	think := clock.Control{Turn: p.Patience / 25}
	m.Sides[seat] = match.Side{
		Player: heard, Name: "engine", Clock: think, Margin: p.Thought(),
		Limits: player.Limits{Depth: 4, Memory: t.Memory},
	}
	m.Sides[seat.Other()] = match.Side{Player: other, Name: "opponent", Clock: clock.Control{Turn: time.Minute}, Margin: time.Minute}
	g.out = match.Play(ctx, m)
	t.peak = max(t.peak, g.out.Resources[seat].Memory)
	return g
}

// listener passes everything on to an engine and keeps its latest answer.
type listener struct {
	player.Player
	answer *player.Answer
}

// Choose implements player.Player.
func (l *listener) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	*l.answer = player.Answer{}
	ans, err := l.Player.Choose(ctx, p)
	kept := ans
	kept.Steps = append([]game.Move(nil), ans.Steps...)
	*l.answer = kept
	return ans, err
}

// CanStart implements player.Positioner.
func (l *listener) CanStart(spec game.Spec) player.Start {
	if p, ok := l.Player.(player.Positioner); ok {
		return p.CanStart(spec)
	}
	return player.FromNothing
}

// Explain implements player.Explainer.
func (l *listener) Explain(raw string, would func([]game.Move) bool) string {
	if e, ok := l.Player.(player.Explainer); ok {
		return e.Explain(raw, would)
	}
	return ""
}

// Used implements player.Meter.
func (l *listener) Used() (player.Used, bool) {
	if m, ok := l.Player.(player.Meter); ok {
		return m.Used()
	}
	return player.Used{}, false
}

// Begin implements player.Meter.
func (l *listener) Begin() (player.Used, bool) {
	if m, ok := l.Player.(player.Meter); ok {
		return m.Begin()
	}
	return player.Used{}, false
}
