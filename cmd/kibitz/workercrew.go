package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"kibitz/bus"
	"kibitz/clock"
	"kibitz/game"
	"kibitz/games"
	"kibitz/link"
	"kibitz/match"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/rules"
	"kibitz/run/engines"
	"kibitz/worker"
)

// crew makes of what a hall wants to be played a game of the referee: it knows the
// games, the built-in engines, and the engines of this machine.
type crew struct {
	a        *app
	programs *engines.Programs
	warn     func(text string)
	sums     *engines.Sums
	// bench are the built-in engines of games with somebody from outside.
	bench *bench

	mu      sync.Mutex // guards what follows
	engines []offeredEngine
}

func newCrew(a *app, list []offeredEngine, p *engines.Programs, warn func(string)) *crew {
	return &crew{a: a, engines: list, programs: p, warn: warn, sums: engines.NewSums(a.now), bench: &bench{most: mostAwake}}
}

// entries are the engines as the registry of workers shows them.
func (c *crew) entries() []bus.Engine {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := make([]bus.Engine, len(c.engines))
	for i, e := range c.engines {
		out[i] = bus.Engine{Name: e.spec.Name, Hash: e.hash, Games: e.games, Stopped: e.stopped}
	}
	return out
}

// ready unpacks what has to be unpacked, once.
func (c *crew) ready() error {
	for _, e := range c.engines {
		if err := c.programs.Ready(c.a.ctx, e.spec); err != nil {
			return err
		}
	}
	return nil
}

// build is worker.Config.Build.
func (c *crew) build(_ context.Context, p *bus.Play) (*worker.Setup, error) {
	r, err := games.Open(string(p.Spec))
	if err != nil {
		return nil, err
	}
	parts := &worker.Setup{Rules: r}
	if len(p.Seed) == len([32]byte{}) {
		parts.Dealer = dealerFor(r, [32]byte(p.Seed))
	} else if _, chance := r.New().(rules.Chance); chance {
		return nil, fmt.Errorf("the seed of the dealer has %d bytes instead of 32", len(p.Seed))
	}
	if parts.Policy, err = policyOf(&p.Rules, r); err != nil {
		return nil, err
	}
	var ends []func() error
	parts.Close = func() {
		for _, end := range ends {
			if err := end(); err != nil {
				c.warn(fmt.Sprintf("game %s: %s", p.Game, oneLine(err)))
			}
		}
	}
	for i := range parts.Sides {
		var heard *engines.Traffic
		if p.Console && p.Seats[i].Kind == bus.EngineSeat {
			heard = c.hear()
			parts.Consoles[i] = heard.Listen
		}
		side, end, err := c.side(p, i, r, heard)
		if err != nil {
			parts.Close()
			return nil, fmt.Errorf("seat %s: %w", game.Seat(i), err)
		}
		parts.Hashes[i] = c.hashOf(&p.Seats[i])
		if parts.Sides[i] = side; end != nil {
			ends = append(ends, end)
		}
	}
	return parts, nil
}

// hear returns the ear of a console. Warnings go to it and to stderr.
func (c *crew) hear() *engines.Traffic {
	t := &engines.Traffic{}
	t.Note = func(text string) {
		fmt.Fprintf(c.a.stderr, "kibitz: %s\n", text)
		t.Observe(link.Noted, c.a.now(), []byte(text))
	}
	return t
}

// side makes one seat; that of a person or a remote engine has a clock and no player.
func (c *crew) side(p *bus.Play, i int, r rules.Rules, heard *engines.Traffic) (side match.Side, end func() error, err error) {
	seat := &p.Seats[i]
	control, err := clock.Parse(seat.Clock)
	if err != nil {
		return side, nil, err
	}
	side = match.Side{Name: seat.Name, Clock: control, Margin: engines.DefaultMargin}
	var e *engineSpec
	switch seat.Kind {
	case bus.BotSeat:
		e, err = engines.Parse("", seat.Engine)
		if err == nil && e.Bot == "" {
			err = fmt.Errorf("%q is no built-in engine: write bot=1 to bot=9 or bot=random", game.Shown(seat.Engine, 40))
		}
	case bus.EngineSeat:
		e, err = c.engine(seat, r.Spec().ID())
	default:
		return side, nil, nil
	}
	if err != nil {
		return side, nil, err
	}
	e.Name = seat.Name
	// Against somebody from outside it would think without a processor of its own.
	e.Ponder = e.Ponder && bus.PlaceOf(p.Seats[0].Kind, p.Seats[1].Kind) == bus.PlaceAlone
	side.Limits, side.Margin, side.Suspend, side.Ponder = e.Limits(), e.Margin, e.Suspend, e.Ponder
	side.Player, end, err = c.seat(p, e, r, heard)
	return side, end, err
}

