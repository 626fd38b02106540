package opening_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/opening"
	"kibitz/rules"
)

func list(t *testing.T, r rules.Rules, text string) []opening.Opening {
	t.Helper()
	l, err := read([]byte(text), r)
	if err != nil {
		t.Fatal(err)
	}
	opening.Number(l)
	return l
}

// texts prints openings one by one.
func texts(l []opening.Opening, r rules.Rules) []string {
	var out []string
	for i := range l {
		out = append(out, strings.TrimSpace(l[i].Start+" "+moves(&l[i], r)))
	}
	return out
}

// TestPasses: a list is gone through once for each symmetry, in the same order, and
// each opening shows all its forms before one comes again.
func TestPasses(t *testing.T) {
	r := open(t, "othello")
	l := list(t, r, "f5 d6 c3\nf5 f6\nf5 d6 c3 d3\nf5 f4\n---------------------------OX------XO--------------------------X X")
	tn := opening.NewTurner(r)
	out, err := tn.Passes(l, [32]byte{1})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) != 20 {
		t.Fatalf("%d openings, want 4 passes of 5", len(out))
	}
	for i := range l {
		forms := map[string]bool{}
		key, err := tn.Key(&l[i])
		if err != nil {
			t.Fatal(err)
		}
		for p := range 4 {
			o := out[p*len(l)+i]
			if k, err := tn.Key(&o); err != nil || k != key || o.Name != l[i].Name {
				t.Errorf("pass %d of opening %s is %s: %v", p, l[i].Name, o.Name, err)
			}
			forms[texts([]opening.Opening{o}, r)[0]] = true
		}
		want := 4
		if l[i].Name == "5" { // the corner lies on a diagonal that is kept
			want = 2
		}
		if len(forms) != want {
			t.Errorf("opening %s has %d forms, want %d: %v", l[i].Name, len(forms), want, forms)
		}
	}
	same, err := tn.Passes(list(t, r, "f5 d6 c3\nf5 f6\nf5 d6 c3 d3\nf5 f4\n---------------------------OX------XO--------------------------X X"), [32]byte{1})
	if err != nil || !slices.Equal(texts(same, r), texts(out, r)) {
		t.Errorf("the same seed turns otherwise: %v", err)
	}
	other, err := tn.Passes(l, [32]byte{2})
	if err != nil || slices.Equal(texts(other, r), texts(out, r)) {
		t.Errorf("another seed turns the same: %v", err)
	}
}

// TestPassesOfLongLists: what is made stays within bounds.
func TestPassesOfLongLists(t *testing.T) {
	r := open(t, "gomoku")
	l := make([]opening.Opening, 9000)
	for i := range l {
		l[i] = opening.Opening{Name: fmt.Sprint(i), Steps: []game.Move{game.PlaceAt(game.Pt(i%15, i/15%15))}}
	}
	out, err := opening.NewTurner(r).Passes(l, [32]byte{})
	if err != nil || len(out) != 18000 {
		t.Errorf("%d openings, %v", len(out), err)
	}
}

func TestRotate(t *testing.T) {
	for start, want := range map[int]string{1: "[a b c]", 2: "[b c a]", 3: "[c a b]", 4: "[a b c]", 8: "[b c a]", 3000: "[c a b]"} {
		if got := fmt.Sprint(opening.Rotate([]string{"a", "b", "c"}, start)); got != want {
			t.Errorf("start %d: %s, want %s", start, got, want)
		}
	}
	if got := opening.Rotate([]int(nil), 5); len(got) != 0 {
		t.Error(got)
	}
}

func TestShuffle(t *testing.T) {
	a, b, c := make([]int, 100), make([]int, 100), make([]int, 100)
	for i := range a {
		a[i], b[i], c[i] = i, i, i
	}
	opening.Shuffle(a, [32]byte{7})
	opening.Shuffle(b, [32]byte{7})
	opening.Shuffle(c, [32]byte{8})
	if !slices.Equal(a, b) || slices.Equal(a, c) || slices.IsSorted(a) {
		t.Errorf("%v %v %v", a, b, c)
	}
	slices.Sort(a)
	if a[0] != 0 || a[99] != 99 || len(slices.Compact(a)) != 100 {
		t.Error("something was lost")
	}
}

