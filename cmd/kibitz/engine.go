package main

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"kibitz/bot"
	"kibitz/catalog"
	"kibitz/games"
	"kibitz/internal/drain"
	"kibitz/internal/process"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/protocol/serving"
	"kibitz/rules"
	"kibitz/run/engines"
	"kibitz/term"
)

type engineCmd struct {
	Game    string   `arg:"" help:"Game with options, for example othello or gomoku:rule=renju."`
	Proto   string   `help:"Protocol; default: the game's usual one." placeholder:"P"`
	Level   string   `default:"9" help:"Strength 1 to 9, or random."`
	Seed    uint64   `help:"Seed of all random choices." default:"1"`
	Memory  string   `help:"Memory limit, for example 350M." placeholder:"BYTES"`
	Name    string   `help:"Name to introduce itself with."`
	Dialect []string `help:"Switch of the protocol, KEY=VALUE; repeatable." placeholder:"KEY=VALUE"`
	Variety int      `help:"In the first N plies of a game draw by lot among moves that are nearly the best." placeholder:"N"`
	Book    string   `help:"File of an opening book of its own, which learn adds to; it is made if it is missing. none: no book, not the one that level 9 has either (./none is a file). Othello." placeholder:"FILE|none"`
	Games   int      `name:"self-play" help:"Serve nobody: play N games against itself, learn them into the book, and end." placeholder:"N"`
	Expand  int      `help:"Serve nobody: add N positions to the book where games are likely to leave it, and end." placeholder:"N"`
	Address []string `arg:"" optional:"" help:"With a protocol whose engines connect to the manager: its address and port, as the manager appends them."`
	Dir     string   `help:"With a protocol that goes through files: the folder where they lie, else the working directory." placeholder:"DIR"`
	Listen  string   `help:"Wait for the manager on this TCP address instead of stdin and stdout." placeholder:"HOST:PORT"`
}

// Help returns the example that --help shows.
func (engineCmd) Help() string {
	return "Examples: kibitz engine othello --proto nboard --level 5\n          kibitz engine gomoku (as an engine in a Gomocup manager)"
}

// Run serves one manager until it ends.
func (c engineCmd) Run(a *app) error {
	r, err := games.Open(c.Game)
	if err != nil {
		return err
	}
	proto, err := catalog.ProtocolFor(r.Spec().ID(), c.Proto)
	if err != nil {
		return err
	}
	dialect, err := parseDialect(c.Dialect)
	if err != nil {
		return err
	}
	var memory int64
	if c.Memory != "" {
		if memory, err = engines.ParseBytes("memory", c.Memory); err != nil {
			return err
		}
	}
	p, err := a.launcher().Bot(r.Spec().ID(), c.Level, bot.Options{Seed: c.Seed, Memory: memory, Name: c.Name, Variety: c.Variety})
	if err != nil {
		return err
	}
	if done, err := c.book(a, p); done || err != nil {
		return errors.Join(err, p.Close())
	}
	m := &serving.Manager{Listen: c.Listen, Address: c.Address, Dir: c.Dir}
	return a.serve(m, proto, protocol.Server{
		Player: p, Name: cmp.Or(c.Name, "Kibitz "+c.Level), Author: "Kibitz", Game: r.Spec(), Limits: player.Limits{Memory: memory},
		Dialect: dialect, ReadFile: m.Files(), CPUTime: func() time.Duration { cpu, _ := process.Usage(); return cpu },
	})
}

// serve serves one manager with a player; the first interrupt ends it, as an engine has no games of
// its own to end first.
func (a *app) serve(m *serving.Manager, proto protocol.Protocol, s protocol.Server) error {
	m.In, m.Out = a.stdin, term.Bare(a.stdout)
	m.Listening = func(at net.Addr) { fmt.Fprintf(a.stderr, "listening on %s\n", at) }
	s.Position, s.Now, s.Version, s.Log = rules.NewBoard(games.OpenSpec), a.now, version, a.warn
	ctx, stop := drain.Context(a.ctx, a.drain)
	defer stop()
	return m.Serve(ctx, proto, s)
}

func parseDialect(list []string) (map[string]string, error) {
	out := map[string]string{}
	for _, d := range list {
		key, value, ok := strings.Cut(d, "=")
		if !ok {
			return nil, fmt.Errorf("--dialect %q: write KEY=VALUE", d)
		}
		out[key] = value
	}
	return out, nil
}
