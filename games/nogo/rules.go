// Package nogo is NoGo, Go the other way round: whoever captures loses. It holds
// the rules, a fast board for engines, and the texts of moves and positions.
package nogo

import (
	"fmt"
	"strconv"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/rules"
)

// PhasePlace is the only phase of a turn.
const PhasePlace = "place"

// The end codes.
const (
	ByBlocked game.Reason = "blocked" // the loser, on turn, has no harmless point
	ByCapture game.Reason = "capture" // the loser's stone took a last liberty of the other side
	BySuicide game.Reason = "suicide" // the loser's stone has no liberty
	ByPass    game.Reason = "pass"    // the loser passed
)

// Game returns the entry for the list of games.
func Game() rules.Game {
	return rules.Game{
		ID:    "nogo",
		Title: "NoGo",
		Options: []rules.Option{
			{Key: "size", Default: "9", Min: MinSize, Max: MaxSize, Doc: "columns and rows; tournaments and engines use 9"},
			{
				Key: "rulings", Default: "proper", Values: []string{"proper", "sau"}, Hidden: true,
				Doc: "a pass loses (proper, as in the Chinese tournament), or is no move at all, as on the original SAU platform (sau)",
			},
		},
		New: open,
	}
}

type ruleSet struct {
	spec   game.Spec
	doc    rules.Doc
	names  grid.Names
	size   int
	passes bool // a pass is accepted, and loses
}

func open(spec game.Spec) (rules.Rules, error) {
	g := Game()
	size, err := strconv.Atoi(g.OptionOf(spec, "size"))
	if err != nil || size < MinSize || size > MaxSize {
		return nil, fmt.Errorf("specification %q: the size is %d to %d", spec, MinSize, MaxSize)
	}
	r := &ruleSet{spec: spec, size: size, passes: g.OptionOf(spec, "rulings") != "sau"}
	r.names = grid.Names{Width: size, Height: size, NoI: true}
	r.doc = r.describe()
	return r, nil
}

func (r *ruleSet) describe() rules.Doc {
	d := rules.Doc{
		Title: "NoGo", Width: r.size, Height: r.size, Info: rules.Perfect,
		Phases: []string{PhasePlace},
		Reasons: []rules.Code{
			{Word: string(ByBlocked), Meaning: "the loser is to move and every point would capture or be suicide"},
			{Word: string(ByCapture), Meaning: "the loser's stone left an opposing chain without liberty"},
			{Word: string(BySuicide), Meaning: "the loser's stone left its own chain without liberty"},
		},
		Pieces:   []rules.Code{{Word: "b", Meaning: "black stone"}, {Word: "w", Meaning: "white stone"}},
		Colours:  colours,
		MaxPlies: r.size * r.size,
		Source: "John Moore (Anti Atari Go), in this form of the BIRS workshop 2011; SAU platform and Chinese national computer games " +
			"tournament",
	}
	if r.passes {
		d.Reasons = append(d.Reasons, rules.Code{Word: string(ByPass), Meaning: "the loser passed"})
	}
	return d
}

func (r *ruleSet) Spec() game.Spec { return r.spec }
func (r *ruleSet) Doc() *rules.Doc { return &r.doc }

// New returns the empty board.
func (r *ruleSet) New() rules.State { return &State{r: r, board: NewBoard(r.size)} }

// Symmetries returns the eight symmetries of the square.
func (r *ruleSet) Symmetries() []func(game.Point) game.Point {
	return grid.Symmetries(r.size, r.size)
}
