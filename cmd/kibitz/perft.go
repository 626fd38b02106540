package main

import (
	"fmt"

	"kibitz/games"
	"kibitz/internal/plain"
	"kibitz/rules"
)

type perftCmd struct {
	Game     string `arg:"" help:"Game with options, for example othello or gomoku:size=9."`
	Depth    int    `arg:"" help:"Depth in turns, or in decisions with --steps."`
	Position string `help:"Position in the game's text form." placeholder:"P"`
	Divide   bool   `help:"Print the count below each first decision."`
	Steps    bool   `help:"Count single decisions instead of turns."`
	Flips    bool   `help:"Dark chess: count flips with all their outcomes too."`
	JSON     bool   `name:"json" help:"Print one JSON object."`
}

// Help returns the example that --help shows.
func (perftCmd) Help() string { return "Example: kibitz perft othello 9 --divide" }

type perftJSON struct {
	Game    string  `json:"game"`
	Depth   int     `json:"depth"`
	Nodes   uint64  `json:"nodes"`
	Seconds float64 `json:"seconds"`
	NPS     float64 `json:"nps"`
}

// Run counts the leaves.
func (c perftCmd) Run(a *app) error {
	if c.Depth < 0 || c.Depth > 200 {
		return fmt.Errorf("depth %d: must be from 0 to 200", c.Depth)
	}
	r, err := games.Open(c.Game)
	if err != nil {
		return err
	}
	state, err := rules.Start(r, c.Position)
	if err != nil {
		return fmt.Errorf("--position: %w", err)
	}
	began := a.now()
	nodes := c.count(a, rules.Tree{Rules: r, Steps: c.Steps, Chance: c.Flips}, state)
	seconds := a.now().Sub(began).Seconds()
	j := perftJSON{Game: string(r.Spec()), Depth: c.Depth, Nodes: nodes, Seconds: seconds}
	if seconds > 0 {
		j.NPS = float64(nodes) / seconds
	}
	if c.JSON {
		return plain.JSONLine(a.stdout, j)
	}
	fmt.Fprintf(a.stdout, "perft(%d) = %d in %.3f s, %.1f million/s\n", c.Depth, nodes, seconds, j.NPS/1e6)
	return nil
}

// count counts the leaves, and prints those below each first turn if they are asked for.
func (c perftCmd) count(a *app, t rules.Tree, s rules.State) (nodes uint64) {
	if !c.Divide || c.Depth == 0 {
		return t.Count(s, c.Depth)
	}
	for _, x := range t.Divide(s, c.Depth) {
		if nodes += x.Nodes; !c.JSON {
			fmt.Fprintf(a.stdout, "%s: %d\n", x.Text, x.Nodes)
		}
	}
	return nodes
}
