package lookup

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"kibitz/internal/plain"
	"kibitz/record"
	"kibitz/record/gamebase"
	"kibitz/record/gamebase/index"
	"kibitz/rules"
)

// IsDate reports whether a text is a year, a month or a day that the calendar has,
// with hyphens or points.
func IsDate(s string) bool {
	return slices.ContainsFunc([]string{"2006", "2006-01", time.DateOnly}, func(form string) bool {
		_, err := time.Parse(form, strings.ReplaceAll(s, ".", "-"))
		return err == nil
	})
}

// Records makes records of games that were found.
func (b *Base) Records(list []gamebase.Game) ([]*record.Game, error) {
	out := make([]*record.Game, len(list))
	for i := range list {
		var err error
		if out[i], err = index.Record(&list[i], b.openSpec); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Found is a game of a base, as JSON.
type Found struct {
	Type    string      `json:"type"`
	ID      int64       `json:"id"`
	Game    string      `json:"game"`
	First   string      `json:"first"`
	Second  string      `json:"second"`
	Date    string      `json:"date"`
	Event   string      `json:"event"`
	Round   string      `json:"round,omitempty"`
	Opening string      `json:"opening,omitempty"`
	Source  string      `json:"source"`
	Winner  *string     `json:"winner"`
	Score   *[2]float64 `json:"score"`
	Board   *[2]float64 `json:"board"`
	Reason  string      `json:"reason"`
	Plies   int         `json:"plies"`
	Moves   string      `json:"moves,omitempty"`
}

func newFound(g *gamebase.Game) Found {
	j := Found{
		Type: "game", ID: g.ID, Game: string(g.Spec), First: g.Players[0], Second: g.Players[1], Date: g.Date, Event: g.Event,
		Round: g.Round, Opening: g.Opening, Source: g.Source, Plies: len(g.Moves),
	}
	if r := g.Result; r != nil {
		j.Score, j.Reason = &r.Points, string(r.Reason)
		if w := r.Winner(); w.IsPlayer() {
			j.Winner = &g.Players[w]
		}
		if r.HasBoard {
			j.Board = &r.Board
		}
	}
	return j
}

type searchJSON struct {
	Type  string `json:"type"`
	Games int    `json:"games"`
	Shown int    `json:"shown"`
}

// Print prints the games that were found, and how many there are in all.
func (b *Base) Print(w io.Writer, asJSON bool, list []gamebase.Game, total int) error {
	for i := range list {
		g := &list[i]
		if !asJSON {
			fmt.Fprintf(w, "%s  %s%s\n", gameText(g), plain.Count(len(g.Moves), "decision"), plain.Prefixed("  ", g.Event))
			continue
		}
		j := newFound(g)
		r, err := b.openSpec(g.Spec)
		if err != nil {
			return err
		}
		j.Moves = rules.FormatTurn(r, g.Moves)
		if err := plain.JSONLine(w, j); err != nil {
			return err
		}
	}
	if asJSON {
		return plain.JSONLine(w, searchJSON{"summary", total, len(list)})
	}
	_, err := fmt.Fprintf(w, "%s found, %d shown\n", plain.Count(total, "game"), len(list))
	return err
}
