// Package phantomgo is Phantom Go: Go in which each side sees its own stones only
// and learns from a referee what was refused and what was captured.
package phantomgo

import (
	"fmt"
	"strconv"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/rules"
)

// PhaseMove is the only phase of a turn.
const PhaseMove = "move"

// The end codes.
const (
	ByScore game.Reason = "score" // two passes in a row, then area scoring
	ByLimit game.Reason = "limit" // the game was too long
	// ByPasses: two passes in a row, nothing is counted, White is announced.
	ByPasses game.Reason = "passes"
)

// Game returns the entry for the list of games.
func Game() rules.Game {
	return rules.Game{
		ID:    "phantomgo",
		Title: "Phantom Go",
		Options: []rules.Option{
			{Key: "size", Default: "9", Min: MinSize, Max: MaxSize, Doc: "columns and rows; tournaments and engines use 9"},
			{
				Key: "komi", Default: "7.5", Min: -MaxSize * MaxSize, Max: MaxSize * MaxSize, Decimal: true,
				Doc: "points added to White's area (7.5 in recent tournaments)",
			},
			{
				Key: "superko", Default: "false", Values: []string{"false", "true"}, Hidden: true,
				Doc: "refuse a placement that repeats any earlier position of the whole board, not only the simple ko",
			},
			{Key: "maxplies", Default: "400", Min: 1, Max: 10000, Hidden: true, Doc: "placements and passes after which the game is a draw"},
			{
				Key: "rulings", Default: "proper", Values: []string{"proper", "sau"}, Hidden: true,
				Doc: "ko and area scoring (proper), or as the original SAU platform plays: no ko, and White is announced after two passes (sau)",
			},
		},
		New: open,
	}
}

type ruleSet struct {
	spec     game.Spec
	doc      rules.Doc
	names    grid.Names
	size     int
	komi     float64
	superko  bool
	maxPlies int
	sau      bool // no ko, and White wins by two passes
}

func open(spec game.Spec) (rules.Rules, error) {
	g := Game()
	r := &ruleSet{spec: spec}
	var err error
	if r.size, err = strconv.Atoi(g.OptionOf(spec, "size")); err != nil {
		return nil, fmt.Errorf("size of %q: %w", spec, err)
	}
	if r.komi, err = strconv.ParseFloat(g.OptionOf(spec, "komi"), 64); err != nil {
		return nil, fmt.Errorf("komi of %q: %w", spec, err)
	}
	if r.maxPlies, err = strconv.Atoi(g.OptionOf(spec, "maxplies")); err != nil {
		return nil, fmt.Errorf("maxplies of %q: %w", spec, err)
	}
	if r.komi != r.komi || r.size < MinSize || r.size > MaxSize {
		return nil, fmt.Errorf("specification %q: the size is %d to %d and the komi a number", spec, MinSize, MaxSize)
	}
	r.superko = g.OptionOf(spec, "superko") == "true"
	r.sau = g.OptionOf(spec, "rulings") == "sau"
	if r.superko && r.sau {
		return nil, fmt.Errorf("specification %q: superko=true does not go with rulings=sau, under which the same point may always be retaken",
			spec)
	}
	r.names = grid.Names{Width: r.size, Height: r.size, NoI: true}
	r.doc = r.describe()
	return r, nil
}

func (r *ruleSet) describe() rules.Doc {
	reasons := []rules.Code{
		{Word: string(ByScore), Meaning: "two passes in a row: more area, with komi, wins"},
		{Word: string(ByLimit), Meaning: "the limit of moves was reached: a draw"},
	}
	if r.sau {
		reasons[0] = rules.Code{Word: string(ByPasses), Meaning: "two passes in a row: nothing is counted, White is announced as the winner"}
	}
	return rules.Doc{
		Title: "Phantom Go", Width: r.size, Height: r.size, Info: rules.Private,
		Phases:  []string{PhaseMove},
		Reasons: reasons,
		Pieces:  []rules.Code{{Word: "b", Meaning: "black stone"}, {Word: "w", Meaning: "white stone"}},
		Colours: [2]game.Colour{game.Black, game.White},
		// In each turn every point can be refused once, then something stands.
		MaxPlies: r.maxPlies * (r.size*r.size + 1),
		Source:   "SAU platform and Chinese national computer games tournament; area scoring as in Chinese Go",
	}
}

func (r *ruleSet) Spec() game.Spec { return r.spec }
func (r *ruleSet) Doc() *rules.Doc { return &r.doc }

// New returns the empty board.
func (r *ruleSet) New() rules.State {
	s := r.empty()
	s.begin()
	return s
}

func (r *ruleSet) empty() *State {
	s := &State{r: r, board: NewBoard(r.size)}
	if r.sau {
		s.board.AllowRetaking()
	}
	return s
}

// Symmetries returns the eight symmetries of the square.
func (r *ruleSet) Symmetries() []func(game.Point) game.Point {
	return grid.Symmetries(r.size, r.size)
}