// TestDuplicates finds openings that are mirrored or come about in another order.
func TestDuplicates(t *testing.T) {
	for spec, c := range map[string]struct{ text, want string }{
		"othello":  {"f5 d6 c3\nd3 c5 f6\nf5 f4\nf5 f6", "[{0 1}]"},
		"gomoku":   {"h8 i8 j8\nj8 i8 h8\nh8 g8 h10\nh8 h9 h10\nh8 h9 f8", "[{0 1} {0 3} {2 4}]"},
		"amazons":  {"d1-d7 /g7\ng1-g7 /d7", "[{0 1}]"},
		"connect6": {"j10 k10 k11\nj10 k11 k10\nj10 j11 k11", "[{0 1} {0 2}]"},
	} {
		r := open(t, spec)
		got, err := opening.NewTurner(r).Duplicates(list(t, r, c.text))
		if err != nil || fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, %v, want %s", spec, got, err, c.want)
		}
	}
}

// fake evaluates by the number of the position's hash: some are even, some are not.
type fake struct {
	rules rules.Rules
	unit  game.Unit
}

func (f *fake) Evaluate(_ context.Context, o *opening.Opening) (game.Eval, error) {
	s, err := o.State(f.rules)
	if err != nil {
		return game.Eval{}, err
	}
	x := float64(s.Hash()%41) - 20
	if f.unit == game.WinChance {
		x = x/40 + 0.5
	}
	return game.Eval{Unit: f.unit, Lo: x, Hi: x}, nil
}

func search(r rules.Rules, recipe opening.Recipe, unit game.Unit, workers int) *opening.Search {
	s := &opening.Search{Turner: opening.NewTurner(r), Recipe: recipe, Seed: [32]byte{9}}
	for range workers {
		s.Evaluators = append(s.Evaluators, &fake{rules: r, unit: unit})
	}
	return s
}

// TestSearch finds the same openings with one evaluator and with many: within the
// window, of whole turns, and different but for symmetries.
func TestSearch(t *testing.T) {
	for _, spec := range []string{"othello", "amazons", "connect6", "dotsandboxes", "phantomgo", "nogo", "gomoku:rule=renju", "surakarta"} {
		r := open(t, spec)
		unit := game.Points
		recipe := opening.Recipe{Plies: 7, Within: 3, Near: 2}
		if spec == "nogo" {
			unit, recipe.Within = game.WinChance, 0.1
		}
		var first []string
		for _, workers := range []int{1, 5} {
			var found []opening.Opening
			n, err := search(r, recipe, unit, workers).Run(t.Context(), 15, func(b *opening.Balanced) error {
				found = append(found, b.Opening)
				if x := b.Eval.Mid(); unit == game.Points && (x < -3 || x > 3) || unit == game.WinChance && (x < 0.4 || x > 0.6) {
					t.Errorf("%s: %g was taken", spec, x)
				}
				if line, ok := search(r, recipe, unit, 1).Line(b.Candidate); !ok || !slices.Equal(line, b.Steps) {
					t.Errorf("%s: candidate %d is another line", spec, b.Candidate)
				}
				return nil
			})
			if err != nil || n.Found != 15 || len(found) != 15 {
				t.Fatalf("%s: %+v, %v", spec, n, err)
			}
			if workers == 1 {
				first = texts(found, r)
			}
			if got := texts(found, r); !slices.Equal(got, first) {
				t.Errorf("%s, %d evaluators: %v\none: %v", spec, workers, got, first)
			}
			if twice, err := opening.NewTurner(r).Duplicates(found); err != nil || len(twice) > 0 {
				t.Errorf("%s: the same twice: %v, %v", spec, twice, err)
			}
			for i := range found {
				s, err := found[i].State(r)
				if err != nil || s.Turn().Step != 0 || len(found[i].Steps) < 7 {
					t.Errorf("%s: %s: %v", spec, first[i], err)
				}
			}
		}
	}
}

// TestSearchGivesUp says why there are fewer openings than asked for.
func TestSearchGivesUp(t *testing.T) {
	r := open(t, "othello")
	n, err := search(r, opening.Recipe{Plies: 2, Within: 100}, game.Discs, 2).Run(t.Context(), 10, func(*opening.Balanced) error { return nil })
	const few = "3 of 10 openings found: there are hardly others of 2 plies; ask for fewer openings or take more plies"
	if err == nil || err.Error() != few || n.Found != 3 {
		t.Errorf("%+v, %v", n, err)
	}
	_, err = search(r, opening.Recipe{Plies: 200, Within: 100}, game.Discs, 2).Run(t.Context(), 10, func(*opening.Balanced) error { return nil })
	if err == nil || err.Error() != "0 of 10 openings found: random games are over before they have 200 plies; take fewer plies" {
		t.Error(err)
	}
	_, err = search(r, opening.Recipe{Plies: 8, Within: 100}, game.MateIn, 2).Run(t.Context(), 10, func(*opening.Balanced) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "0 of 10 openings found, none among the last 1500 evaluated: take a wider window or fewer plies") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = search(r, opening.Recipe{Plies: 8, Within: 0}, game.Discs, 2).Run(ctx, 10, func(*opening.Balanced) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
