package gomoku

import (
	"math/rand/v2"
	"testing"

	"kibitz/bot"
	"kibitz/bot/search"
	"kibitz/game"
	"kibitz/games/gomoku"
)

// slowForce answers by trying every stone whether c wins by fours alone: at most
// depth of them, each of which threatens a five. It uses the judge and nothing of
// the field.
func slowForce(b *gomoku.Board, c gomoku.Stone, depth int) bool {
	points := empties(b)
	for _, i := range points {
		if b.Judge(i, c) == gomoku.Win {
			return true
		}
	}
	if depth == 0 || len(points) < 4 {
		return false
	}
	for _, i := range points {
		if b.Judge(i, c) != gomoku.Quiet {
			continue
		}
		b.Put(i, c)
		won := fives(b, c) > 0 && fives(b, c.Other()) == 0 && everyAnswerLoses(b, c, depth)
		b.Put(i, gomoku.Empty)
		if won {
			return true
		}
	}
	return false
}

// everyAnswerLoses tries all stones of the defender; those that leave a five lose.
func everyAnswerLoses(b *gomoku.Board, c gomoku.Stone, depth int) bool {
	for _, i := range empties(b) {
		if b.Judge(i, c.Other()).Foul() {
			continue
		}
		b.Put(i, c.Other())
		lost := fives(b, c) > 0 || slowForce(b, c, depth-1)
		b.Put(i, gomoku.Empty)
		if !lost {
			return false
		}
	}
	return true
}

func empties(b *gomoku.Board) (list []int) {
	for i, c := range b.Cells() {
		if c == gomoku.Empty {
			list = append(list, i)
		}
	}
	return list
}

func fives(b *gomoku.Board, c gomoku.Stone) (n int) {
	for _, i := range empties(b) {
		if b.Judge(i, c) == gomoku.Win {
			n++
		}
	}
	return n
}

// The search of fours finds a win exactly where there is one.
func TestForceAgrees(t *testing.T) {
	if testing.Short() {
		t.Skip("much searching on one goroutine")
	}
	const size, depth = 8, 3
	r := rand.New(rand.NewPCG(11, 12))
	positions, wins, long := 300, 0, 0
	if testing.Short() {
		positions = 60
	}
	for rule := gomoku.Freestyle; rule <= gomoku.Caro6; rule++ {
		f := testField(rule, size, size)
		s := newSolver(f, rule)
		for range positions {
			f.follow(gomoku.NewBoard(rule, size, size))
			scatterQuietly(f, r, 14+r.IntN(16))
			for c := range 2 {
				if f.count[1-c][cFive] > 0 {
					continue
				}
				s.budget = 1 << 40
				n, at := s.force(c, depth)
				// At its horizon the search still knows an open four, one four more.
				want := slowForce(f.board, stone(c), depth)
				if n == 0 && want || n > 0 && !want && !slowForce(f.board, stone(c), depth+1) {
					t.Fatalf("%s, %s to move in\n%s: a win is %d plies by %d, the slow search says %t", rule, stone2(c), draw(f.board), n, at, want)
				}
				if n > 0 {
					wins++
				}
				if n > 5 {
					long++
				}
			}
		}
	}
	t.Logf("%d wins, %d of them with three fours", wins, long)
	if wins < positions/2 || long < positions/20 {
		t.Errorf("only %d wins, %d of them long", wins, long)
	}
}

// newSolver returns a solver that nothing bounds.
func newSolver(f *field, rule gomoku.Rule) *solver {
	s := &solver{f: f, rule: rule, meter: search.NewMeter(&bot.Task{}, pollEvery)}
	s.tried.Resize(1 << 20)
	return s
}

// scatterQuietly places stones of both colours none of which ends the game.
func scatterQuietly(f *field, r *rand.Rand, stones int) {
	w, h := f.board.Size()
	c := gomoku.Black
	for range stones {
		i := f.board.Index(game.Pt(r.IntN(w), r.IntN(h)))
		if f.cells[i] == gomoku.Empty && f.board.Judge(i, c) == gomoku.Quiet {
			f.put(i, c)
			c = c.Other()
		}
	}
}

func draw(b *gomoku.Board) string {
	w, h := b.Size()
	text := ""
	for y := range h {
		for x := range w {
			text += string(".XO"[b.At(b.Index(game.Pt(x, y)))])
		}
		text += "\n"
	}
	return text
}
