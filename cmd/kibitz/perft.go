package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

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
		if nodes, err = c.divide(a, r, state); err != nil {
			return err
		}
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

func (c perftCmd) count(s rules.State, depth int) uint64 {
	switch {
	case c.Steps:
		return rules.PerftSteps(s, depth)
	case c.Flips:
		return rules.PerftChance(s, depth)
	}
	return rules.Perft(s, depth)
}

// divide prints one line for each first decision. In games whose turns have
// several decisions these are single steps; the counts below them still end after
// the same number of turns.
func (c perftCmd) divide(a *app, r rules.Rules, s rules.State) (uint64, error) {
	type row struct {
		text  string
		nodes uint64
	}
	var rows []row
	var total uint64
	for _, m := range s.Legal(nil) {
		if m.Op == game.Flip && !c.Flips && !c.Steps {
			continue
		}
		t := s.Clone()
		if _, err := t.Apply(m, nil); err != nil {
			return 0, err
		}
		below := c.Depth - 1
		if turn := t.Turn(); !c.Steps && turn.Step > 0 && turn.Seat.IsPlayer() {
			below = c.Depth
		}
		n := c.count(t, below)
		rows = append(rows, row{r.FormatMove(m), n})
		total += n
	}
	slices.SortFunc(rows, func(x, y row) int { return cmp.Compare(x.text, y.text) })
	for _, x := range rows {
		if !c.JSON {
			fmt.Fprintf(a.stdout, "%s: %d\n", x.text, x.nodes)
		}
	}
	return total, nil
}
