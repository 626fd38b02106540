package rules

import (
	"cmp"
	"slices"
	"strings"

	"kibitz/game"
)

// Tree counts the leaves of a game tree as the game itself counts them: by its own count
// where it has one (Perfter, Counted), else in turns, and without what the dealer decides.
type Tree struct {
	Rules Rules
	// Steps counts single decisions instead of turns.
	Steps bool
	// Chance counts decisions of the dealer too, each outcome once.
	Chance bool
}

// Branch is a first turn, or a first decision, with the leaves below it.
type Branch struct {
	Text  string
	Nodes uint64
}

// Count counts the leaves below s.
func (t Tree) Count(s State, depth int) uint64 {
	if t.Steps {
		return PerftSteps(s, depth)
	}
	if _, chance := s.(Chance); chance {
		return Counter{NoChance: !t.Chance}.Count(s, depth)
	}
	if p, ok := s.(Perfter); ok {
		return p.Perft(depth)
	}
	return Perft(s, depth)
}

// Divide counts the leaves below each first turn, in the order of their texts; depth is
// above 0.
func (t Tree) Divide(s State, depth int) []Branch {
	_, chance := s.(Chance)
	var counter Counter
	if own, ok := t.Rules.(Counted); ok && !t.Steps {
		counter = own.Counting()
	}
	counter.Steps, counter.NoChance = t.Steps, chance && !t.Chance
	var out []Branch
	counter.Turns(s, func(steps []game.Move, after State, _ bool) {
		texts := make([]string, len(steps))
		for i, m := range steps {
			texts[i] = t.Rules.FormatMove(m)
		}
		out = append(out, Branch{strings.Join(texts, " "), t.Count(after, depth-1)})
	})
	slices.SortFunc(out, func(x, y Branch) int { return cmp.Compare(x.Text, y.Text) })
	return out
}
