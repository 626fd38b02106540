package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kibitz/catalog"
	"kibitz/clock"
	"kibitz/player"
	"kibitz/term/menu"
)

type menuCmd struct {
	Game     string `help:"Game to begin with; default: the one of the last time, else darkchess." placeholder:"G"`
	Settings string `help:"File in which the settings are kept between runs; default: menu.toml in the folder of the user's settings." placeholder:"FILE"`
}

// Help returns the example that --help shows.
func (menuCmd) Help() string {
	return "Example: kibitz menu\nThe numbered menu of the dark chess client, for every game: two programs, or a person and a program, on this machine."
}

// Run shows the menu until its user leaves.
func (c menuCmd) Run(a *app) error {
	path := c.Settings
	if path == "" {
		dir, err := os.UserConfigDir()
		if err != nil {
			return fmt.Errorf("%w; name a file with --settings", err)
		}
		path = filepath.Join(dir, "kibitz", "menu.toml")
	}
	m := &menu.Menu{
		First: "darkchess", Version: version, Path: path, In: a.terminal, Out: a.stdout, Err: a.stderr, Leave: a.drain,
		Play: func(p menu.Match) error { c := menuMatch(p); return c.play(a) },
	}
	for _, g := range catalog.All() {
		row := menu.Game{Game: g.Rules, Labels: g.Menu.Labels, Timer: g.Menu.Timer}
		for _, p := range catalog.ProtocolsOf(g.Rules.ID) {
			row.Protocols = append(row.Protocols, p.ID)
		}
		m.Games = append(m.Games, row)
	}
	return m.Run(c.Game)
}

// menuMatch is what was chosen in the menu as a match.
func menuMatch(p menu.Match) *matchCmd {
	c := &matchCmd{
		Game: p.Game, Games: p.Games, Format: "roundrobin", Concurrency: 1, FixedSeats: !p.Change, Casual: true, Points: "1/0.5/0", Illegal: "lose",
		RatingInterval: 10, Wait: int(p.Pause.Milliseconds()), StartLimit: player.StartLimit.Seconds(), Stall: 600, Board: true,
	}
	for i := range p.Players {
		c.Engine = append(c.Engine, menuEngine(&p.Players[i], p.Clock))
		c.Board = c.Board && !p.Players[i].Human
	}
	if p.MidBoard != "" {
		c.Openings = "file=" + quoteWord(p.MidBoard)
	}
	return c
}

// menuEngine describes a player to a match.
func menuEngine(p *menu.Player, c clock.Control) string {
	var words []string
	switch {
	case p.Human:
		words = append(words, "human=1")
	case p.Level != "":
		words = append(words, "bot="+p.Level)
	default:
		words = append(words, "cmd="+quoteWord(quoteWord(p.Path)), "proto="+p.Protocol)
	}
	if p.Name != "" {
		words = append(words, "name="+quoteWord(p.Name))
	}
	if c.None() {
		return strings.Join(words, " ")
	}
	for _, w := range strings.Fields(c.String()) {
		if !strings.Contains(w, "=") {
			w = "tc=" + w
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

// quoteWord quotes a word as a shell would.
func quoteWord(s string) string { return "'" + strings.ReplaceAll(s, "'", `'"'"'`) + "'" }
