package full

import (
	"fmt"

	"kibitz/cmd/kibitz/outside"
	"kibitz/games"
	"kibitz/record/formats"

	"kibitz/record/gamebase"
	"kibitz/record/gamebase/index"
	"kibitz/record/gamebase/lookup"
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
func (c baseSearchCmd) Run(w *outside.World) error {
	if c.Limit < 0 || c.Offset < 0 {
		return fmt.Errorf("--limit %d --offset %d: must be 0 or more", c.Limit, c.Offset)
	}
	for _, d := range []string{c.Since, c.Until} {
		if d != "" && !lookup.IsDate(d) {
			return fmt.Errorf("date %q: write a year, a month or a day: 1984, 2021-05, 2021-05-03", d)
		}
	}
	b, err := openBase(w, c.Base)
	if err != nil {
		return err
	}
	defer b.Close() //nolint:errcheck // nothing was written
	q := gamebase.Query{
		Player: c.Player, First: c.First, Second: c.Second, Event: c.Event, Opening: c.Opening, Result: c.Result,
		Since: c.Since, Until: c.Until, Limit: c.Limit, Offset: c.Offset,
	}
	if c.Game != "" {
		r, err := b.Rules(w.Ctx, c.Game)
		if err != nil {
			return err
		}
		q.Spec = r.Spec()
	}
	if c.Moves != "" || c.Position != "" {
		r, s, err := b.Find(w.Ctx, lookup.At{Game: c.Game, Moves: c.Moves, Position: c.Position})
		if err != nil {
			return flagOfField(err)
		}
		p := index.Place(index.Keyer(r), s)
		q.Place = &p
	}
	list, total, err := b.Search(w.Ctx, q)
	if err != nil {
		return err
	}
	if c.Out != "" {
		if err := c.write(w, b, list); err != nil {
			return err
		}
	}
	return b.Print(w.Stdout, c.JSON, list, total)
}

// write writes the games found.
func (c *baseSearchCmd) write(w *outside.World, b *lookup.Base, list []gamebase.Game) error {
	f, err := formats.New(games.OpenSpec).Find(c.Out, c.To)
	if err != nil {
		return err
	}
	if f.Write == nil {
		return fmt.Errorf("--out %s: format %s can only be read", c.Out, f.ID)
	}
	if f.Single && len(list) != 1 {
		return fmt.Errorf("--out %s: format %s holds one game, not %d", c.Out, f.ID, len(list))
	}
	found, err := b.Records(list)
	if err != nil {
		return err
	}
	return w.Save(&f, c.Out, found)
}
