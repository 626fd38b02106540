// Package factory makes the players of a worker: of what a hall wants to be played it makes
// games of the referee, with built-in engines and the engines of this machine.
package factory

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/games"
	"kibitz/hall/bus"
	"kibitz/hall/worker"
	"kibitz/internal/plain"
	"kibitz/link"
	"kibitz/match"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/rules"
	"kibitz/run/engines"
)

// Engine is an engine that a worker has: its specification, without clocks, and what
// tells it from another program of the same name.
type Engine struct {
	Spec *engines.Spec
	// Hash is that of its program, Games are the identifiers of those that it plays.
	Hash  string
	Games []string
	// stopped says why it is not played any more, empty as long as it is.
	stopped string
	// about is what it said of itself when it was played last.
	about string
}

// Config is what a Factory is made of.
type Config struct {
	Launcher *engines.Launcher
	// Programs are those of Engines, Sums their hashes.
	Programs *engines.Programs
	Sums     *engines.Sums
	Engines  []Engine
	Warn     func(text string)
}

// mostAbout is how much is kept of what an engine says of itself.
const mostAbout = 300

// Factory makes of what a hall wants to be played a game of the referee: it knows the
// games, the built-in engines, and the engines of this machine.
type Factory struct {
	launcher *engines.Launcher
	programs *engines.Programs
	sums     *engines.Sums
	warn     func(text string)
	// idle are the built-in engines of games with somebody from outside.
	idle *idlePool

	mu      sync.Mutex // guards what follows
	engines []Engine
}

// New returns a factory whose engines are not ready yet.
func New(c Config) *Factory {
	return &Factory{
		launcher: c.Launcher, programs: c.Programs, sums: c.Sums, engines: c.Engines, warn: c.Warn,
		idle: &idlePool{limit: maxLoaded},
	}
}

// Entries are the engines as the registry of workers shows them.
func (f *Factory) Entries() []bus.Engine {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := make([]bus.Engine, len(f.engines))
	for i, e := range f.engines {
		out[i] = bus.Engine{Name: e.Spec.Name, Hash: e.Hash, Games: e.Games, Stopped: e.stopped, About: e.about}
	}
	return out
}

// Build is worker.Config.Build.
func (f *Factory) Build(_ context.Context, p *bus.Play) (*worker.Setup, error) {
	r, err := games.Open(string(p.Spec))
	if err != nil {
		return nil, err
	}
	setup := &worker.Setup{Rules: r}
	if len(p.Seed) == len([32]byte{}) {
		setup.Dealer = match.NewDealer(r, [32]byte(p.Seed))
	} else if _, chance := r.New().(rules.Chance); chance {
		return nil, fmt.Errorf("the seed of the dealer has %d bytes instead of 32", len(p.Seed))
	}
	if setup.Policy, err = policyOf(&p.Rules, r); err != nil {
		return nil, err
	}
	setup.Advise = func() (player.Player, error) { return f.adviser(p, r) }
	if r.Doc().Info != rules.Private {
		setup.Judge = func(ctx context.Context, moves []game.Move, ply int) (float64, error) {
			return f.judge(ctx, p, r, moves, ply)
		}
	}
	var ends []func() error
	setup.Close = func() {
		for _, end := range ends {
			if err := end(); err != nil {
				f.warn(fmt.Sprintf("game %s: %s", p.Game, plain.OneLine(err)))
			}
		}
	}
	for i := range setup.Sides {
		var heard *engines.Traffic
		if p.Console && p.Seats[i].Kind == bus.EngineSeat {
			heard = f.consoleTraffic()
			setup.Consoles[i] = heard.Listen
		}
		side, end, err := f.side(p, i, r, heard)
		if err != nil {
			setup.Close()
			return nil, &worker.SeatError{Seat: game.Seat(i), Err: err}
		}
		setup.Hashes[i] = f.hashOf(&p.Seats[i])
		if setup.Sides[i] = side; end != nil {
			ends = append(ends, end)
		}
	}
	return setup, nil
}

// consoleTraffic returns what a console listens to. Warnings go there and to the launcher.
func (f *Factory) consoleTraffic() *engines.Traffic {
	t := &engines.Traffic{}
	t.Note = func(text string) {
		f.launcher.Warn(text)
		t.Observe(link.Noted, f.launcher.Now(), []byte(text))
	}
	return t
}

