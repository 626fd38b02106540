package gomoku

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/rules"
)

// ID is the name of the game on the command line.
const ID = "gomoku"

// The game's own end codes.
const (
	ByFive        game.Reason = "five"
	ByOverline    game.Reason = "forbidden-overline"
	ByDoubleFour  game.Reason = "forbidden-44"
	ByDoubleThree game.Reason = "forbidden-33"
	ByFull        game.Reason = "full"
	ByPasses      game.Reason = "passes"
)

// The phases of a turn.
const (
	// PhaseOpen: an opening stone of swap2 is placed.
	PhaseOpen = "open"
	// PhaseChoose: a choice of swap2 is made.
	PhaseChoose = "choose"
	// PhasePlace: a stone is placed.
	PhasePlace = "place"
)

// Game returns the entry for the list of games.
func Game() rules.Game {
	return rules.Game{
		ID:    ID,
		Title: "Five in a row",
		Options: []rules.Option{
			{
				Key: "rule", Default: "freestyle", Values: slices.Clone(ruleNames[:]),
				Doc: "what wins: Gomocup codes 0 freestyle, 1 standard, 4 renju, 9 caro, 8 caro6",
			},
			{Key: "size", Default: "15", Min: MinSize, Max: MaxSize, Doc: "points on each side of the board"},
			{Key: "width", Default: "0", Min: 0, Max: MaxSize, Hidden: true, Doc: "columns of a rectangular board, 5 to 127; 0 takes size"},
			{Key: "height", Default: "0", Min: 0, Max: MaxSize, Hidden: true, Doc: "rows of a rectangular board, 5 to 127; 0 takes size"},
			{
				Key: "opening", Default: "none", Values: []string{"none", "swap2"}, Hidden: true,
				Doc: "swap2: three stones by one seat, then the other chooses its colour (Gomocup SWAP2BOARD)",
			},
			{
				Key: "continuous", Default: "false", Values: []string{"false", "true"}, Hidden: true,
				Doc: "true: lines score and die, play goes on until the board is full (Gomocup rule +2)",
			},
			{
				Key: "drawempty", Default: "0", Min: 0, Max: MaxSize*MaxSize - 1, Hidden: true,
				Doc: "the game is over when so many points are left empty (Piskvork 25, full board 0)",
			},
			{
				Key: "pass", Default: "false", Values: []string{"false", "true"}, Hidden: true,
				Doc: "true: a seat may pass, two passes in a row are a draw (renju by the Renju International Federation)",
			},
		},
		New: func(spec game.Spec) (rules.Rules, error) {
			r, err := New(spec)
			if err != nil {
				return nil, err
			}
			return r, nil
		},
	}
}

// Rules is five in a row with its options fixed.
type Rules struct {
	spec          game.Spec
	rule          Rule
	width, height int
	swap2         bool
	continuous    bool
	drawEmpty     int
	passes        bool
	doc           rules.Doc
}

var (
	_ rules.Rules     = (*Rules)(nil)
	_ rules.Symmetric = (*Rules)(nil)
)

// New returns the rules of a specification whose options were checked; options
// that it leaves out have their defaults. Errors name what does not fit together.
func New(spec game.Spec) (*Rules, error) {
	g := Game()
	r := &Rules{spec: spec}
	var bad error
	number := func(key string) int {
		n, err := strconv.Atoi(g.OptionOf(spec, key))
		if err != nil && bad == nil {
			bad = fmt.Errorf("option %s of %s: %w", key, ID, err)
		}
		return n
	}
	name := g.OptionOf(spec, "rule")
	i := slices.Index(ruleNames[:], name)
	if i < 0 {
		return nil, fmt.Errorf("unknown rule %q of %s", name, ID)
	}
	r.rule = Rule(i)
	size := number("size")
	r.width, r.height = number("width"), number("height")
	r.swap2 = g.OptionOf(spec, "opening") == "swap2"
	r.continuous = g.OptionOf(spec, "continuous") == "true"
	r.passes = g.OptionOf(spec, "pass") == "true"
	r.drawEmpty = number("drawempty")
	if bad != nil {
		return nil, bad
	}
	if err := r.fit(size); err != nil {
		return nil, err
	}
	r.doc = r.describe()
	return r, nil
}

// fit completes the size of the board and checks that the options go together.
func (r *Rules) fit(size int) error {
	r.width = cmp.Or(r.width, size)
	r.height = cmp.Or(r.height, size)
	for _, n := range []int{r.width, r.height} {
		if n < MinSize || n > MaxSize {
			return fmt.Errorf("a board of %dx%d does not exist: both sides must be from %d to %d", r.width, r.height, MinSize, MaxSize)
		}
	}
	if r.passes && r.continuous {
		return errors.New("pass=true does not go with continuous=true")
	}
	least := 1
	if r.swap2 {
		least = 7 // five opening stones, and a turn for either seat
	}
	if limit := r.width*r.height - least; r.drawEmpty > limit {
		return fmt.Errorf("drawempty=%d leaves no game on a board of %dx%d: at most %d", r.drawEmpty, r.width, r.height, limit)
	}
	return nil
}

func (r *Rules) describe() rules.Doc {
	d := rules.Doc{
		Title: "Five in a row, " + r.rule.String(),
		Width: r.width, Height: r.height,
		Info:     rules.Perfect,
		Phases:   []string{PhasePlace},
		Pieces:   []rules.Code{{Word: "B", Meaning: "black stone"}, {Word: "W", Meaning: "white stone"}},
		Colours:  [2]game.Colour{game.Black, game.White},
		MaxPlies: r.width * r.height,
		Source:   "Gomocup and the Piskvork manager; renju by the definitions of the Renju International Federation as Piskvork judges them",
	}
	full := rules.Code{Word: string(ByFull), Meaning: "the board is full, or as full as the option drawempty says"}
	if r.continuous {
		d.Title += ", continuous"
		d.Pieces = append(d.Pieces, rules.Code{Word: "b", Meaning: "dead black stone"}, rules.Code{Word: "w", Meaning: "dead white stone"})
		d.Reasons = []rules.Code{full}
	} else {
		d.Reasons = append(d.Reasons, rules.Code{Word: string(ByFive), Meaning: "a line that wins by the rule in force"})
		if r.rule == Renju {
			d.Reasons = append(d.Reasons,
				rules.Code{Word: string(ByOverline), Meaning: "black made a line of six or more and loses"},
				rules.Code{Word: string(ByDoubleFour), Meaning: "black made two fours at once and loses"},
				rules.Code{Word: string(ByDoubleThree), Meaning: "black made two open threes at once and loses"})
		}
		d.Reasons = append(d.Reasons, full)
	}
	if r.swap2 {
		d.Title += ", swap2"
		d.Phases = append(d.Phases, PhaseOpen, PhaseChoose)
		d.MaxPlies += 2
	}
	if r.passes {
		d.Title += ", with passes"
		d.Reasons = append(d.Reasons, rules.Code{Word: string(ByPasses), Meaning: "both seats passed, one after the other"})
		d.MaxPlies += r.width*r.height + 1 // a pass before each stone, and the second at the end
	}
	return d
}

// Spec returns the canonical specification.
func (r *Rules) Spec() game.Spec { return r.spec }

// Doc returns the description.
func (r *Rules) Doc() *rules.Doc { return &r.doc }

// Rule returns what wins.
func (r *Rules) Rule() Rule { return r.rule }

// Symmetries returns the eight symmetries of a square board, the four of another.
func (r *Rules) Symmetries() []func(game.Point) game.Point {
	return grid.Symmetries(r.width, r.height)
}
