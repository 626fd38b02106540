// Package amazons is the Game of the Amazons on the board of 10x10: the rules, a
// fast board for engines, and the texts of moves and positions.
package amazons

import (
	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/rules"
)

// Rulings says who has lost when amazons are boxed in.
type Rulings uint8

// The rulings. Proper: the seat to move loses if it has no move. SAU: after each
// turn, if all white amazons are boxed in black wins, else if all black ones are
// boxed in white wins, whoever is to move, as the original platform decides.
const (
	Proper Rulings = iota
	SAU
)

// The phases of a turn.
const (
	PhaseShift = "shift"
	PhaseShoot = "shoot"
)

// Blocked is the game's only end code.
const Blocked game.Reason = "blocked"

var names = grid.Names{Width: Size, Height: Size}

// Game returns the entry for the list of games.
func Game() rules.Game {
	return rules.Game{
		ID:    "amazons",
		Title: "Game of the Amazons",
		Options: []rules.Option{{
			Key: "rulings", Default: "proper", Values: []string{"proper", "sau"}, Hidden: true,
			Doc: "who loses when amazons are boxed in: the side to move (proper), or as the original SAU platform tests (sau)",
		}},
		New: open,
	}
}

func open(spec game.Spec) (rules.Rules, error) {
	r := &ruleSet{spec: spec, doc: doc()}
	if v, _ := spec.Option("rulings"); v == "sau" {
		r.rulings = SAU
	}
	return r, nil
}

func doc() rules.Doc {
	return rules.Doc{
		Title: "Game of the Amazons", Width: Size, Height: Size, Info: rules.Perfect,
		Phases:  []string{PhaseShift, PhaseShoot},
		Reasons: []rules.Code{{Word: string(Blocked), Meaning: "all amazons of the loser are boxed in"}},
		Pieces: []rules.Code{
			{Word: "b", Meaning: "black amazon"},
			{Word: "w", Meaning: "white amazon"},
			{Word: "#", Meaning: "burnt square"},
		},
		Colours: [2]game.Colour{game.Black, game.White},
		// Each turn burns one of the 92 empty squares.
		MaxPlies: 2 * (Squares - 2*Queens),
		Source:   "Walter Zamkauskas, 1988; SAU platform rules, with black in the lower half moving first",
	}
}

type ruleSet struct {
	spec    game.Spec
	rulings Rulings
	doc     rules.Doc
}

func (r *ruleSet) Spec() game.Spec  { return r.spec }
func (r *ruleSet) Doc() *rules.Doc  { return &r.doc }
func (r *ruleSet) New() rules.State { return newState(StartBoard(), r.rulings) }

// Symmetries returns the identity and the reflection left to right, which keep
// the initial position.
func (r *ruleSet) Symmetries() []func(game.Point) game.Point {
	return []func(game.Point) game.Point{
		func(p game.Point) game.Point { return p },
		func(p game.Point) game.Point { return game.Point{X: Size - 1 - p.X, Y: p.Y} },
	}
}
