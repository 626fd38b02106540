package gomoku

import (
	"math/rand/v2"
	"testing"

	"kibitz/game"
	"kibitz/games/gomoku"
)

// slowAttack answers by trying every stone whether c wins by at most depth threats:
// stones after which a five would be next, or an open four or two; answers to fours
// of the other side do not count. That side may place its stone anywhere. It uses the judge and nothing of the field.
func slowAttack(b *gomoku.Board, c gomoku.Stone, depth int) bool {
	if slowForce(b, c, 0) {
		return true
	}
	free := fives(b, c.Other()) == 0
	if free && slowForce(b, c, 1) {
		return true
	}
	if free && depth == 0 {
		return false
	}
	for _, i := range empties(b) {
		if b.Judge(i, c) != gomoku.Quiet {
			continue
		}
		b.Put(i, c)
		won := fives(b, c.Other()) == 0 && slowForce(b, c, 1) && everyAnswerFails(b, c, depth)
		b.Put(i, gomoku.Empty)
		if won {
			return true
		}
	}
	return false
}

// everyAnswerFails tries all stones of the defender against a threat.
func everyAnswerFails(b *gomoku.Board, c gomoku.Stone, depth int) bool {
	for _, i := range empties(b) {
		v := b.Judge(i, c.Other())
		if v.Foul() {
			continue
		}
		if v == gomoku.Win {
			return false
		}
		b.Put(i, c.Other())
		left := depth - 1
		if fives(b, c.Other()) > 0 {
			left = depth
		}
		lost := slowAttack(b, c, left)
		b.Put(i, gomoku.Empty)
		if !lost {
			return false
		}
	}
	return true
}

// The search of threats finds wins by threats where there are some, and no others.
func TestThreatsAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("much searching on one goroutine")
	}
	const size, positions = 8, 24
	r := rand.New(rand.NewPCG(21, 22))
	wins, long := 0, 0
	for rule := gomoku.Freestyle; rule <= gomoku.Caro6; rule++ {
		f := testField(rule, size, size)
		s := newSolver(f, rule)
		for range positions {
			f.follow(gomoku.NewBoard(rule, size, size))
			scatterQuietly(f, r, 10+r.IntN(12))
			for c := range 2 {
				if f.count[1-c][cFive] > 0 || f.count[c][cFive] > 0 || !hasThrees(f, c) {
					continue
				}
				n, at := s.threats(c, 1<<40)
				near := slowAttack(f.board, stone(c), 1)
				if near && n == 0 {
					t.Fatalf("%s, %s to move in\n%s: no win is found", rule, stone2(c), draw(f.board))
				}
				if n == 0 || n > 7 {
					continue
				}
				wins++
				if n > 5 {
					long++
				}
				if !near && !slowAttack(f.board, stone(c), 2) {
					t.Fatalf("%s, %s to move in\n%s: there is no win in %d plies by %v", rule, stone2(c), draw(f.board), n, f.point(int(at)))
				}
			}
		}
	}
	if wins < 10 || long < 5 {
		t.Errorf("only %d wins, %d of them long", wins, long)
	}
}

// hasThrees reports whether c can make an open three, and no open four.
func hasThrees(f *field, c int) bool {
	return f.count[c][cWinFour] == 0 && f.count[c][cThree]+f.count[c][cTwoThrees]+f.count[c][cFourAnd] > 0
}

// A win by threats that fours alone do not bring: two lines that meet.
func TestThreatsFind(t *testing.T) {
	for _, c := range []struct {
		rule gomoku.Rule
		text string
		wins bool
	}{
		{gomoku.Freestyle, "h8a1i8a3j9o1j10o3", true},
		{gomoku.Standard, "h8a1i8a3j9o1j10o3", true},
		{gomoku.Freestyle, "h8a1i8a3", false},
	} {
		r, err := gomoku.New(game.Spec("gomoku:rule=" + c.rule.String()))
		if err != nil {
			t.Fatal(err)
		}
		state, err := r.Position(c.text)
		if err != nil {
			t.Fatal(err)
		}
		f := testField(c.rule, 15, 15)
		f.follow(state.(*gomoku.State).Board())
		s := newSolver(f, c.rule)
		s.budget = 1000
		if n, _ := s.force(black, 8); n > 0 {
			t.Errorf("%s, %s: fours alone win", c.rule, c.text)
		}
		n, at := s.threats(black, 20_000)
		if n > 0 != c.wins {
			t.Errorf("%s, %s: a win in %d plies by %v", c.rule, c.text, n, f.point(int(at)))
		}
	}
}

// The search of threats needs no memory but its table.
func TestThreatsDoNotAllocate(t *testing.T) {
	f := testField(gomoku.Freestyle, 15, 15)
	r := rand.New(rand.NewPCG(3, 4))
	scatterQuietly(f, r, 60)
	s := newSolver(f, gomoku.Freestyle)
	if n := testing.AllocsPerRun(10, func() {
		s.tried.Clear()
		s.threats(black, 500)
		s.threats(white, 500)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
