package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/games"
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
	state := r.New()
	if c.Position != "" {
		if state, err = r.Position(c.Position); err != nil {
			return fmt.Errorf("--position: %w", err)
		}
	}
	began := a.now()
	var nodes uint64
	if c.Divide && c.Depth > 0 {
		nodes = c.divide(a, r, state)
	} else {
		nodes = c.count(state, c.Depth)
	}
	seconds := a.now().Sub(began).Seconds()
	j := perftJSON{Game: string(r.Spec()), Depth: c.Depth, Nodes: nodes, Seconds: seconds}
	if seconds > 0 {
		j.NPS = float64(nodes) / seconds
	}
	if c.JSON {
		b, err := json.Marshal(j)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "%s\n", b)
		return nil
	}
	fmt.Fprintf(a.stdout, "perft(%d) = %d in %.3f s, %.1f million/s\n", c.Depth, nodes, seconds, j.NPS/1e6)
	return nil
}

// count counts by the convention of cli.md: turns as the game itself counts them,
// dark chess without flips unless asked.
func (c perftCmd) count(s rules.State, depth int) uint64 {
	if c.Steps {
		return rules.PerftSteps(s, depth)
	}
	if _, chance := s.(rules.Chance); chance {
		return rules.Counter{NoChance: !c.Flips}.Count(s, depth)
	}
	if p, ok := s.(rules.Perfter); ok {
		return p.Perft(depth)
	}
	return rules.Perft(s, depth)
}

// divide prints one line for each first turn, or each first decision with --steps.
func (c perftCmd) divide(a *app, r rules.Rules, s rules.State) uint64 {
	type row struct {
		text  string
		nodes uint64
	}
	_, chance := s.(rules.Chance)
	var counter rules.Counter
	if own, ok := r.(rules.Counted); ok && !c.Steps {
		counter = own.Counting()
	}
	counter.Steps, counter.NoChance = c.Steps, chance && !c.Flips
	var rows []row
	var total uint64
	counter.Turns(s, func(steps []game.Move, after rules.State, _ bool) {
		texts := make([]string, len(steps))
		for i, m := range steps {
			texts[i] = r.FormatMove(m)
		}
		n := c.count(after, c.Depth-1)
		rows = append(rows, row{strings.Join(texts, " "), n})
		total += n
	})
	slices.SortFunc(rows, func(x, y row) int { return cmp.Compare(x.text, y.text) })
	for _, x := range rows {
		if !c.JSON {
			fmt.Fprintf(a.stdout, "%s: %d\n", x.text, x.nodes)
		}
	}
	return total
}
