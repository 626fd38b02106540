package main

import (
	"fmt"

	"kibitz/catalog"
	"kibitz/games"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/protocol/serving"
	"kibitz/run/engines"
)

type bridgeCmd struct {
	From    string   `required:"" help:"Protocol of the manager outside." placeholder:"PROTO"`
	Game    string   `required:"" help:"Game with options." placeholder:"G"`
	Engine  string   `required:"" help:"Engine behind the bridge, key=value words." placeholder:"S"`
	Address []string `arg:"" optional:"" help:"Address and port of the manager, where engines of its protocol connect to it."`
	Dialect []string `help:"Switch of the outer protocol, KEY=VALUE; repeatable." placeholder:"KEY=VALUE"`
}

// Help returns the example that --help shows.
func (bridgeCmd) Help() string {
	return "Example: kibitz bridge --from nboard --game othello --engine \"cmd='gtp-rhino' proto=gtp\""
}

// Run serves one manager with an engine of another protocol.
func (c bridgeCmd) Run(a *app) error {
	r, err := games.Open(c.Game)
	if err != nil {
		return err
	}
	outer, err := catalog.ProtocolFor(r.Spec().ID(), c.From)
	if err != nil {
		return err
	}
	dialect, err := parseDialect(c.Dialect)
	if err != nil {
		return err
	}
	e, err := engines.Parse("", c.Engine)
	if err != nil {
		return err
	}
	if e.Human {
		return fmt.Errorf("--engine: a person at this terminal cannot sit behind a bridge")
	}
	done, err := a.launcher().Ready(a.ctx, e)
	if err != nil {
		return err
	}
	defer done()
	p, err := a.launcher().Player(e, r, 1, nil)
	if err != nil {
		return err
	}
	return a.serve(&serving.Manager{Address: c.Address}, outer, protocol.Server{
		Player: p, Name: e.Name, Author: "Kibitz bridge", Game: r.Spec(), Dialect: dialect,
		Limits: player.Limits{Memory: e.Memory, Depth: e.Depth, Nodes: e.Nodes, Threads: e.Threads},
	})
}
