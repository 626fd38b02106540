package lookup

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/record/gamebase"
	"kibitz/record/gamebase/index"
	"kibitz/rules"
)

// Looked is what a base knows of a position.
type Looked struct {
	b       *Base
	r       rules.Rules
	s       rules.State
	look    *gamebase.Look
	reached map[game.Move]int
	other   []game.Move // moves not played here that lead to known positions
	games   map[int64]*gamebase.Game
}

// Look looks a position up, and names so many games for each move.
func (b *Base) Look(ctx context.Context, r rules.Rules, s rules.State, examples int) (*Looked, error) {
	if err := b.Holds(ctx, r.Spec()); err != nil {
		return nil, err
	}
	k := index.Keyer(r)
	look, err := b.Base.Look(ctx, index.Place(k, s), examples)
	if err != nil {
		return nil, err
	}
	o := &Looked{b: b, r: r, s: s, look: look}
	return o, o.fill(ctx, k)
}

// fill looks up the positions behind the legal moves, and the games that are named.
func (o *Looked) fill(ctx context.Context, k *gamebase.Keyer) error {
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
		n, err := o.b.Reached(ctx, index.Place(k, next))
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
	list, _, err := o.b.Search(ctx, gamebase.Query{IDs: slices.Compact(ids)})
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

// Print shows it to people.
func (o *Looked) Print(w io.Writer) error {
	seat := o.s.Turn().Seat
	fmt.Fprintf(w, "%s: %s\n", o.r.Spec(), o.s.Text())
	all := &o.look.All
	if all.Games == 0 {
		fmt.Fprintln(w, "no game came to this position")
		o.printOther(w)
		return nil
	}
	fmt.Fprintf(w, "%s, %s to decide: +%d =%d -%d, %s of the points, mean score %s, last %s\n",
		plain.Count(all.Games, "game"), seat, all.Wins, all.Draws, all.Losses, pointsOf(all), meanOf(all), yearOf(all))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
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
	o.printOther(w)
	return nil
}

// reachedText is how many games came to the position after a move; where chance
// comes between, or beyond the plies that are indexed, that is not known.
func (o *Looked) reachedText(m game.Move) string {
	if n := o.reached[m]; n > 0 {
		return strconv.Itoa(n)
	}
	return "-"
}

func (o *Looked) printOther(w io.Writer) {
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
	fmt.Fprintf(w, "not played here, but leading to known positions: %s\n", strings.Join(list, ", "))
}

// moveText names a move; images of it in a symmetric position stand behind it.
func (o *Looked) moveText(m *gamebase.Played) string {
	text := o.r.FormatMove(m.Move)
	if len(m.Same) > 0 {
		text += fmt.Sprintf(" (x%d)", len(m.Same)+1)
	}
	return text
}

func (o *Looked) exampleText(m *gamebase.Played) string {
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
