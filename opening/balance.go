package opening

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"

	"kibitz/game"
	"kibitz/rules"
)

// Evaluator says how an opening stands for the side to move. One evaluator is used
// by one goroutine at a time; its answer depends on the opening alone.
type Evaluator interface {
	Evaluate(ctx context.Context, o *Opening) (game.Eval, error)
}

// Recipe says what balanced openings are to be.
type Recipe struct {
	// Plies is how many decisions are made by chance; the turn under way is then
	// completed.
	Plies int
	// Within is how far an evaluation may lie from even, in its own unit: discs,
	// points, or the chance to win as a distance from one half.
	Within float64
	// Near, if above zero, keeps each stone within that many rows and columns of
	// an earlier one, and the first within as many of the middle. Games on boards
	// that are much larger than what happens on them need it.
	Near int
}

// Balanced is an opening that was found, with its evaluation for the side to move.
type Balanced struct {
	Opening
	Eval game.Eval
	// Candidate is the number of the random line that it is, from 1.
	Candidate int
}

// Search finds random openings that an evaluator takes for even. Candidates are
// numbered, and candidate n depends on the seed and n alone, so that the same
// openings are found by one evaluator and by many.
type Search struct {
	Turner *Turner
	Recipe Recipe
	Seed   [32]byte
	// Evaluators work side by side, at least one.
	Evaluators []Evaluator
	// Progress, if not nil, is called after each evaluated candidate.
	Progress func(Counts)
}

// Counts says how far a search is.
type Counts struct {
	// Candidates were made, of which Repeated had been seen before but for a
	// symmetry, or ended the game; Evaluated were judged, and Found taken.
	Candidates, Repeated, Evaluated, Found int
}

// Bounds after which a search gives up: so many candidates in a row that are
// nothing new, so many evaluations in a row that are too far from even.
const (
	mostRepeated = 4000
	mostUneven   = 1500
)

// Run calls f for each opening that it finds until there are count. The error says
// why there are fewer.
func (s *Search) Run(ctx context.Context, count int, f func(*Balanced) error) (Counts, error) {
	var c Counts
	seen := map[uint64]bool{}
	repeated, ended, uneven := 0, 0, 0
	for c.Found < count {
		batch := make([]*Balanced, 0, len(s.Evaluators))
		for len(batch) < len(s.Evaluators) && repeated < mostRepeated {
			o, over, err := s.candidate(&c, seen)
			if err != nil {
				return c, err
			}
			if over {
				ended++
			}
			if repeated++; o != nil {
				batch, repeated, ended = append(batch, o), 0, 0
			}
		}
		if len(batch) == 0 {
			return c, s.exhausted(c, count, ended)
		}
		if err := s.evaluate(ctx, batch); err != nil {
			return c, err
		}
		for _, o := range batch {
			c.Evaluated++
			if uneven++; s.Recipe.even(o.Eval) {
				c.Found, uneven = c.Found+1, 0
				o.Name = strconv.Itoa(c.Found)
				if err := f(o); err != nil {
					return c, err
				}
			}
			if s.Progress != nil {
				s.Progress(c)
			}
			if c.Found == count {
				return c, nil
			}
		}
		if uneven >= mostUneven {
			return c, fmt.Errorf("%d of %d openings found, none among the last %d evaluated: take a wider window or fewer plies",
				c.Found, count, uneven)
		}
	}
	return c, nil
}

// exhausted says why there are no further candidates, of the last of which so many
// ended the game.
func (s *Search) exhausted(c Counts, count, ended int) error {
	if 2*ended > mostRepeated {
		return fmt.Errorf("%d of %d openings found: random games are over before they have %d plies; take fewer plies",
			c.Found, count, s.Recipe.Plies)
	}
	return fmt.Errorf("%d of %d openings found: there are hardly others of %d plies; ask for fewer openings or take more plies",
		c.Found, count, s.Recipe.Plies)
}

