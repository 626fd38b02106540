package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"kibitz/gamebase"
	"kibitz/gamebase/index"
	"kibitz/games"
	"kibitz/internal/plain"
	"kibitz/record"
	"kibitz/rules"
)

type baseSearchCmd struct {
	Base     string `arg:"" help:"Game base."`
	Game     string `help:"Game with options; default: all, or with a position the only one of the base." placeholder:"G"`
	Player   string `help:"Part of the name of either player." placeholder:"NAME"`
	First    string `help:"Part of the name of the first player." placeholder:"NAME"`
	Second   string `help:"Part of the name of the second player." placeholder:"NAME"`
	Result   string `help:"first, second, draw or unknown; win or loss of --player." placeholder:"R"`
	Since    string `help:"Games of this date or later: 1984, 2021-05, 2021-05-03." placeholder:"DATE"`
	Until    string `help:"Games of this date or earlier." placeholder:"DATE"`
	Event    string `help:"Part of the name of the event." placeholder:"NAME"`
	Opening  string `help:"Part of the name of the opening, where records name one." placeholder:"NAME"`
	Moves    string `help:"Games that came to the position after these moves, in whatever order." placeholder:"M"`
	Position string `help:"Games that came to this position." placeholder:"P"`
	Limit    int    `default:"20" help:"How many games to show; 0 is all."`
	Offset   int    `help:"How many games to pass over."`
	Out      string `help:"Write the games found to a file." placeholder:"FILE"`
	To       string `help:"Format of --out, if the extension does not say." placeholder:"F"`
	JSON     bool   `name:"json" help:"One JSON object for each game, then a summary."`
}

// Help returns the example that --help shows.
func (baseSearchCmd) Help() string {
	return "Examples: kibitz base search wthor.base --player tamenori --result win --since 1984\n" +
		"          kibitz base search wthor.base --moves f5d6c3d3c4 --limit 0 --out tiger.ggf"
}

// Run finds games.
func (c baseSearchCmd) Run(a *app) error {
	if c.Limit < 0 || c.Offset < 0 {
		return fmt.Errorf("--limit %d --offset %d: must be 0 or more", c.Limit, c.Offset)
	}
	for _, d := range []string{c.Since, c.Until} {
		if d != "" && !isDate(d) {
			return fmt.Errorf("date %q: write a year, a month or a day: 1984, 2021-05, 2021-05-03", d)
		}
	}
	b, err := gamebase.Open(a.ctx, c.Base)
	if err != nil {
		return err
	}
	defer b.Close() //nolint:errcheck // nothing was written
	q := gamebase.Query{
		Player: c.Player, First: c.First, Second: c.Second, Event: c.Event, Opening: c.Opening, Result: c.Result,
		Since: c.Since, Until: c.Until, Limit: c.Limit, Offset: c.Offset,
	}
	if c.Game != "" {
		r, err := specOf(a, b, c.Base, c.Game)
		if err != nil {
			return err
		}
		q.Spec = r.Spec()
	}
	if c.Moves != "" || c.Position != "" {
		at := whereabouts{game: c.Game, moves: c.Moves, position: c.Position}
		r, s, err := at.find(a, b, c.Base)
		if err != nil {
			return err
		}
		p := index.Place(index.Keyer(r), s)
		q.Place = &p
	}
	list, total, err := b.Search(a.ctx, q)
	if err != nil {
		return err
	}
	if c.Out != "" {
		if err := c.write(a, list); err != nil {
			return err
		}
	}
	return c.print(a, list, total)
}

// isDate reports whether a text is a year, a month or a day that the calendar has,
// with hyphens or points.
func isDate(s string) bool {
	return slices.ContainsFunc([]string{"2006", "2006-01", time.DateOnly}, func(form string) bool {
		_, err := time.Parse(form, strings.ReplaceAll(s, ".", "-"))
		return err == nil
	})
}

// write writes the games found.
func (c *baseSearchCmd) write(a *app, list []gamebase.Game) error {
	f, err := records().Find(c.Out, c.To)
	if err != nil {
		return err
	}
	if f.Write == nil {
		return fmt.Errorf("--out %s: format %s can only be read", c.Out, f.ID)
	}
	if f.Single && len(list) != 1 {
		return fmt.Errorf("--out %s: format %s holds one game, not %d", c.Out, f.ID, len(list))
	}
	var records []*record.Game
	for i := range list {
		g, err := index.Record(&list[i], games.OpenSpec)
		if err != nil {
			return err
		}
		records = append(records, g)
	}
	if _, err := f.Save(c.Out, records); err != nil {
		return fmt.Errorf("--out %s: %w", c.Out, err)
	}
	fmt.Fprintf(a.stderr, "%s written to %s (%s)\n", plain.Count(len(list), "game"), c.Out, f.Title)
	return nil
}

type baseGameJSON struct {
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

func newBaseGameJSON(g *gamebase.Game) baseGameJSON {
	j := baseGameJSON{
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

func (c *baseSearchCmd) print(a *app, list []gamebase.Game, total int) error {
	for i := range list {
		g := &list[i]
		if !c.JSON {
			fmt.Fprintf(a.stdout, "%s  %s%s\n", gameText(g), plain.Count(len(g.Moves), "decision"), plain.Prefixed("  ", g.Event))
			continue
		}
		j := newBaseGameJSON(g)
		r, err := games.OpenSpec(g.Spec)
		if err != nil {
			return err
		}
		j.Moves = rules.FormatTurn(r, g.Moves)
		if err := plain.JSONLine(a.stdout, j); err != nil {
			return err
		}
	}
	if c.JSON {
		return plain.JSONLine(a.stdout, searchJSON{"summary", total, len(list)})
	}
	_, err := fmt.Fprintf(a.stdout, "%s found, %d shown\n", plain.Count(total, "game"), len(list))
	return err
}
