package connect6

import (
	"fmt"
	"strconv"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/rules"
)

// ID is the name of the game on the command line.
const ID = "connect6"

// Place is the only phase of a turn.
const Place = "place"

// The game's own end codes.
const (
	BySix  game.Reason = "six"
	ByFull game.Reason = "full"
)

// Game returns the entry for the list of games.
func Game() rules.Game {
	return rules.Game{
		ID:    ID,
		Title: "Connect6",
		Options: []rules.Option{
			{Key: "size", Default: strconv.Itoa(Usual), Min: MinSize, Max: MaxSize, Doc: "points on each side of the board"},
			{
				Key: "rulings", Default: "proper", Values: []string{"proper", "sau"}, Hidden: true,
				Doc: "whether a turn must have both of its stones (proper) or may end after one, as the original SAU platform lets it (sau)",
			},
		},
		New: open,
	}
}

// Rules is Connect6 with its options fixed.
type Rules struct {
	spec  game.Spec
	size  int
	short bool // a turn may end after its first stone
	names grid.Names
	doc   rules.Doc
}

var (
	_ rules.Rules     = (*Rules)(nil)
	_ rules.Symmetric = (*Rules)(nil)
)

func open(spec game.Spec) (rules.Rules, error) {
	r, err := New(spec)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// New returns the rules of a specification whose options were checked; options
// that it leaves out have their defaults.
func New(spec game.Spec) (*Rules, error) {
	size, err := strconv.Atoi(Game().OptionOf(spec, "size"))
	if err != nil || size < MinSize || size > MaxSize {
		return nil, fmt.Errorf("size of %s is not a number from %d to %d in %q", ID, MinSize, MaxSize, spec)
	}
	r := &Rules{
		spec: spec, size: size, short: Game().OptionOf(spec, "rulings") == "sau",
		names: grid.Names{Width: size, Height: size, FromTop: true},
	}
	r.doc = r.describe()
	return r, nil
}

func (r *Rules) describe() rules.Doc {
	d := rules.Doc{
		Title: "Connect6", Width: r.size, Height: r.size, Info: rules.Perfect,
		Phases: []string{Place},
		Reasons: []rules.Code{
			{Word: string(BySix), Meaning: "six or more stones in a line"},
			{Word: string(ByFull), Meaning: "the board is full without six in a line: a draw"},
		},
		Pieces:   []rules.Code{{Word: "b", Meaning: "black stone"}, {Word: "w", Meaning: "white stone"}},
		Colours:  colours,
		MaxPlies: r.size * r.size,
		Source:   "I-Chen Wu and Dei-Yen Huang, 2005; SAU platform rules",
	}
	if r.short {
		d.MaxPlies *= 2 // each turn may be one stone and a pass
	}
	return d
}

var colours = [2]game.Colour{game.Black, game.White}

// Spec returns the canonical specification.
func (r *Rules) Spec() game.Spec { return r.spec }

// Doc returns the description.
func (r *Rules) Doc() *rules.Doc { return &r.doc }

// Size returns the number of points on each side of the board.
func (r *Rules) Size() int { return r.size }

// New returns the empty board.
func (r *Rules) New() rules.State { return r.start() }

// Counting returns the convention of Perft: two stones are one turn in whatever
// order they are set.
func (r *Rules) Counting() rules.Counter { return rules.Counter{Sets: true} }

// Symmetries returns the eight symmetries of the square.
func (r *Rules) Symmetries() []func(game.Point) game.Point {
	return grid.Symmetries(r.size, r.size)
}
