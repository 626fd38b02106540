package rules

import (
	"fmt"
	"strings"

	"kibitz/game"
)

// Counter is a convention for counting the leaves of a game tree. The zero value
// counts turns: a leaf is a position after exactly depth turns, every order of
// steps within a turn counts, chance counts each outcome once, a pass is a turn,
// a game that ended earlier counts nothing, and in a game with hidden facts only
// attempts that would stand are walked.
type Counter struct {
	// Steps counts single decisions of the seats instead of turns. What chance
	// decides is part of the step that asked for it.
	Steps bool
	// Sets counts different positions at the end of a turn once, whatever the
	// order of the steps that lead there.
	Sets bool
	// Ends counts a game that ended before the horizon as one leaf.
	Ends bool
	// FreePass lets a pass cost no depth.
	FreePass bool
	// NoPass leaves passes out.
	NoPass bool
	// NoChance leaves out decisions that hand the turn to the dealer.
	NoChance bool
}

// Perft counts the leaves at a depth in turns by walking Legal: slow, generic and
// the measure for every Perfter. See Counter for what is counted.
func Perft(s State, depth int) uint64 { return Counter{}.Count(s, depth) }

// PerftSteps is Perft with a depth in single decisions.
func PerftSteps(s State, depth int) uint64 { return Counter{Steps: true}.Count(s, depth) }

// ParseCounter reads a convention: any of the words steps, sets, ends, freepass,
// nopass and nochance, separated by blanks or commas.
func ParseCounter(text string) (Counter, error) {
	var c Counter
	words := map[string]*bool{
		"steps": &c.Steps, "sets": &c.Sets, "ends": &c.Ends,
		"freepass": &c.FreePass, "nopass": &c.NoPass, "nochance": &c.NoChance,
	}
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' }) {
		p, ok := words[w]
		if !ok {
			return Counter{}, fmt.Errorf("unknown way of counting %q: known are steps sets ends freepass nopass nochance", w)
		}
		*p = true
	}
	return c, nil
}

// Count counts the leaves below s.
func (c Counter) Count(s State, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	if s.Turn().Seat == game.Nobody {
		if c.Ends {
			return 1
		}
		return 0
	}
	if depth == 1 && c.countable(s) {
		return uint64(len(c.decisions(s)))
	}
	var n uint64
	c.Turns(s, func(_ []game.Move, after State, pass bool) {
		if c.FreePass && pass {
			n += c.Count(after, depth)
			return
		}
		n += c.Count(after, depth-1)
	})
	return n
}

// countable reports whether every decision that can be made in s is a leaf of its
// own, so that none needs to be made: single steps, without chance, orders or passes
// that the convention treats otherwise.
func (c Counter) countable(s State) bool {
	if _, chance := s.(Chance); chance {
		return false
	}
	return c.Steps && !c.Sets && !c.FreePass
}

// Turns calls f for every turn (every step if Steps is set) that can be made in s,
// with its decisions, the position after it, and whether it is a pass. The slice
// is valid during the call only; the position is f's to keep.
func (c Counter) Turns(s State, f func(steps []game.Move, after State, pass bool)) {
	var seen map[string]bool
	if c.Sets {
		seen = map[string]bool{}
	}
	var steps []game.Move
	var walk func(s State)
	walk = func(s State) {
		for _, m := range c.decisions(s) {
			next := s.Clone()
			if _, err := next.Apply(m, nil); err != nil {
				panic(fmt.Sprintf("legal decision %v refused in %s: %v", m, s.Text(), err))
			}
			t := next.Turn()
			if c.NoChance && t.Seat == game.Dealer {
				continue
			}
			steps = append(steps, m)
			if t.Seat == game.Nobody || t.Seat.IsPlayer() && (c.Steps || t.Step == 0) {
				c.leaf(seen, steps, next, f)
			} else {
				walk(next)
			}
			steps = steps[:len(steps)-1]
		}
	}
	walk(s)
}

func (c Counter) leaf(seen map[string]bool, steps []game.Move, s State, f func([]game.Move, State, bool)) {
	if seen != nil {
		key := s.Text()
		if seen[key] {
			return
		}
		seen[key] = true
	}
	f(steps, s, steps[0].Op == game.Pass)
}

// decisions lists what can really happen in s: outcomes on the dealer's turn, and
// with hidden facts only the attempts that would stand.
func (c Counter) decisions(s State) []game.Move {
	if s.Turn().Seat == game.Dealer {
		ch, ok := s.(Chance)
		if !ok {
			return nil
		}
		var moves []game.Move
		for _, o := range ch.Outcomes(nil) {
			moves = append(moves, o.Move)
		}
		return moves
	}
	all := s.Legal(nil)
	permits, hidden := s.(Permitter)
	moves := all[:0]
	for _, m := range all {
		if c.NoPass && m.Op == game.Pass || hidden && !permits.Permits(m) {
			continue
		}
		moves = append(moves, m)
	}
	return moves
}
