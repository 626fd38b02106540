package main

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"kibitz/bot"
	"kibitz/clock"
	"kibitz/game"
	"kibitz/games"
	"kibitz/match"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/rules"
	"kibitz/run"
	"kibitz/run/engines"
)

type playCmd struct {
	Game   string  `arg:"" help:"Game with options, for example othello or gomoku:rule=renju."`
	Level  string  `default:"3" help:"Strength of the opponent, 1 to 9, or random."`
	Engine string  `help:"Opponent in place of the built-in one, key=value words as in a match: option.depth=8 option.contempt=50 learn=1 among them; it gives the hints, too." placeholder:"S"`
	Seat   string  `default:"first" enum:"first,second" help:"Your seat: first or second."`
	TC     string  `name:"tc" help:"Your clock, for example 10:00+5; default none." placeholder:"TC"`
	Think  float64 `default:"2" help:"Seconds the opponent may think about a move."`
	Seed   uint64  `help:"Seed of the opponent and of chance; 0 takes one from the system."`
}

// Help returns the example that --help shows.
func (playCmd) Help() string {
	return "Examples: kibitz play othello --level 3\n" +
		"          kibitz play othello --engine 'cmd=./ntest option.depth=8 option.contempt=50 learn=1'\n" +
		"While playing: a move such as f5; moves lists all; hint shows a good one, hint 5 the five best and their values; " +
		"undo takes back, undo 4 all but four moves; " +
		"resign gives up; help. At a terminal you can do so while the opponent thinks, too."
}

// adviserLevel is the level of the built-in engine that gives hints.
const adviserLevel = "6"

// Run plays one game at the terminal.
func (c playCmd) Run(a *app) error {
	r, err := games.Open(c.Game)
	if err != nil {
		return err
	}
	control := clock.Control{}
	if c.TC != "" {
		if control, err = clock.Parse(c.TC); err != nil {
			return fmt.Errorf("--tc: %w", err)
		}
	}
	var seed [32]byte
	if _, err := rand.Read(seed[:]); err != nil {
		return err
	}
	if c.Seed != 0 {
		clear(seed[:])
		binary.LittleEndian.PutUint64(seed[:], c.Seed)
	}
	if !run.IsLimit(c.Think) {
		return fmt.Errorf("--think %v: must be seconds above 0", c.Think)
	}
	number := binary.LittleEndian.Uint64(seed[:])
	e, err := c.opponent()
	if err != nil {
		return err
	}
	done, err := a.launcher().Ready(a.ctx, e)
	if err != nil {
		return err
	}
	defer done()
	opponent, err := a.launcher().Player(e, r, number, nil)
	if err != nil {
		return err
	}
	defer opponent.Close() //nolint:errcheck // the game has told what was wrong with it
	adviser, err := c.adviser(a, e, r, number)
	if err != nil {
		return err
	}
	defer adviser.Close() //nolint:errcheck // as above
	person := a.newPerson(r, false, adviser)
	you := match.Side{Player: person, Name: "you", Clock: control, Margin: engines.DefaultMargin}
	bot := match.Side{Player: opponent, Name: e.Name, Margin: max(e.Margin, time.Second), Clock: e.Control, Limits: e.Limits(), Learn: e.Learn}
	g := &match.Game{
		ID: "play", Rules: r, Sides: [2]match.Side{you, bot}, Now: a.now,
		Policy: match.Policy{Retries: 1 << 30, Stall: -1, Undo: true}, Dealer: match.NewDealer(r, seed),
	}
	if c.Seat == "second" {
		g.Sides = [2]match.Side{bot, you}
	}
	out := match.Play(a.ctx, g)
	for _, w := range out.Warnings {
		a.warn(w)
	}
	if out.Result.Reason == game.ByAbort {
		return badVerdict("the game was not finished: %s", out.Result.Detail)
	}
	return nil
}

// opponent reads who plays against the person.
func (c *playCmd) opponent() (*engineSpec, error) {
	if c.Engine == "" {
		e, err := engines.Parse("", "bot="+c.Level)
		if err != nil {
			return nil, fmt.Errorf("--level %s: must be 1 to 9 or random", c.Level)
		}
		e.Name, e.Control = "Kibitz level "+c.Level, clock.Control{Turn: time.Duration(c.Think * float64(time.Second))}
		return e, nil
	}
	e, err := engines.Parse("", c.Engine)
	if err != nil {
		return nil, err
	}
	if e.Human {
		return nil, fmt.Errorf("--engine %q: a person is no opponent here: kibitz match has two at a terminal", c.Engine)
	}
	if e.Control.None() && e.Depth == 0 && e.Nodes == 0 && !hasDepth(e) {
		e.Control.Turn = time.Duration(c.Think * float64(time.Second))
	}
	return e, nil
}

// hasDepth tells that an option of the engine bounds its search.
func hasDepth(e *engineSpec) bool {
	return slices.ContainsFunc(e.Options, func(o protocol.Option) bool { return o.Key == "depth" })
}

// adviser makes who gives hints: the engine once more, or a built-in one.
func (c *playCmd) adviser(a *app, e *engineSpec, r rules.Rules, seed uint64) (player.Player, error) {
	if len(e.Cmd) == 0 {
		return a.launcher().Bot(r.Spec().ID(), adviserLevel, bot.Options{Seed: seed})
	}
	return a.launcher().Player(e, r, seed, nil)
}