// engine returns an engine of this machine as it is to be started for one game. Its
// program is looked at before each start: one that has changed is another program, and is
// not played under the old one's hash.
func (c *crew) engine(seat *bus.Seat, id string) (*engineSpec, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.engines, func(e offeredEngine) bool {
		return strings.EqualFold(e.spec.Name, seat.Engine) && e.stopped == "" && (seat.Hash == "" || seat.Hash == e.hash) && slices.Contains(e.games, id)
	})
	if i < 0 {
		return nil, fmt.Errorf("this worker has no engine %q for %s with the hash %q", game.Shown(seat.Engine, 40), id, game.Shown(seat.Hash, 40))
	}
	have := &c.engines[i]
	is, err := c.sums.Engine(have.spec)
	switch {
	case err != nil:
		have.stopped = "its program " + oneLine(err)
	case is != have.hash:
		have.stopped = fmt.Sprintf("its program has changed: the hash was %s and is %s; start the worker anew to offer that one", have.hash, is)
	}
	if have.stopped != "" {
		c.warn(fmt.Sprintf("engine %s is not played any more: %s", have.spec.Name, have.stopped))
		return nil, fmt.Errorf("engine %s: %s", have.spec.Name, have.stopped)
	}
	e := *have.spec
	if e.Restart != protocol.RestartNever {
		e.Restart = protocol.RestartEachGame
	}
	return &e, nil
}

// hashOf is the hash of the engine in a seat, empty for others.
func (c *crew) hashOf(seat *bus.Seat) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range c.engines {
		if seat.Kind == bus.EngineSeat && strings.EqualFold(e.spec.Name, seat.Engine) {
			return e.hash
		}
	}
	return ""
}

// seat makes a player; end releases it.
func (c *crew) seat(p *bus.Play, e *engineSpec, r rules.Rules, heard *engines.Traffic) (player.Player, func() error, error) {
	if err := c.programs.Seat(e); err != nil {
		return nil, nil, err
	}
	build := func() (player.Player, error) { return c.a.launcher().Player(e, r, seedOf(p), heard) }
	var pl player.Player
	var err error
	if e.Bot != "" && bus.PlaceOf(p.Seats[0].Kind, p.Seats[1].Kind) == bus.PlacePeople {
		pl, err = c.bench.seat(r.Spec(), build)
	} else {
		pl, err = build()
	}
	if err != nil {
		return nil, nil, errors.Join(err, e.Release())
	}
	return pl, func() error { return errors.Join(pl.Close(), e.Release()) }, nil
}

// seedOf is the seed of the built-in engines of a game: the same for each attempt, and
// no way to the dealer's.
func seedOf(p *bus.Play) uint64 {
	sum := sha256.Sum256(append([]byte("bots of "+p.Game+"\x00"), p.Seed...))
	return binary.BigEndian.Uint64(sum[:])
}

// policyOf reads the referee's rules of a game.
func policyOf(p *bus.Rules, r rules.Rules) (match.Policy, error) {
	out := match.Policy{Retries: p.Retries, MaxMoves: p.MaxMoves, Stall: p.Stall, Undo: p.Undo, NoDraw: p.NoDraw, NoAbort: p.NoAbort, Start: time.Minute}
	var err error
	if out.Draw, err = drawRule("draw", p.Draw); err != nil {
		return out, err
	}
	if out.Resign, err = resignRule("resign", p.Resign); err != nil {
		return out, err
	}
	if p.Exact {
		out.Exact, err = exactRule("exact", r)
	}
	return out, err
}
