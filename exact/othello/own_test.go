package othello_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"kibitz/exact/othello"
	"kibitz/game"
	rule "kibitz/games/othello"
)

var updateOwn = flag.Bool("update-own", false, "write testdata/endings.txt anew")

const ownEndings = "testdata/endings.txt"

// ending plays at random until so few squares are empty and the seat on turn has a move.
func ending(seed uint64, empty int) rule.Board {
	r := rand.New(rand.NewPCG(seed, uint64(empty)))
	for {
		b := rule.Start()
		for b.Empties() > empty && !b.Over() {
			list := b.Moves()
			if list == 0 {
				b = b.Swap()
				continue
			}
			for n := r.IntN(64); ; n = (n + 1) % 64 {
				if list>>n&1 == 1 {
					b = b.Play(n, b.Flips(n))
					break
				}
			}
		}
		if b.HasMoves() {
			return b
		}
	}
}

// brute is the score for the seat on turn, by trying everything.
func brute(b rule.Board) int {
	if b.Over() {
		return b.Score()
	}
	if !b.HasMoves() {
		return -brute(b.Swap())
	}
	best := -64
	for n := range 64 {
		if b.Moves()>>n&1 == 1 {
			best = max(best, -brute(b.Play(n, b.Flips(n))))
		}
	}
	return best
}

// Endings of our own, with eight to fourteen empty squares, have the scores of the file.
// It was made by this solver; those with eight are tried to the end here.
func TestOwnEndings(t *testing.T) {
	solver, err := othello.New()
	if err != nil {
		t.Fatal(err)
	}
	score := func(b rule.Board, seat game.Seat) int {
		v, ok := solver.Solve(rule.NewState(b, seat), 50_000_000)
		if !ok {
			t.Fatalf("%s is not solved", rule.FormatPosition(b, seat))
		}
		return int(v.Board[seat] - v.Board[seat.Other()])
	}
	if *updateOwn {
		var text strings.Builder
		fmt.Fprintln(&text, "# Endings of games at random, solved: cells, the seat on turn, its score. Made by go test -run TestOwnEndings -update-own.")
		for n := range 40 {
			seat := game.Seat(n % 2)
			b := ending(uint64(n), 8+n%7)
			fmt.Fprintf(&text, "%s; score=%d\n", rule.FormatPosition(b, seat), score(b, seat))
		}
		if err := os.WriteFile(ownEndings, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(ownEndings)
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for line := range strings.Lines(string(data)) {
		text, number, ok := strings.Cut(strings.TrimSpace(line), "; score=")
		if !ok {
			continue
		}
		want, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		b, seat, err := rule.ParsePosition(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := score(b, seat); got != want {
			t.Errorf("%s: %+d, want %+d", text, got, want)
		}
		if b.Empties() == 8 {
			tried++
			if got := brute(b); got != want {
				t.Errorf("%s: %+d by trying everything, want %+d", text, got, want)
			}
		}
	}
	if tried < 5 {
		t.Errorf("%d were tried to the end", tried)
	}
}
