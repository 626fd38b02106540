package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"

	"github.com/google/shlex"

	"kibitz/game"
	"kibitz/record"
	"kibitz/rules"
)

// opening is a start position and the decisions already made from it.
type opening struct {
	Name  string
	Start string
	Steps []game.Move
}

// openingOptions are the words of --openings.
type openingOptions struct {
	file   string
	random bool
	start  int
	plies  int
}

func parseOpenings(text string) (openingOptions, error) {
	o := openingOptions{start: 1}
	words, err := shlex.Split(text)
	if err != nil {
		return o, fmt.Errorf("--openings %q: %w", text, err)
	}
	for _, w := range words {
		key, value, _ := strings.Cut(w, "=")
		var err error
		switch key {
		case "file":
			o.file = value
		case "order":
			if value != "random" && value != "sequential" {
				err = fmt.Errorf("order=%s: must be random or sequential", value)
			}
			o.random = value == "random"
		case "start":
			if o.start, err = strconv.Atoi(value); err != nil || o.start < 1 {
				err = fmt.Errorf("start=%s: must be a number from 1", value)
			}
		case "plies":
			if o.plies, err = strconv.Atoi(value); err != nil || o.plies < 1 {
				err = fmt.Errorf("plies=%s: must be a number from 1", value)
			}
		case "transform":
			if yes, bad := parseBool(key, value); bad != nil || yes {
				err = fmt.Errorf("transform=%s: this version does not turn and mirror openings yet", value)
			}
		default:
			err = fmt.Errorf("unknown key %q: known are file order start plies; a name with blanks needs quotes, file='my openings.txt'", key)
		}
		if err != nil {
			return o, fmt.Errorf("--openings: %w", err)
		}
	}
	if o.file == "" {
		return o, fmt.Errorf("--openings %q: file=F is missing", text)
	}
	return o, nil
}

// readOpenings reads the openings of a file in any format that the game has, and
// checks each by the rules: an opening that is not legal, or that ends the game,
// is an error that names its line.
func readOpenings(text string, r rules.Rules, seed uint64) ([]opening, error) {
	o, err := parseOpenings(text)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(o.file)
	if err != nil {
		return nil, fmt.Errorf("--openings: %w", err)
	}
	records, err := readRecords(o.file, data, r.Spec(), "")
	if err != nil {
		return nil, fmt.Errorf("--openings: %w", err)
	}
	var out []opening
	for i, g := range records {
		op, err := newOpening(g, r, o.plies)
		if err != nil {
			return nil, fmt.Errorf("--openings: %w", &record.Error{File: o.file, Line: g.Line, Msg: err.Error()})
		}
		if op.Name == "" {
			op.Name = strconv.Itoa(i + 1)
		}
		out = append(out, op)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("--openings: %s holds no opening", o.file)
	}
	if o.start > len(out) {
		return nil, fmt.Errorf("--openings: start=%d: %s holds %s", o.start, o.file, count(len(out), "opening"))
	}
	if o.random {
		rng := rand.New(rand.NewPCG(seed, 0x6f70656e))
		rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	}
	k := o.start - 1
	return append(out[k:len(out):len(out)], out[:k]...), nil
}

// newOpening replays a record as an opening; plies cuts it, 0 takes all.
func newOpening(g *record.Game, r rules.Rules, plies int) (opening, error) {
	op := opening{Name: openingName(g), Start: g.Start}
	if err := sameBoard(g, r); err != nil {
		return op, err
	}
	s := r.New()
	if g.Start != "" {
		var err error
		if s, err = r.Position(g.Start); err != nil {
			return op, err
		}
	}
	for i, step := range g.Steps {
		if plies > 0 && i >= plies {
			break
		}
		if f, ok := s.(rules.Forcer); ok && step.Move.Op != game.Pass {
			if m, must := f.Forced(); must {
				if _, err := s.Apply(m, nil); err != nil {
					return op, err
				}
				op.Steps = append(op.Steps, m)
			}
		}
		if _, err := s.Apply(step.Move, nil); err != nil {
			return op, fmt.Errorf("opening, move %d, %s: %w", i+1, r.FormatMove(step.Move), err)
		}
		op.Steps = append(op.Steps, step.Move)
	}
	if res, over := s.Result(); over {
		return op, fmt.Errorf("the opening ends the game (%s)", res.Reason)
	}
	return op, nil
}

// sameBoard returns why a record of another game or board is no opening of this
// one. Rules may differ: few formats name them.
func sameBoard(g *record.Game, r rules.Rules) error {
	if g.Spec == "" {
		return nil
	}
	other, err := completed(g.Spec)
	if err != nil {
		return err
	}
	if g.Spec.ID() != r.Spec().ID() {
		return fmt.Errorf("this is a game of %s, not of %s", g.Spec.ID(), r.Spec().ID())
	}
	a, b := other.Doc(), r.Doc()
	if a.Width != b.Width || a.Height != b.Height {
		return fmt.Errorf("the board has %dx%d points, that of the match %dx%d", a.Width, a.Height, b.Width, b.Height)
	}
	return nil
}

func openingName(g *record.Game) string {
	if name, ok := g.Tag("opening"); ok {
		return name
	}
	return g.ID
}
