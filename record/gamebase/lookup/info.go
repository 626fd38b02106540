package lookup

import (
	"context"
	"fmt"
	"io"

	"kibitz/internal/plain"
)

type infoJSON struct {
	Type      string         `json:"type"`
	Games     int            `json:"games"`
	Players   int            `json:"players"`
	Events    int            `json:"events"`
	Positions int            `json:"positions"`
	Plies     int            `json:"plies"`
	First     int            `json:"first_year"`
	Last      int            `json:"last_year"`
	Specs     map[string]int `json:"specs"`
}

// Info prints what the base holds.
func (b *Base) Info(ctx context.Context, w io.Writer, asJSON bool) error {
	in, err := b.Base.Info(ctx)
	if err != nil {
		return err
	}
	if asJSON {
		j := infoJSON{
			Type: "info", Games: in.Games, Players: in.Players, Events: in.Events, Positions: in.Positions,
			Plies: in.Plies, First: in.First, Last: in.Last, Specs: map[string]int{},
		}
		for _, s := range in.Specs {
			j.Specs[string(s.Spec)] = s.Games
		}
		return plain.JSONLine(w, j)
	}
	fmt.Fprintf(w, "%s of %s at %s, %s", plain.Count(in.Games, "game"),
		plain.Count(in.Players, "player"), plain.Count(in.Events, "event"), plain.Count(in.Positions, "position"))
	if in.Plies > 0 {
		fmt.Fprintf(w, " (the first %d plies of each game)", in.Plies)
	}
	if in.First > 0 {
		fmt.Fprintf(w, ", %d to %d", in.First, in.Last)
	}
	fmt.Fprintln(w)
	for _, s := range in.Specs {
		fmt.Fprintf(w, "  %s: %s\n", s.Spec, plain.Count(s.Games, "game"))
	}
	return nil
}
