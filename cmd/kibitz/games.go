package main

import (
	"fmt"

	"kibitz/catalog"
	"kibitz/internal/plain"
)

type gamesCmd struct {
	JSON bool `name:"json" help:"One JSON object for each game, a line each."`
}

// Help returns the example that --help shows.
func (gamesCmd) Help() string { return "Example: kibitz games --json" }

// Run lists the games.
func (c gamesCmd) Run(a *app) error {
	for i, g := range catalog.All() {
		j, err := g.Listing()
		switch {
		case err != nil:
			return err
		case c.JSON:
			err = plain.JSONLine(a.stdout, j)
		default:
			if i > 0 {
				fmt.Fprintln(a.stdout)
			}
			err = j.Print(a.stdout)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
