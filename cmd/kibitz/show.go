package main

import (
	"fmt"

	"kibitz/games"
	"kibitz/internal/plain"
	"kibitz/record"
	"kibitz/term/show"
)

type showCmd struct {
	File        string `arg:"" help:"Record in any format."`
	Ply         *int   `help:"Position after N decisions of which the view knows; default: the last." placeholder:"N"`
	View        string `default:"all" enum:"first,second,public,all,arbiter" help:"What first, second or the public could see, or all (the arbiter)."`
	Game        string `help:"Game with options, for formats that do not say them." placeholder:"G"`
	From        string `help:"Format, if the extension does not say." placeholder:"F"`
	Only        *int   `help:"Show only game number N of the file." placeholder:"N"`
	Orientation string `default:"upright" enum:"upright,turned,lying" help:"Draw the board upright, turned by half a circle, or lying on its side."`
	Moves       bool   `help:"Print the moves too." negatable:"" default:"true"`
}

// Help returns the example that --help shows.
func (showCmd) Help() string {
	return "Example: kibitz show run/games/000001.json --ply 20 --view public"
}

// Run prints the games of a record.
func (c showCmd) Run(a *app) error {
	only, err := fromOne("--only", c.Only)
	if err != nil {
		return err
	}
	list, err := loadRecords(a, c.File, c.Game, c.From)
	if err != nil && len(list) == 0 {
		return err
	}
	if err != nil {
		a.warn(plain.OneLine(err))
	}
	if list, err = onlyGame(list, "--only", only, c.File); err != nil {
		return err
	}
	p := show.Printer{
		W: a.stdout, Colour: coloured(a.stdout), Open: games.OpenSpec, File: c.File, View: c.View, Ply: c.Ply,
		Orientation: c.Orientation, Moves: c.Moves,
	}
	for i, g := range list {
		if i > 0 {
			fmt.Fprintln(a.stdout)
		}
		if err := p.Game(g); err != nil {
			return record.InFile(c.File, err)
		}
	}
	return nil
}
