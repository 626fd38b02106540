package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"kibitz/game"
	"kibitz/gamebase"
	"kibitz/gamebase/index"
	"kibitz/games"
	"kibitz/internal/plain"
	"kibitz/rules"
)

// baseCmd are the commands of game bases.
type baseCmd struct {
	Import baseImportCmd `cmd:"" help:"Add the games of records; games that are there already are not counted twice."`
	Look   baseLookCmd   `cmd:"" help:"Show what was played in a position, how often and with what result."`
	Search baseSearchCmd `cmd:"" help:"Find games by player, result, date, event, opening or position."`
	Info   baseInfoCmd   `cmd:"" help:"Show what a base holds."`
}

// specOf finds the game that is meant: the one named, or the only one of the base.
// A name without options means the only one of that name, if there is one.
func specOf(a *app, b *gamebase.Base, name, text string) (rules.Rules, error) {
	list, err := b.Specs(a.ctx)
	if err != nil {
		return nil, err
	}
	var known []string
	for _, s := range list {
		if text == "" || s.Spec.ID() == text {
			known = append(known, string(s.Spec))
		}
	}
	switch {
	case len(known) == 1:
		return games.Open(known[0])
	case text != "":
		return games.Open(text)
	case len(known) == 0:
		return nil, fmt.Errorf("%s holds no game", name)
	}
	return nil, fmt.Errorf("%s holds several games, say which with --game: %s", name, strings.Join(known, "; "))
}

// inBase returns an error if a base has no game under the rules that are asked for.
func inBase(a *app, b *gamebase.Base, name string, spec game.Spec) error {
	list, err := b.Specs(a.ctx)
	if err != nil {
		return err
	}
	known := make([]string, len(list))
	for i, s := range list {
		if known[i] = string(s.Spec); s.Spec == spec {
			return nil
		}
	}
	if len(known) == 0 {
		return fmt.Errorf("%s holds no game", name)
	}
	return fmt.Errorf("%s holds no game of %s: it holds %s", name, spec, strings.Join(known, "; "))
}

type baseLookCmd struct {
	Base     string `arg:"" help:"Game base."`
	Game     string `help:"Game with options, if the base holds several." placeholder:"G"`
	Moves    string `help:"Position after these moves from the start, for example f5d6c3." placeholder:"M"`
	Position string `help:"Position in the game's text form; --moves go on from it." placeholder:"P"`
	Record   string `help:"Position of a record, with --ply." placeholder:"FILE"`
	Number   int    `default:"1" help:"Number of the game in the record."`
	Ply      *int   `help:"Position of the record after N decisions; default: the last." placeholder:"N"`
	Examples int    `default:"1" help:"How many games to name for each move."`
	JSON     bool   `name:"json" help:"Print one JSON object."`
}

// Help returns the example that --help shows.
func (baseLookCmd) Help() string {
	return "Examples: kibitz base look wthor.base --moves f5d6c3\n          kibitz base look wthor.base --record game.ggf --ply 12 --json"
}

// Run shows a position.
func (c baseLookCmd) Run(a *app) error {
	if c.Examples < 0 {
		return fmt.Errorf("--examples %d: must be 0 or more", c.Examples)
	}
	b, err := gamebase.Open(a.ctx, c.Base)
	if err != nil {
		return err
	}
	defer b.Close() //nolint:errcheck // nothing was written
	at := whereabouts{game: c.Game, moves: c.Moves, position: c.Position, record: c.Record, number: c.Number, ply: c.Ply}
	r, s, err := at.find(a, b, c.Base)
	if err != nil {
		return err
	}
	if err := inBase(a, b, c.Base, r.Spec()); err != nil {
		return err
	}
	k := index.Keyer(r)
	look, err := b.Look(a.ctx, index.Place(k, s), c.Examples)
	if err != nil {
		return err
	}
	out := lookOut{a: a, b: b, r: r, s: s, look: look}
	if err := out.fill(k); err != nil {
		return err
	}
	if c.JSON {
		return out.json()
	}
	return out.print()
}

// lookOut prints a look-up.
type lookOut struct {
	a       *app
	b       *gamebase.Base
	r       rules.Rules
	s       rules.State
	look    *gamebase.Look
	reached map[game.Move]int
	other   []game.Move // moves not played here that lead to known positions
	games   map[int64]*gamebase.Game
}

// fill looks up the positions behind the legal moves, and the games that are named.
func (o *lookOut) fill(k *gamebase.Keyer) error {
	o.reached = map[game.Move]int{}
	known := map[game.Move]bool{}
	for _, m := range o.look.Moves {
		known[m.Move] = true
		for _, x := range m.Same {
			known[x] = true
		}
	}
	for _, m := range o.s.Legal(nil) {
		next := o.s.Clone()
		if _, err := next.Apply(m, nil); err != nil || next.Turn().Seat == game.Dealer {
			continue // what chance decides comes between
		}
		n, err := o.b.Reached(o.a.ctx, index.Place(k, next))
		if err != nil {
			return err
		}
		o.reached[m] = n
		if n > 0 && !known[m] {
			o.other = append(o.other, m)
		}
	}
	slices.SortStableFunc(o.other, func(x, y game.Move) int { return cmp.Compare(o.reached[y], o.reached[x]) })
	ids := []int64{}
	for _, m := range o.look.Moves {
		ids = append(ids, m.Latest...)
	}
	slices.Sort(ids)
	list, _, err := o.b.Search(o.a.ctx, gamebase.Query{IDs: slices.Compact(ids)})
	if err != nil {
		return err
	}
	o.games = map[int64]*gamebase.Game{}
	for i := range list {
		o.games[list[i].ID] = &list[i]
	}
	return nil
}

