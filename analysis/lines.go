package analysis

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"kibitz/game"
	"kibitz/player"
)

// ErrNoLine tells that an analyst named no line, however long it thought.
var ErrNoLine = errors.New("the engine names no move")

// Compare has an analyst evaluate the n best lines of the position that it was told, for budget.
// Where it names none, as on a busy machine, it thinks again for twice as long, up to longest.
// What it named before the context ends counts.
func Compare(ctx context.Context, who player.Analyst, n int, budget, longest time.Duration) ([]game.Info, error) {
	for ; budget <= longest; budget *= 2 {
		var heard Lines
		err := who.Analyse(ctx, player.Question{Lines: n, Budget: budget}, func(in game.Info) bool {
			if len(in.PV) > 0 {
				heard.Add(in)
			}
			return true
		})
		if list := heard.Best(n); len(list) > 0 && (err == nil || errors.Is(err, context.DeadlineExceeded)) {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, ErrNoLine
}

// Lines keeps the latest word about each first move, in the order of arrival.
type Lines struct{ list []game.Info }

// Add takes what an engine says.
func (l *Lines) Add(in game.Info) {
	in.PV = slices.Clone(in.PV)
	if len(in.PV) == 0 {
		in.PV = nil
	}
	l.list = slices.DeleteFunc(l.list, func(old game.Info) bool { return first(old) == first(in) })
	l.list = append(l.list, in)
}

func first(in game.Info) game.Move {
	if len(in.PV) == 0 {
		return game.Move{}
	}
	return in.PV[0]
}

// Best returns the n best lines. Of one line it is the deepest that was heard, of
// equally deep ones the better: a move that an engine preferred earlier and has
// not spoken of since is out of date. Of several lines they are the latest, the better
// first: an engine's own ranks may be of an earlier depth, and decide between equal ones
// alone.
func (l *Lines) Best(n int) []game.Info {
	list := slices.Clone(l.list)
	slices.Reverse(list) // the latest first
	if n == 1 {
		slices.SortStableFunc(list, func(a, b game.Info) int {
			return cmp.Or(cmp.Compare(proof(b.Bound), proof(a.Bound)), cmp.Compare(b.Depth, a.Depth), byEval(a, b))
		})
		list = list[:min(1, len(list))]
	} else {
		list = list[:min(n, len(list))]
		if ranked(list) {
			slices.SortFunc(list, func(a, b game.Info) int { return cmp.Compare(a.Rank, b.Rank) })
		}
		slices.SortStableFunc(list, byEval)
	}
	for i := range list {
		list[i].Rank = i + 1
	}
	return list
}

// ranked reports whether every line has a rank of its own.
func ranked(list []game.Info) bool {
	seen := map[int]bool{}
	for _, in := range list {
		if in.Rank <= 0 || seen[in.Rank] {
			return false
		}
		seen[in.Rank] = true
	}
	return true
}

// proof orders kinds of results by how far they may be trusted.
func proof(b game.Bound) int {
	switch b {
	case game.Exact:
		return 2
	case game.WinLoss, game.Selective:
		return 1
	}
	return 0
}

// byEval puts the better evaluation first; unknown ones come last.
func byEval(a, b game.Info) int {
	ka, kb := a.Eval.Known(), b.Eval.Known()
	switch {
	case ka != kb:
		if ka {
			return -1
		}
		return 1
	case !ka:
		return 0
	}
	if oa, ob := outcome(a.Eval), outcome(b.Eval); oa != ob {
		return cmp.Compare(ob, oa)
	}
	if a.Eval.Unit == game.MateIn && b.Eval.Unit == game.MateIn {
		return cmp.Compare(a.Eval.Mid(), b.Eval.Mid()) // a near win, or a far loss (-9 before -2)
	}
	return cmp.Compare(b.Eval.Mid(), a.Eval.Mid())
}
