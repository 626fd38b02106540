package record

import (
	"slices"
	"time"

	"kibitz/game"
)

// Loss is something that games have and their copies have not, or have changed.
type Loss struct {
	What  string
	Games int
}

// Lost compares games with what their copies in a format are read as, both completed
// by the rules, and returns what the format does not hold, in a fixed order. Where
// there are fewer copies than games nothing else is compared.
func Lost(from, to []*Game) []Loss {
	if len(from) != len(to) {
		return []Loss{{"whole games", max(len(from)-len(to), 0)}}
	}
	var out []Loss
	kinds := kindsOfLoss()
	for _, k := range kinds {
		n := 0
		for i, a := range from {
			if k.lost(a, seatedAs(a, to[i])) {
				n++
			}
		}
		if n > 0 {
			out = append(out, Loss{k.what, n})
		}
	}
	return out
}

// seatedAs returns b with its seats exchanged where its players are those of a the
// other way round, as in formats that seat by colour.
func seatedAs(a, b *Game) *Game {
	if a.Names[0] == a.Names[1] || b.Names != [2]string{a.Names[1], a.Names[0]} {
		return b
	}
	out := *b
	slices.Reverse(out.Names[:])
	slices.Reverse(out.Engines[:])
	slices.Reverse(out.Ratings[:])
	slices.Reverse(out.Clocks[:])
	slices.Reverse(out.Final[:])
	slices.Reverse(out.Resources[:])
	if b.Result != nil {
		r := *b.Result
		slices.Reverse(r.Points[:])
		slices.Reverse(r.Board[:])
		out.Result = &r
	}
	return &out
}

type kindOfLoss struct {
	what string
	lost func(a, b *Game) bool
}

func kindsOfLoss() []kindOfLoss {
	return []kindOfLoss{
		{"names of players", func(a, b *Game) bool { return other(a.Names[0], b.Names[0]) || other(a.Names[1], b.Names[1]) }},
		{"own names of engines", func(a, b *Game) bool { return other(a.Engines[0], b.Engines[0]) || other(a.Engines[1], b.Engines[1]) }},
		{"ratings", func(a, b *Game) bool {
			return other(a.Ratings[0], b.Ratings[0]) || other(a.Ratings[1], b.Ratings[1])
		}},
		{"events", func(a, b *Game) bool { return other(a.Event, b.Event) }},
		{"places", func(a, b *Game) bool { return other(a.Place, b.Place) }},
		{"rounds", func(a, b *Game) bool { return other(a.Round, b.Round) }},
		{"dates", func(a, b *Game) bool { return other(a.Date, b.Date) }},
		{"time controls", func(a, b *Game) bool { return other(a.Clocks[0], b.Clocks[0]) || other(a.Clocks[1], b.Clocks[1]) }},
		{"numbers of games", func(a, b *Game) bool { return other(a.ID, b.ID) }},
		{"options of the game", func(a, b *Game) bool { return a.Spec != b.Spec }},
		{"positions at the start", func(a, b *Game) bool { return a.Start != b.Start }},
		{"moves", func(a, b *Game) bool { return !slices.Equal(moves(a), moves(b)) }},
		{"choices of colour", func(a, b *Game) bool { return fewer(a, b, isChoice) }},
		{"refused attempts", func(a, b *Game) bool { return fewer(a, b, func(s *Step) bool { return s.Refused }) }},
		{"which moves were given", func(a, b *Game) bool { return fewer(a, b, func(s *Step) bool { return s.Opening }) }},
		{"times of moves", timesLost},
		{"evaluations", func(a, b *Game) bool {
			return fewer(a, b, func(s *Step) bool { return s.Info != nil && s.Info.Eval != game.Eval{} })
		}},
		{"depths, nodes and variations of engines", func(a, b *Game) bool {
			return fewer(a, b, func(s *Step) bool { return s.Info != nil && s.Info.Depth > 0 }) ||
				fewer(a, b, func(s *Step) bool { return s.Info != nil && s.Info.Nodes > 0 }) ||
				fewer(a, b, func(s *Step) bool { return s.Info != nil && len(s.Info.PV) > 0 })
		}},
		{"comments", func(a, b *Game) bool {
			return a.Comment != "" && b.Comment == "" || fewer(a, b, func(s *Step) bool { return s.Comment != "" })
		}},
		{"variations", func(a, b *Game) bool { return fewer(a, b, func(s *Step) bool { return len(s.Variations) > 0 }) }},
		{"results", func(a, b *Game) bool {
			return a.Result != nil && (b.Result == nil || a.Result.Winner() != b.Result.Winner() || a.Result.Draw() != b.Result.Draw())
		}},
		{"board scores", func(a, b *Game) bool {
			return a.Result != nil && b.Result != nil && a.Result.HasBoard && (!b.Result.HasBoard || a.Result.Board != b.Result.Board)
		}},
		{"how games ended", func(a, b *Game) bool {
			return a.Result != nil && b.Result != nil && other(string(a.Result.Reason), string(b.Result.Reason))
		}},
		{"commitments and seeds of the dealer", func(a, b *Game) bool {
			return other(a.Commitment, b.Commitment) || other(a.Seed, b.Seed)
		}},
		{"processor time and memory", func(a, b *Game) bool { return a.Resources != b.Resources }},
		{"evidence of faults", func(a, b *Game) bool { return !slices.Equal(a.Evidence, b.Evidence) }},
		{"tags", func(a, b *Game) bool {
			return slices.ContainsFunc(a.Tags, func(t Tag) bool { v, ok := b.Tag(t.Key); return !ok || v != t.Value })
		}},
	}
}

// other tells that a text is not in the copy as it was.
func other(a, b string) bool { return a != "" && a != b }

func isChoice(s *Step) bool { return s.Move.Op == game.Choose }

// moves are the decisions that stand, without choices and resignations, which have
// their own places: a resignation is how a game ended.
func moves(g *Game) []game.Move {
	var out []game.Move
	for i := range g.Steps {
		if s := &g.Steps[i]; !s.Refused && !isChoice(s) && s.Move.Op != game.Resign {
			out = append(out, s.Move)
		}
	}
	return out
}

// fewer tells that a copy has fewer steps of a kind.
func fewer(a, b *Game, is func(*Step) bool) bool { return number(a, is) > number(b, is) }

func number(g *Game, is func(*Step) bool) int {
	n := 0
	for i := range g.Steps {
		if is(&g.Steps[i]) {
			n++
		}
	}
	return n
}

// rounding is the difference below which a time counts as kept: several formats write
// hundredths of a second.
const rounding = 10 * time.Millisecond

func timesLost(a, b *Game) bool {
	if fewer(a, b, func(s *Step) bool { return s.Timed && s.Used >= rounding }) {
		return true
	}
	for i := range min(len(a.Steps), len(b.Steps)) {
		if s, t := &a.Steps[i], &b.Steps[i]; s.Timed && t.Timed && s.Move == t.Move && (s.Used-t.Used).Abs() > rounding {
			return true
		}
	}
	return false
}
