package gomoku_test

import (
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/games/gomoku"
	"kibitz/rules"
)

// Two passes in a row are a draw, one is none; after a pass the other side places, and
// its colour is its own.
func TestPasses(t *testing.T) {
	r := open(t, "gomoku:rule=renju,pass=true")
	const first, second, nobody = game.First, game.Second, game.Nobody
	for _, c := range []struct {
		text string
		turn game.Seat
		next gomoku.Stone
	}{
		{"pass", second, gomoku.White},
		{"h8 pass", first, gomoku.Black},
		{"h8 pass i9", second, gomoku.White},
		{"h8 pass i9 pass", first, gomoku.Black},
		{"h8 pass i9a1 pass b1", first, gomoku.Black},
		{"h8 pass pass", nobody, gomoku.White},
		{"pass pass", nobody, gomoku.Black},
	} {
		s := position(t, r, c.text)
		if s.Turn().Seat != c.turn || s.Next() != c.next || s.Text() != c.text {
			t.Errorf("%s: turn %v, next stone %v, text %q", c.text, s.Turn(), s.Next(), s.Text())
		}
		res, over := s.Result()
		if over != (c.turn == nobody) || over && (!res.Draw() || res.Reason != gomoku.ByPasses) {
			t.Errorf("%s: over %t, %+v", c.text, over, res)
		}
		if s.Prolong() {
			t.Errorf("%s can be prolonged", c.text)
		}
	}
	one, other := position(t, r, "h8i9 pass"), position(t, r, "i9 pass h8")
	if one.Hash() == other.Hash() {
		t.Error("who may end the game by a pass and who may not has one number")
	}
}

// A stone between two passes counts, and a five after a pass is the placer's.
func TestPassThenFive(t *testing.T) {
	s := position(t, open(t, "gomoku:rule=renju,pass=true"), "a1a2b1 pass c1b2d1 pass e1")
	if res, over := s.Result(); !over || res.Winner() != game.First || res.Reason != gomoku.ByFive {
		t.Errorf("over %t, %+v", over, res)
	}
	s = position(t, open(t, "gomoku:rule=renju,pass=true"), "pass a1 pass b1 pass c1 pass d1 pass e1")
	if res, over := s.Result(); !over || res.Winner() != game.Second {
		t.Errorf("over %t, %+v", over, res)
	}
}

// An opening knows no pass: six stones must lie.
func TestPassAfterTheOpening(t *testing.T) {
	r := open(t, "gomoku:rule=renju,opening=swap2,pass=true")
	for text, want := range map[string]string{
		"-": "opening", "h8i9g7": "choice of colour", "h8i9g7 stay": "opening", "h8i9g7 swap a1a3": "opening",
		"h8i9g7 two a1b1": "choice of colour", "h8i9g7 two a1b1 stay": "opening",
		"h8i9g7 two a1b1 stay c1": "", "h8i9g7 swap a1a3a5": "",
		strings.Repeat("..............."+"/", 14) + "............... black": "",
	} {
		s := position(t, r, text)
		err := s.Check(game.PassMove())
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
		listed := false
		for _, m := range s.Legal(nil) {
			listed = listed || m.Op == game.Pass
		}
		if listed != (err == nil) {
			t.Errorf("%s: the pass is listed: %t", text, listed)
		}
	}
}

func TestPassNowhereElse(t *testing.T) {
	for _, spec := range []string{"gomoku:rule=renju", "gomoku:rule=renju,opening=swap2"} {
		s := open(t, spec).New()
		if err := s.Check(game.PassMove()); err == nil || !strings.Contains(err.Error(), "pass=true") {
			t.Errorf("%s: %v", spec, err)
		}
	}
	if _, err := rules.Open([]rules.Game{gomoku.Game()}, "gomoku:pass=true,continuous=true"); err == nil || !strings.Contains(err.Error(), "continuous") {
		t.Errorf("a continuous game with passes: %v", err)
	}
}

// A pass is a turn, counted from the rules by hand: 225 stones and a pass, twice, less
// nothing; the third turn is none after two passes.
func TestPerftWithPasses(t *testing.T) {
	s := open(t, "gomoku:rule=renju,pass=true").New().(rules.Perfter)
	n := uint64(225)
	for depth, want := range []uint64{
		1,
		n + 1,
		n*(n-1+1) + (n + 1),
		n*((n-1)*(n-2+1)+(n-1+1)) + n*(n-1+1),
	} {
		if got := s.Perft(depth); got != want {
			t.Errorf("perft %d: %d, want %d", depth, got, want)
		}
	}
}
