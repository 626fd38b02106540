package exact_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"kibitz/exact"
	"kibitz/exact/darkchess"
	"kibitz/exact/nogo"
	"kibitz/exact/othello"
	"kibitz/game"
	"kibitz/games"
	"kibitz/rules"
)

func position(t testing.TB, spec, text string) rules.State {
	t.Helper()
	r, err := games.Open(spec)
	if err != nil {
		t.Fatal(err)
	}
	if text == "" {
		return r.New()
	}
	s, err := r.Position(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Small games are decided from their beginning.
func TestWholeGames(t *testing.T) {
	for _, k := range []struct {
		spec   string
		unit   string
		points float64 // of the first seat
		board  [2]float64
	}{
		{"dotsandboxes:size=1", "boxes", 0, [2]float64{0, 1}},
		{"nogo:size=2", "", 1, [2]float64{}},
		{"nogo:size=3", "", 1, [2]float64{}},
	} {
		x := &exact.Search{Unit: k.unit}
		s := position(t, k.spec, "")
		v, ok := x.Solve(s, 1_000_000)
		b := brute{most: 10_000_000, board: k.unit != "", memo: map[string]worth{}}
		w, known := b.value(s)
		if !ok || !known || v.Points[0] != k.points || v.Board != k.board || w.points != 2*k.points-1 {
			t.Errorf("%s: %+v %v, by brute force %+v", k.spec, v, ok, w)
		}
	}
}

// Where chance or something hidden decides, where the game is over, and where the
// budget ends, nothing is known.
func TestNothingIsKnown(t *testing.T) {
	for _, k := range []struct {
		spec, text string
		budget     int64
	}{
		{"phantomgo:size=5", "", 100_000},
		{"darkchess", "", 1000},
		{"nogo:size=5", "", 1000},
		{"othello", strings.Repeat("X", 64) + " X", 1000},
	} {
		x := &exact.Search{History: k.spec == "darkchess"}
		if v, ok := x.Solve(position(t, k.spec, k.text), k.budget); ok || v.Points != [2]float64{} || v.Nodes > k.budget+1 {
			t.Errorf("%s: %+v", k.spec, v)
		}
	}
}

// What does not depend on chance is known: a capture of the last piece, while
// something else could be flipped.
func TestBeforeChance(t *testing.T) {
	s := position(t, "darkchess", "K---/g---/----/----/----/----/----/---X r hidden=P")
	x := &exact.Search{History: true}
	v, ok := x.Solve(s, 1000)
	if !ok || v.Winner() != s.Turn().Seat {
		t.Errorf("%+v %v", v, ok)
	}
}

// The last two pieces of dark chess are a draw if neither can take the other, and
// only where a rule ends such a game.
func TestHarmlessPieces(t *testing.T) {
	solver, err := darkchess.New()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{
		"C---/----/----/---c/----/----/----/---- r":          true,
		"C---/----/----/---p/----/----/----/---- b":          true,
		"P---/----/----/---c/----/----/----/---- r":          true,
		"P---/----/----/---k/----/----/----/---- r":          false,
		"C---/----/----/--pc/----/----/----/---- r":          false,
		"C---/----/----/---c/----/----/----/---X r hidden=P": false,
	} {
		v, ok := solver.Solve(position(t, "darkchess", text), 2000)
		if drawn := ok && v.Winner() == game.Nobody; drawn != want {
			t.Errorf("%s: %+v %v", text, v, ok)
		}
		if v, ok := solver.Solve(position(t, "darkchess:noeat=0", text), 2000); ok && v.Winner() == game.Nobody {
			t.Errorf("%s without a limit: %+v", text, v)
		}
	}
}

// Solvers keep no knowledge: what one says does not depend on what it was asked
// before, nor on how many are asked at a time.
func TestShare(t *testing.T) {
	for spec, open := range map[string]func() (exact.Solver, error){"nogo:size=4": nogo.New, "othello": othello.New} {
		s := position(t, spec, "")
		var list []game.Move
		shared, err := exact.Share(open)
		if err != nil {
			t.Fatal(err)
		}
		for !shared.Near(s) {
			list = s.Legal(list[:0])
			if _, err := s.Apply(list[len(list)/2], nil); err != nil {
				t.Fatal(err)
			}
		}
		want, known := shared.Solve(s, 20_000)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 2 {
					if got, ok := shared.Solve(s, 20_000); ok != known || got.Nodes != want.Nodes || got.Points != want.Points {
						t.Errorf("%s: %+v, then %+v", spec, want, got)
					}
				}
			})
		}
		wg.Wait()
	}
	if _, err := exact.Share(func() (exact.Solver, error) { return nil, errors.New("no room") }); err == nil {
		t.Error("a solver out of nothing")
	}
}
