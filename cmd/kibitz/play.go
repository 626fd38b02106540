package main

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"time"

	"kibitz/bot"
	"kibitz/clock"
	"kibitz/game"
	"kibitz/games"
	"kibitz/match"
	"kibitz/run"
	"kibitz/run/engines"
)

type playCmd struct {
	Game  string  `arg:"" help:"Game with options, for example othello or gomoku:rule=renju."`
	Level string  `default:"3" help:"Strength of the opponent, 1 to 9, or random."`
	Seat  string  `default:"first" enum:"first,second" help:"Your seat: first or second."`
	TC    string  `name:"tc" help:"Your clock, for example 10:00+5; default none." placeholder:"TC"`
	Think float64 `default:"2" help:"Seconds the opponent may think about a move."`
	Seed  uint64  `help:"Seed of the opponent and of chance; 0 takes one from the system."`
}

// Help returns the example that --help shows.
func (playCmd) Help() string {
	return "Example: kibitz play othello --level 3\n" +
		"While playing: a move such as f5; moves lists all; hint shows a good one; undo takes back, undo 4 all but four moves; " +
		"resign gives up; help. At a terminal you can do so while the opponent thinks, too."
}

// adviserLevel is the level that gives hints.
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
	opponent, err := a.launcher().Bot(r.Spec().ID(), c.Level,
		bot.Options{Seed: binary.LittleEndian.Uint64(seed[:]), Name: "Kibitz level " + c.Level})
	if err != nil {
		return err
	}
	defer opponent.Close() //nolint:errcheck // a bot has nothing that can fail to close
	adviser, err := a.launcher().Bot(r.Spec().ID(), adviserLevel, bot.Options{Seed: binary.LittleEndian.Uint64(seed[:])})
	if err != nil {
		return err
	}
	defer adviser.Close() //nolint:errcheck // as above
	you := match.Side{Player: a.newPerson(r, false, adviser), Name: "you", Clock: control, Margin: engines.DefaultMargin}
	bot := match.Side{
		Player: opponent, Name: "Kibitz level " + c.Level, Margin: time.Second,
		Clock: clock.Control{Turn: time.Duration(c.Think * float64(time.Second))},
	}
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
