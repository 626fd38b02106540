package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kibitz/internal/shared"
)

// TestSolveOwn solves the endings of our own.
func TestSolveOwn(t *testing.T) {
	file := filepath.Join("..", "..", "exact", "othello", "testdata", "endings.txt")
	status, out, errs := command(t, "solve", file, "--from", "positions", "--game", "othello", "--threads", "2")
	if status != 0 || !strings.Contains(out, "40 problems, 40 solved, 40 compared, 0 wrong") {
		t.Errorf("status %d: %s %s", status, out, errs)
	}
}

// TestSolveShared solves the small problems of the endgame suite with all their
// moves, and every twelfth of a set of 492 endings that another program has scored:
// for Black, and without the empty squares that the winner is owed (in line 264 and wherever the score is odd).
func TestSolveShared(t *testing.T) {
	if testing.Short() {
		t.Skip("solves endings of up to 16 empty squares")
	}
	suite := shared.Path(t, "data", "othello", "obf", "fforum-1-19.obf")
	status, out, errs := command(t, "solve", suite, "--moves", "--threads", "2", "--json")
	if status != 0 || !strings.Contains(out, `"positions":19,"solved":19,"compared":19,"wrong":0,"unsolved":0`) {
		t.Errorf("status %d: %s %s", status, out, errs)
	}
	var list strings.Builder
	n := 0
	for line := range strings.Lines(string(shared.Read(t, "data", "othello", "endgame-text", "eg_13_14.txt"))) {
		words := strings.Fields(line) // cells, Black or White, a square, the score
		if len(words) != 4 {
			t.Fatalf("%q", line)
		}
		score, err := strconv.Atoi(words[3])
		if err != nil {
			t.Fatal(err)
		}
		side := "X"
		if words[1] == "White" {
			side, score = "O", -score
		}
		if n++; n%12 == 0 && score%2 == 0 && n != 264 {
			fmt.Fprintf(&list, "%s %s; score=%d\n", words[0], side, score)
		}
	}
	file := filepath.Join(t.TempDir(), "endings.txt")
	if err := os.WriteFile(file, []byte(list.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	status, out, errs = command(t, "solve", file, "--from", "positions", "--game", "othello", "--threads", "2")
	if status != 0 || !strings.Contains(out, "39 problems, 39 solved, 39 compared, 0 wrong") {
		t.Errorf("status %d: %s %s", status, out, errs)
	}
}
