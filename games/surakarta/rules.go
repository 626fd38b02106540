// Package surakarta is Surakarta on the board of 6x6 with two circuits: the rules,
// a fast board for engines, and the texts of moves and positions.
package surakarta

import (
	"fmt"
	"strconv"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/rules"
)

// PhaseMove is the only phase of a turn.
const PhaseMove = "move"

// The end codes. All but Taken count pieces.
const (
	Taken      game.Reason = "taken"      // a side has no piece left
	Repetition game.Reason = "repetition" // a position has occurred too often
	NoCapture  game.Reason = "nocapture"  // too many plies without a capture
	Blocked    game.Reason = "blocked"    // the side to move has no move
)

// maxNoCapture is the largest limit of plies without capture that can be asked for.
const maxNoCapture = 10000

var names = grid.Names{Width: Size, Height: Size}

// Game returns the entry for the list of games.
func Game() rules.Game {
	return rules.Game{
		ID:    "surakarta",
		Title: "Surakarta",
		Options: []rules.Option{
			{
				Key: "repetition", Default: "3", Values: []string{"1", "2", "3"},
				Doc: "which occurrence of a position (board and side to move) ends the game by counting pieces; 1 is the first repetition, as 2 is " +
					"(Computer Olympiad)",
			},
			{
				Key: "nocapture", Default: "50", Min: 0, Max: maxNoCapture,
				Doc: "plies without a capture after which the game ends by counting pieces, 0 for never (Computer Olympiad: 50)",
			},
			{
				Key: "rulings", Default: "proper", Values: []string{"proper", "sau"}, Hidden: true,
				Doc: "proper, or as the original SAU platform rules (sau): pieces on corners capture, and only a side without pieces ends the game",
			},
		},
		New: open,
	}
}

type ruleSet struct {
	spec       game.Spec
	doc        rules.Doc
	sau        bool
	repetition int // occurrence of a position that ends the game, 0 for none
	noCapture  int // plies without capture that end the game, 0 for none
}

func open(spec game.Spec) (rules.Rules, error) {
	g := Game()
	r := &ruleSet{spec: spec, sau: g.OptionOf(spec, "rulings") == "sau"}
	var err error
	if r.repetition, err = strconv.Atoi(g.OptionOf(spec, "repetition")); err != nil {
		return nil, fmt.Errorf("repetition of %q: %w", spec, err)
	}
	if r.noCapture, err = strconv.Atoi(g.OptionOf(spec, "nocapture")); err != nil {
		return nil, fmt.Errorf("nocapture of %q: %w", spec, err)
	}
	r.repetition = max(r.repetition, 2) // a first occurrence repeats nothing
	if r.sau {
		r.repetition, r.noCapture = 0, 0
	}
	r.doc = r.describe()
	return r, nil
}

func (r *ruleSet) describe() rules.Doc {
	return rules.Doc{
		Title: "Surakarta", Width: Size, Height: Size, Info: rules.Perfect,
		Phases: []string{PhaseMove},
		Reasons: []rules.Code{
			{Word: string(Taken), Meaning: "all pieces of the loser were taken"},
			{Word: string(Repetition), Meaning: "a position occurred as often as the options allow; more pieces win"},
			{Word: string(NoCapture), Meaning: "nothing was taken for as many plies as the options allow; more pieces win"},
			{Word: string(Blocked), Meaning: "the side to move has no move; more pieces win"},
		},
		Pieces: []rules.Code{
			{Word: "b", Meaning: "black piece"},
			{Word: "w", Meaning: "white piece"},
		},
		Colours: [2]game.Colour{game.Black, game.White},
		// The limit begins anew with each of the captures, of which the last ends
		// the game.
		MaxPlies: 2 * Pieces * r.noCapture,
		Source:   "traditional Javanese game; the circuits and the sides of the SAU platform; limits of the Computer Olympiad",
	}
}

func (r *ruleSet) Spec() game.Spec { return r.spec }
func (r *ruleSet) Doc() *rules.Doc { return &r.doc }
func (r *ruleSet) New() rules.State {
	return newState(r, StartBoard(r.sau), 0)
}

// Symmetries returns the eight of the square: circuits and steps look the same
// through all of them. Only the reflection left to right keeps the initial
// position.
func (r *ruleSet) Symmetries() []func(game.Point) game.Point {
	return grid.Symmetries(Size, Size)
}