func share(part, all int) float64 { return float64(part) / float64(max(1, all)) }

func meanOf(c *gamebase.Count) string {
	if c.Scored == 0 {
		return "-"
	}
	return plain.Signed(math.Round(100*c.Mean()) / 100)
}

func pointsOf(c *gamebase.Count) string {
	if c.Decided() == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f%%", 100*c.Points())
}

func yearOf(c *gamebase.Count) string {
	if c.Last == 0 {
		return "-"
	}
	return strconv.Itoa(c.Last)
}

func (o *lookOut) print() error {
	seat := o.s.Turn().Seat
	fmt.Fprintf(o.a.stdout, "%s: %s\n", o.r.Spec(), o.s.Text())
	all := &o.look.All
	if all.Games == 0 {
		fmt.Fprintln(o.a.stdout, "no game came to this position")
		o.printOther()
		return nil
	}
	fmt.Fprintf(o.a.stdout, "%s, %s to decide: +%d =%d -%d, %s of the points, mean score %s, last %s\n",
		plain.Count(all.Games, "game"), seat, all.Wins, all.Draws, all.Losses, pointsOf(all), meanOf(all), yearOf(all))
	t := tabwriter.NewWriter(o.a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  move\tgames\tshare\twon\tdrawn\tlost\tpoints\tscore\tlast\treached\tfor example")
	for i := range o.look.Moves {
		m := &o.look.Moves[i]
		fmt.Fprintf(t, "  %s\t%d\t%.1f%%\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%s\n", o.moveText(m), m.Games, 100*share(m.Games, all.Games),
			m.Wins, m.Draws, m.Losses, pointsOf(&m.Count), meanOf(&m.Count), yearOf(&m.Count), o.reachedText(m.Move), o.exampleText(m))
	}
	if n := o.look.Ended.Games; n > 0 {
		fmt.Fprintf(t, "  (end)\t%d\t%.1f%%\n", n, 100*share(n, all.Games))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	o.printOther()
	return nil
}

// reachedText is how many games came to the position after a move; where chance
// comes between, or beyond the plies that are indexed, that is not known.
func (o *lookOut) reachedText(m game.Move) string {
	if n := o.reached[m]; n > 0 {
		return strconv.Itoa(n)
	}
	return "-"
}

func (o *lookOut) printOther() {
	if len(o.other) == 0 {
		return
	}
	var list []string
	for _, m := range o.other[:min(len(o.other), 12)] {
		list = append(list, fmt.Sprintf("%s (%d)", o.r.FormatMove(m), o.reached[m]))
	}
	if n := len(o.other) - len(list); n > 0 {
		list = append(list, fmt.Sprintf("and %d more", n))
	}
	fmt.Fprintf(o.a.stdout, "not played here, but leading to known positions: %s\n", strings.Join(list, ", "))
}

// moveText names a move; images of it in a symmetric position stand behind it.
func (o *lookOut) moveText(m *gamebase.Played) string {
	text := o.r.FormatMove(m.Move)
	if len(m.Same) > 0 {
		text += fmt.Sprintf(" (x%d)", len(m.Same)+1)
	}
	return text
}

func (o *lookOut) exampleText(m *gamebase.Played) string {
	var list []string
	for _, id := range m.Latest {
		if g := o.games[id]; g != nil {
			list = append(list, gameText(g))
		}
	}
	return strings.Join(list, "; ")
}

// gameText names a game in one line.
func gameText(g *gamebase.Game) string {
	text := fmt.Sprintf("#%d %s - %s", g.ID, g.Players[0], g.Players[1])
	if g.Date != "" {
		text += " " + g.Date
	}
	return text + " " + shortResult(g.Result)
}

// shortResult is "1-0", "44-20", "1/2-1/2" or "*".
func shortResult(r *game.Result) string {
	switch {
	case r == nil:
		return "*"
	case r.HasBoard:
		return plain.Score(r.Board)
	case r.Draw():
		return "1/2-1/2"
	case r.Winner() == game.First:
		return "1-0"
	case r.Winner() == game.Second:
		return "0-1"
	}
	return "*"
}

type baseInfoCmd struct {
	Base string `arg:"" help:"Game base."`
	JSON bool   `name:"json" help:"Print one JSON object."`
}

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

// Help returns the example that --help shows.
func (baseInfoCmd) Help() string { return "Example: kibitz base info wthor.base" }

// Run shows what the base holds.
func (c baseInfoCmd) Run(a *app) (err error) {
	b, err := gamebase.Open(a.ctx, c.Base)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	in, err := b.Info(a.ctx)
	if err != nil {
		return err
	}
	if c.JSON {
		j := infoJSON{
			Type: "info", Games: in.Games, Players: in.Players, Events: in.Events, Positions: in.Positions,
			Plies: in.Plies, First: in.First, Last: in.Last, Specs: map[string]int{},
		}
		for _, s := range in.Specs {
			j.Specs[string(s.Spec)] = s.Games
		}
		return plain.JSONLine(a.stdout, j)
	}
	fmt.Fprintf(a.stdout, "%s of %s at %s, %s", plain.Count(in.Games, "game"), plain.Count(in.Players, "player"), plain.Count(in.Events, "event"), plain.Count(in.Positions, "position"))
	if in.Plies > 0 {
		fmt.Fprintf(a.stdout, " (the first %d plies of each game)", in.Plies)
	}
	if in.First > 0 {
		fmt.Fprintf(a.stdout, ", %d to %d", in.First, in.Last)
	}
	fmt.Fprintln(a.stdout)
	for _, s := range in.Specs {
		fmt.Fprintf(a.stdout, "  %s: %s\n", s.Spec, plain.Count(s.Games, "game"))
	}
	return nil
}
