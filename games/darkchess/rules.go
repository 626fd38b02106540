// Package darkchess is Chinese dark chess: all pieces lie face down, a turn flips
// one or moves one, and nobody knows what is face down before it is turned over.
package darkchess

import (
	"fmt"
	"strconv"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/rules"
)

// The phases: what a seat decides, and the dealer's answer to a flip.
const (
	PhaseMove = "move"
	PhaseDeal = "deal"
)

// The end codes.
const (
	ByCaptureAll game.Reason = "captureall" // the loser has no pieces left
	ByNoMove     game.Reason = "nomove"     // the loser cannot do anything
	ByNoEatFlip  game.Reason = "noeatflip"  // too many plies without flip and capture: draw
	ByLongCatch  game.Reason = "longcatch"  // repetition: draw
)

// Game returns the entry for the list of games.
func Game() rules.Game {
	return rules.Game{
		ID:    "darkchess",
		Title: "Chinese dark chess",
		Options: []rules.Option{
			{
				Key: "noeat", Default: "180", Min: 0, Max: 10000,
				Doc: "plies of both sides without flip and capture that make a draw, 0 for never (180 Computer Olympiad, 60 in courses)",
			},
			{Key: "repetition", Default: "3", Min: 0, Max: maxRepetition, Doc: "repetitions that make a draw (long catch), 0 for never"},
			{
				Key: "repetitiondef", Default: "cycle", Values: []string{"cycle", "position"}, Hidden: true,
				Doc: "what repeats: a sequence of 4, 8, 12 or 16 quiet plies (cycle), or a position (position)",
			},
			{
				Key: "occurrences", Default: "n+1", Values: []string{"n+1", "n"}, Hidden: true,
				Doc: "with repetitiondef=position: occurrences of a position that make the draw, n being the repetitions",
			},
		},
		New: open,
	}
}

// The cycle rule looks back maxRepetition cycles of at most 16 plies.
const (
	maxCycle      = 16
	maxRepetition = 15
)

type ruleSet struct {
	spec       game.Spec
	doc        rules.Doc
	noEat      int
	repetition int
	byPosition bool
	occurs     int // occurrences of a position that make a draw
}

var names = grid.Names{Width: Width, Height: Height}

func open(spec game.Spec) (rules.Rules, error) {
	g := Game()
	r := &ruleSet{spec: spec}
	var err error
	if r.noEat, err = strconv.Atoi(g.OptionOf(spec, "noeat")); err != nil {
		return nil, fmt.Errorf("noeat of %q: %w", spec, err)
	}
	if r.repetition, err = strconv.Atoi(g.OptionOf(spec, "repetition")); err != nil {
		return nil, fmt.Errorf("repetition of %q: %w", spec, err)
	}
	r.byPosition = g.OptionOf(spec, "repetitiondef") == "position"
	if r.occurs = r.repetition; g.OptionOf(spec, "occurrences") == "n+1" {
		r.occurs++
	}
	if r.repetition == 1 && (!r.byPosition || r.occurs == 1) {
		return nil, fmt.Errorf("repetition=1 would end every game at once: the least is 2, and 0 means never")
	}
	r.doc = r.describe()
	return r, nil
}

func (r *ruleSet) describe() rules.Doc {
	d := rules.Doc{
		Title: "Chinese dark chess", Width: Width, Height: Height, Info: rules.PublicChance,
		Phases: []string{PhaseMove, PhaseDeal},
		Reasons: []rules.Code{
			{Word: string(ByCaptureAll), Meaning: "the loser has no pieces left, face up or face down"},
			{Word: string(ByNoMove), Meaning: "the loser has no move and nothing is face down"},
			{Word: string(ByNoEatFlip), Meaning: "a draw: too many plies without flip and capture"},
			{Word: string(ByLongCatch), Meaning: "a draw by repetition"},
		},
		Source: "NTPU dark chess client (2019), Computer Olympiad and TCGA",
	}
	words := [...]string{"king", "guard", "minister", "rook", "knight", "cannon", "pawn"}
	for i, w := range words {
		d.Pieces = append(d.Pieces, rules.Code{Word: Letters[i : i+1], Meaning: "red " + w})
	}
	for i, w := range words {
		d.Pieces = append(d.Pieces, rules.Code{Word: Letters[Kinds+i:][:1], Meaning: "black " + w})
	}
	d.Pieces = append(d.Pieces, rules.Code{Word: "X", Meaning: "face down"})
	if r.noEat > 0 {
		// 32 flips with their deals and at most 31 captures, each after the longest
		// quiet time, and a last one.
		d.MaxPlies = 2*Squares + Squares - 1 + 2*Squares*r.noEat
	}
	return d
}

func (r *ruleSet) Spec() game.Spec { return r.spec }
func (r *ruleSet) Doc() *rules.Doc { return &r.doc }

// New returns the board with all pieces face down and no colours yet.
func (r *ruleSet) New() rules.State { return newState(r, StartBoard()) }

// Symmetries returns the identity, both reflections and the half turn.
func (r *ruleSet) Symmetries() []func(game.Point) game.Point {
	return grid.Symmetries(Width, Height)
}