// Distance returns how far an evaluation is from even, in its own unit, and whether that
// is known: a game that is decided is not so many points from even.
func Distance(e game.Eval) (far float64, known bool) {
	x := e.Mid()
	switch e.Unit {
	case game.WinChance:
		x -= 0.5
	case game.Discs, game.Points:
	default:
		return 0, false
	}
	return math.Abs(x), true
}

// even reports whether an evaluation lies within the window.
func (r Recipe) even(e game.Eval) bool {
	far, known := Distance(e)
	return known && far <= r.Within
}

// candidate makes the next random opening, nil if it is nothing new; over tells that
// it ended the game.
func (s *Search) candidate(c *Counts, seen map[uint64]bool) (o *Balanced, over bool, err error) {
	c.Candidates++
	o = &Balanced{Candidate: c.Candidates}
	steps, ok := s.Line(c.Candidates)
	if !ok {
		c.Repeated++
		return nil, true, nil
	}
	o.Steps = steps
	key, err := s.Turner.Key(&o.Opening)
	if err != nil {
		return nil, false, err
	}
	if seen[key] {
		c.Repeated++
		return nil, false, nil
	}
	seen[key] = true
	return o, false, nil
}

// Line returns the random line that is candidate n, from 1; ok is false if it ends
// the game.
func (s *Search) Line(n int) (steps []game.Move, ok bool) {
	return s.Turner.random(s.Recipe, source(s.Seed, uint64(n)))
}

// evaluate judges a batch side by side.
func (s *Search) evaluate(ctx context.Context, batch []*Balanced) error {
	errs := make([]error, len(batch))
	var wg sync.WaitGroup
	for i, o := range batch {
		wg.Go(func() { o.Eval, errs[i] = s.Evaluators[i].Evaluate(ctx, &o.Opening) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// random makes decisions by chance, all that are sensible with the same
// probability. ok is false if they end the game.
func (t *Turner) random(r Recipe, rng *rand.Rand) (steps []game.Move, ok bool) {
	st := t.start.Clone()
	var legal []game.Move
	for {
		turn := st.Turn()
		if turn.Seat == game.Nobody {
			return nil, false
		}
		if len(steps) >= r.Plies && turn.Step == 0 && turn.Seat.IsPlayer() {
			return steps, true
		}
		if turn.Seat == game.Dealer {
			return nil, false
		}
		legal = t.sensible(st, r, steps, st.Legal(legal[:0]))
		m := legal[rng.IntN(len(legal))]
		if _, err := st.Apply(m, nil); err != nil {
			return nil, false
		}
		steps = append(steps, m)
	}
}

// sensible leaves out what is no part of an opening: attempts that would not stand,
// passes that nobody is forced to, and stones far from all others. If nothing is
// left, everything is.
func (t *Turner) sensible(st rules.State, r Recipe, steps, legal []game.Move) []game.Move {
	permits, hidden := st.(rules.Permitter)
	list := make([]game.Move, 0, len(legal))
	for _, m := range legal {
		switch {
		case m.Op == game.Pass, hidden && !permits.Permits(m), r.Near > 0 && !t.near(m, steps, r.Near):
		default:
			list = append(list, m)
		}
	}
	if len(list) == 0 {
		return legal
	}
	return list
}

// near reports whether a stone lies within so many rows and columns of an earlier
// one, or of the middle of the board if there is none.
func (t *Turner) near(m game.Move, steps []game.Move, most int) bool {
	if m.Op != game.Place {
		return true
	}
	if len(steps) == 0 {
		return within(m.To, game.Pt(t.width/2, t.height/2), most)
	}
	return slices.ContainsFunc(steps, func(s game.Move) bool { return s.Op == game.Place && within(m.To, s.To, most) })
}

func within(a, b game.Point, most int) bool {
	dx, dy := int(a.X)-int(b.X), int(a.Y)-int(b.Y)
	return max(dx, -dx, dy, -dy) <= most
}
