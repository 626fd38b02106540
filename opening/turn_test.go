package opening_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kibitz/game"
	"kibitz/games"
	"kibitz/opening"
	"kibitz/rules"
	"kibitz/rules/rulestest"
)

// specs are games with different boards, text forms and symmetries, and how many
// symmetries leave their initial position as it is.
var specs = map[string]int{
	"othello": 4, "gomoku": 8, "gomoku:size=20": 8, "gomoku:rule=renju": 8, "gomoku:width=12,height=9": 4, "gomoku:opening=swap2": 8,
	"gomoku:continuous=true": 8, "connect6": 8, "amazons": 2, "nogo": 8, "dotsandboxes": 8, "dotsandboxes:size=3": 8, "phantomgo": 8,
	"surakarta": 2, "darkchess": 4,
}

var open = rulestest.Opener(games.All()...)

// playout returns the decisions of a random game that stops before its end.
func playout(r rules.Rules, seed uint64, most int) []game.Move {
	rng := rand.New(rand.NewPCG(seed, 1))
	s := r.New()
	var out []game.Move
	for len(out) < most {
		var legal []game.Move
		if c, ok := s.(rules.Chance); ok && s.Turn().Seat == game.Dealer {
			for _, o := range c.Outcomes(nil) {
				legal = append(legal, o.Move)
			}
		} else {
			legal = s.Legal(nil)
		}
		m := legal[rng.IntN(len(legal))]
		if next := s.Clone(); !apply(next, m) || over(next) {
			break
		}
		apply(s, m)
		out = append(out, m)
	}
	return out
}

func apply(s rules.State, m game.Move) bool { _, err := s.Apply(m, nil); return err == nil }

func over(s rules.State) bool { _, over := s.Result(); return over }

// TestTurn turns random games of every game: played decision by decision they lead
// to the position that is drawn from the text of the original.
func TestTurn(t *testing.T) {
	for spec, symmetries := range specs {
		r := open(t, spec)
		tn := opening.NewTurner(r)
		if got := len(tn.Of("")); got != symmetries {
			t.Errorf("%s: %d symmetries keep the initial position, want %d", spec, got, symmetries)
		}
		for seed := range uint64(6) {
			o := opening.Opening{Name: "x", Steps: playout(r, seed, 5+int(seed)*9)}
			s, err := o.State(r)
			if err != nil {
				t.Fatal(err)
			}
			whole := opening.Opening{Name: "x", Start: s.Text()}
			for _, n := range tn.Of("") {
				a, err := tn.Turn(o, n)
				if err != nil {
					t.Fatalf("%s, symmetry %d: %v", spec, n, err)
				}
				want, err := a.State(r)
				if err != nil {
					t.Fatal(err)
				}
				b, err := tn.Turn(whole, n)
				if err != nil {
					t.Fatalf("%s, symmetry %d of %s: %v", spec, n, s.Text(), err)
				}
				if b.Start != want.Text() {
					t.Errorf("%s, symmetry %d: text\n%s\nplayed\n%s", spec, n, b.Start, want.Text())
				}
				ka, err := tn.Key(&a)
				if err != nil {
					t.Fatal(err)
				}
				if kb, err := tn.Key(&o); err != nil || ka != kb {
					t.Errorf("%s, symmetry %d: keys %x and %x, %v", spec, n, ka, kb, err)
				}
			}
		}
	}
}

// TestTurnPosition turns positions by the symmetries that the initial position does
// not share, where the rules name such: turned back they are what they were.
func TestTurnPosition(t *testing.T) {
	r := open(t, "surakarta")
	tn := opening.NewTurner(r)
	o := opening.Opening{Steps: playout(r, 3, 12)}
	s, err := o.State(r)
	if err != nil {
		t.Fatal(err)
	}
	start := s.Text()
	all := tn.Of(start)
	if len(all) != 8 {
		t.Fatalf("%d symmetries", len(all))
	}
	back := 0
	for _, n := range all {
		a, err := tn.Turn(opening.Opening{Start: start}, n)
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(all, func(k int) bool { b, err := tn.Turn(a, k); return err == nil && b.Start == start }) {
			back++
		}
	}
	if back != 8 {
		t.Errorf("%d of 8 can be turned back", back)
	}
}

func TestTurnRefuses(t *testing.T) {
	tn := opening.NewTurner(open(t, "nogo"))
	if _, err := tn.Turn(opening.Opening{Start: "nothing"}, 1); err == nil {
		t.Error("a text that is no position was turned")
	}
	if _, err := tn.Turn(opening.Opening{Steps: []game.Move{game.PassMove(), game.PassMove()}}, 1); err == nil {
		t.Error("decisions that are not legal were turned")
	}
}
