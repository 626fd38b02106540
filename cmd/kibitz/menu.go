package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kibitz/catalog"
	"kibitz/clock"
	"kibitz/games"
	"kibitz/run"
	"kibitz/run/engines"
	"kibitz/term/menu"
)

type menuCmd struct {
	Game     string `help:"Game to begin with; default: the one of the last time, else darkchess." placeholder:"G"`
	Settings string `help:"File in which the settings are kept between runs; default: menu.toml in the folder of the user's settings." placeholder:"FILE"`
}

// Help returns the example that --help shows.
func (menuCmd) Help() string {
	return "Example: kibitz menu\n" +
		"The numbered menu of the dark chess client, for every game: two programs, or a person and a program, " +
		"on this machine, or one of them in a room of a hall (LocalServer: No).\n" +
		"The password of an account is not kept; KIBITZ_PASSWORD has it where nobody types it."
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
		Play: func(p menu.Match) (err error) {
			if p.MidBoard, err = midBoard(a, p.MidBoard, p.Game); err != nil {
				return err
			}
			return playMatch(a, menuMatch(p))
		},
		About: func(p menu.Player, spec string) string { return aboutOf(a, &p, spec) },
		Visit: func(v menu.Visit) error { return visit(a, &v) },
		Rooms: func(v menu.Visit, id string) ([]menu.Room, error) { return menuRooms(a.ctx, &v, id) },
	}
	for _, g := range catalog.All() {
		own, _ := g.Menu.Get()
		row := menu.Game{Game: g.Rules, Labels: own.Labels, Timer: own.Timer}
		for _, p := range catalog.ProtocolsOf(g.Rules.ID) {
			row.Protocols = append(row.Protocols, p.ID)
		}
		m.Games = append(m.Games, row)
	}
	return m.Run(c.Game)
}

// aboutOf is what a program says of itself.
func aboutOf(a *app, p *menu.Player, spec string) string {
	r, err := games.Open(spec)
	if err != nil {
		return ""
	}
	e, err := engines.Parse("", menuEngine(p, clock.Control{}).String())
	if err != nil {
		return ""
	}
	done, err := a.launcher().Ready(a.ctx, e)
	if err != nil {
		return "" // the game tells why
	}
	defer done()
	_, about := a.launcher().Introduced(a.ctx, e, r)
	return about
}

// menuMatch is what was chosen in the menu as a match.
func menuMatch(p menu.Match) run.Settings {
	c := run.Usual()
	c.Game, c.Games, c.FixedSeats, c.Casual = p.Game, p.Games, !p.Change, true
	c.Illegal, c.Wait, c.Board = run.Illegal{}, int(p.Pause.Milliseconds()), true
	for i := range p.Players {
		c.Engine = append(c.Engine, menuEngine(&p.Players[i], p.Clock))
		c.Board = c.Board && !p.Players[i].Human
	}
	if p.MidBoard != "" {
		c.Openings = &run.Openings{File: p.MidBoard, Start: 1}
	}
	return c
}

// menuEngine describes a player to a match.
func menuEngine(p *menu.Player, c clock.Control) (words engines.Words) {
	switch {
	case p.Human:
		words = words.With("human", "1")
	case p.Level != "":
		words = words.With("bot", p.Level)
	default:
		words = words.With("cmd", engines.Quote(p.Path)).With("proto", p.Protocol)
	}
	if p.Name != "" {
		words = words.With("name", p.Name)
	}
	if c.None() {
		return words
	}
	for w := range strings.FieldsSeq(c.String()) {
		key, value, ok := strings.Cut(w, "=")
		if !ok {
			key, value = "tc", w
		}
		words = words.With(key, value)
	}
	return words
}
