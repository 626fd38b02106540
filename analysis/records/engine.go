package records

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"kibitz/analysis"
	"kibitz/game"
	"kibitz/player"
	"kibitz/rules"
)

// Hash is what becomes of an engine's table of positions: it is read from a file before the
// first position, emptied before each, and in the end written to a file and told of.
type Hash struct {
	Load, Dump   string
	Clear, Usage bool
}

// order has the engine do something with its table, and tells what it says of it.
func (n *Analyst) order(ctx context.Context, order player.HashOrder, file string) error {
	h, ok := n.p.(player.Hasher)
	if !ok {
		return fmt.Errorf("%s has no commands for its table of positions", n.Name)
	}
	said, err := h.Hash(ctx, order, file)
	if err != nil {
		return fmt.Errorf("%s: %s", n.Name, err.Error()) // not to be taken for a word on the question
	}
	if said != "" && order != player.HashClear {
		n.Warn(n.Name + ": " + said)
	}
	return nil
}

// before readies the table for a position, and asks for what is forbidden there.
func (n *Analyst) before(ctx context.Context, x *analysed, p *analysis.Position) error {
	if n.Forbidden != nil {
		if err := n.forbids(ctx, x, p.Ply); err != nil {
			return err
		}
	}
	if n.Hash.Load != "" && !n.loaded {
		n.loaded = true
		if err := n.order(ctx, player.HashLoad, n.Hash.Load); err != nil {
			return err
		}
	}
	if n.Hash.Clear {
		return n.order(ctx, player.HashClear, "")
	}
	return nil
}

// leave does what is wanted with the table in the end.
func (n *Analyst) leave(ctx context.Context) error {
	if n.Hash.Usage {
		if err := n.order(ctx, player.HashUsage, ""); err != nil {
			return err
		}
	}
	if n.Hash.Dump != "" {
		return n.order(ctx, player.HashDump, n.Hash.Dump)
	}
	return nil
}

// forbidden is what may not be played in a position.
type forbidden struct {
	// points are those that the engine names, of a built-in engine the rules; rules are
	// theirs where those differ.
	points, rules []game.Point
	differ        bool
}

// forbids asks for what may not be played in a position.
func (n *Analyst) forbids(ctx context.Context, x *analysed, ply int) error {
	s, err := x.line.State(ply)
	if err != nil {
		return err
	}
	list, limited := n.Forbidden(s)
	if !limited {
		return nil
	}
	f := forbidden{points: list, rules: list}
	if asked, ok := n.p.(player.Forbidder); ok {
		if f.points, err = asked.Forbidden(ctx); err != nil {
			return fmt.Errorf("%s: %s", n.Name, err.Error())
		}
		slices.SortFunc(f.points, func(a, b game.Point) int { return cmp.Or(cmp.Compare(a.Y, b.Y), cmp.Compare(a.X, b.X)) })
		f.differ = !slices.Equal(f.points, f.rules)
	}
	x.forbidden[ply] = f
	return nil
}

// pointNames are points as the game writes them.
func pointNames(r rules.Rules, list []game.Point) []string {
	out := make([]string, len(list))
	for i, p := range list {
		out[i] = r.FormatMove(game.PlaceAt(p))
	}
	return out
}

// listForbidden prints what may not be played, a position to a line.
func (n *Analyst) listForbidden(x *analysed, rep *analysis.Report) {
	if n.Forbidden == nil {
		return
	}
	fmt.Fprintln(n.W, "forbidden to black:")
	for i := range rep.Positions {
		p := &rep.Positions[i]
		if f, ok := x.forbidden[p.Ply]; ok && p.Wanted {
			fmt.Fprintf(n.W, "%5d  %s\n", p.Ply, f.text(x.line.Rules))
		}
	}
}

// text is a line of the list of what may not be played.
func (f *forbidden) text(r rules.Rules) string {
	show := func(list []game.Point) string {
		if len(list) == 0 {
			return "none"
		}
		return strings.Join(pointNames(r, list), " ")
	}
	text := show(f.points)
	if f.differ {
		text += "; by the rules " + show(f.rules)
	}
	return text
}