// side makes one seat; that of a person or a remote engine has a clock and no player.
func (f *Factory) side(p *bus.Play, i int, r rules.Rules, heard *engines.Traffic) (side match.Side, end func() error, err error) {
	seat := &p.Seats[i]
	control, err := clock.Parse(seat.Clock)
	if err != nil {
		return side, nil, err
	}
	side = match.Side{Name: seat.Name, Clock: control, Margin: engines.DefaultMargin}
	var e *engines.Spec
	switch seat.Kind {
	case bus.BotSeat:
		e, err = engines.Parse("", seat.Engine)
		if err == nil && e.Bot == "" {
			err = fmt.Errorf("%q is no built-in engine: write bot=1 to bot=9 or bot=random", game.Shown(seat.Engine, 40))
		}
	case bus.EngineSeat:
		e, err = f.engine(seat, r.Spec().ID())
	default:
		return side, nil, nil
	}
	if err != nil {
		return side, nil, err
	}
	e.Name = seat.Name
	// Against somebody from outside it would think without a processor of its own.
	e.Ponder = e.Ponder && bus.PlaceOf(p.Seats[0].Kind, p.Seats[1].Kind) == bus.PlaceAlone
	side.Limits, side.Margin, side.Suspend, side.Ponder, side.Learn = e.Limits(), e.Margin, e.Suspend, e.Ponder, e.Learn
	side.Player, end, err = f.seat(p, e, r, heard)
	return side, end, err
}

// engine returns an engine of this machine as it is to be started for one game. Its
// program is looked at before each start: one that has changed is another program, and is
// not played under the old one's hash.
func (f *Factory) engine(seat *bus.Seat, id string) (*engines.Spec, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := slices.IndexFunc(f.engines, func(e Engine) bool {
		return strings.EqualFold(e.Spec.Name, seat.Engine) && e.stopped == "" && (seat.Hash == "" || seat.Hash == e.Hash) &&
			slices.Contains(e.Games, id)
	})
	if i < 0 {
		return nil, fmt.Errorf("this worker has no engine %q for %s with the hash %q", game.Shown(seat.Engine, 40), id, game.Shown(seat.Hash, 40))
	}
	have := &f.engines[i]
	is, err := f.sums.Engine(have.Spec)
	switch {
	case err != nil:
		have.stopped = "its program " + plain.OneLine(err)
	case is != have.Hash:
		have.stopped = fmt.Sprintf("its program has changed: the hash was %s and is %s; start the worker anew to offer that one", have.Hash, is)
	}
	if have.stopped != "" {
		f.warn(fmt.Sprintf("engine %s is not played any more: %s", have.Spec.Name, have.stopped))
		return nil, fmt.Errorf("engine %s: %s", have.Spec.Name, have.stopped)
	}
	e := *have.Spec
	if e.Restart != protocol.RestartNever {
		e.Restart = protocol.RestartEachGame
	}
	return &e, nil
}

// hashOf is the hash of the engine in a seat, empty for others.
func (f *Factory) hashOf(seat *bus.Seat) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, e := range f.engines {
		if seat.Kind == bus.EngineSeat && strings.EqualFold(e.Spec.Name, seat.Engine) {
			return e.Hash
		}
	}
	return ""
}

// seat makes a player; end releases it.
func (f *Factory) seat(p *bus.Play, e *engines.Spec, r rules.Rules, heard *engines.Traffic) (player.Player, func() error, error) {
	if err := f.programs.Seat(e); err != nil {
		return nil, nil, err
	}
	build := func() (player.Player, error) { return f.launcher.Player(e, r, seedOf(p), heard) }
	var pl player.Player
	var err error
	if e.Bot != "" && bus.PlaceOf(p.Seats[0].Kind, p.Seats[1].Kind) == bus.PlacePeople {
		pl, err = f.idle.add(r.Spec(), build)
	} else {
		pl, err = build()
	}
	if err != nil {
		return nil, nil, errors.Join(err, e.Release())
	}
	return pl, func() error {
		if d, ok := pl.(player.Describer); ok {
			f.describe(e, d.EngineAbout())
		}
		return errors.Join(pl.Close(), e.Release())
	}, nil
}

// describe keeps what an engine says of itself.
func (f *Factory) describe(e *engines.Spec, about string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if i := slices.IndexFunc(f.engines, func(x Engine) bool { return x.Spec.Name == e.Name }); i >= 0 && about != "" {
		f.engines[i].about = game.Shown(about, mostAbout)
	}
}

// adviser makes the player that a person is advised by: the strongest built-in engine. It is
// given no more than the person was told.
func (f *Factory) adviser(p *bus.Play, r rules.Rules) (player.Player, error) {
	e, err := engines.Parse("", "bot=9")
	if err != nil {
		return nil, err
	}
	return f.launcher.Player(e, r, seedOf(p), nil)
}

// seedOf is the seed of the built-in engines of a game: the same for each attempt, and
// no way to the dealer's.
func seedOf(p *bus.Play) uint64 {
	sum := sha256.Sum256(append([]byte("bots of "+p.Game+"\x00"), p.Seed...))
	return binary.BigEndian.Uint64(sum[:])
}
