package othello_test

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/games/othello"
	"kibitz/internal/shared"

	bot "kibitz/bot/othello"
)

// suite reads a file of the shared data beside the repository.
func suite(t testing.TB, path ...string) []string {
	t.Helper()
	return readLines(t, shared.Path(t, append([]string{"data", "othello"}, path...)...))
}

func readLines(t testing.TB, file string) []string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var lines []string
	for in := bufio.NewScanner(f); in.Scan(); {
		if s := strings.TrimSpace(in.Text()); s != "" && s[0] != '#' && s[0] != '%' {
			lines = append(lines, s)
		}
	}
	return lines
}

func newSolver(t testing.TB) *bot.Solver {
	t.Helper()
	s, err := bot.NewSolver(0)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func board(t testing.TB, text string) othello.Board {
	t.Helper()
	b, _, err := othello.ParsePosition(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// checkLine plays the line of a solution to the end and compares the score.
func checkLine(t *testing.T, b othello.Board, sol bot.Solution) {
	t.Helper()
	sign := 1
	for _, m := range sol.Line {
		if m.Op == game.Pass {
			if b.HasMoves() {
				t.Errorf("%v passes with moves", sol)
			}
			b, sign = b.Swap(), -sign
			continue
		}
		sq := m.To.Index(8)
		if b.Flips(sq) == 0 || b.Empty()>>uint(sq)&1 == 0 {
			t.Errorf("illegal %s in the line", othello.FormatMove(m))
			return
		}
		b, sign = b.Play(sq, b.Flips(sq)), -sign
	}
	if b.Over() {
		if score := sign * b.Score(); score != sol.Score {
			t.Errorf("the line ends with %+d, the score is %+d", score, sol.Score)
		}
	}
}

// TestEndings solves endings with 13 and 14 empty squares whose scores are known:
// for black, as a difference of discs in which empty squares count for nobody. So
// where the winner leaves squares empty the score must be higher, else equal.
func TestEndings(t *testing.T) {
	s := newSolver(t)
	lines := suite(t, "endgame-text", "eg_13_14.txt")
	if testing.Short() {
		lines = lines[:60]
	}
	var nodes int64
	equal := 0
	began := time.Now()
	for _, line := range lines {
		f := strings.Fields(line)
		side := "X"
		if f[1] == "White" {
			side = "O"
		}
		b := board(t, f[0]+" "+side)
		sol, ok := s.Solve(b, nil)
		nodes += sol.Nodes
		want, err := strconv.Atoi(f[3])
		if err != nil {
			t.Fatal(err)
		}
		if side == "O" {
			want = -want
		}
		switch {
		case ok && sol.Score == want:
			equal++
		case !ok || sol.Score*want <= 0 || abs(sol.Score) < abs(want):
			t.Errorf("%s: %+d, want %+d", line, sol.Score, want)
		}
		checkLine(t, b, sol)
	}
	if equal < len(lines)*9/10 {
		t.Errorf("only %d of %d scores are equal", equal, len(lines))
	}
	t.Logf("%d positions, %d nodes, %v", len(lines), nodes, time.Since(began))
}

func abs(n int) int { return max(n, -n) }

// TestEveryMove solves positions in which the exact score of every move is known.
func TestEveryMove(t *testing.T) {
	s := newSolver(t)
	tried := 0
	for _, line := range append(suite(t, "obf/fforum-1-19.obf"), suite(t, "obf/fforum-20-39.obf")...) {
		cells, rest, _ := strings.Cut(line, ";")
		b := board(t, cells)
		if b.Empties() > 16 || testing.Short() && b.Empties() > 14 {
			continue
		}
		tried++
		best := -65
		for item := range strings.SplitSeq(rest, ";") {
			text, score, ok := strings.Cut(strings.TrimSpace(item), ":")
			if !ok {
				continue
			}
			m, err := othello.ParseMove(text)
			if err != nil {
				t.Fatal(err)
			}
			want, err := strconv.Atoi(score)
			if err != nil {
				t.Fatal(err)
			}
			best = max(best, want)
			sq := m.To.Index(8)
			if sol, ok := s.Solve(b.Play(sq, b.Flips(sq)), nil); !ok || -sol.Score != want {
				t.Errorf("%s: %s %+d, want %+d", cells, text, -sol.Score, want)
			}
		}
		if sol, ok := s.Solve(b, nil); !ok || sol.Score != best {
			t.Errorf("%s: %+d, want %+d", cells, sol.Score, best)
		}
	}
	if tried < 8 {
		t.Errorf("only %d positions were tried", tried)
	}
}

func TestSolverStops(t *testing.T) {
	s := newSolver(t)
	n := 0
	if _, ok := s.Solve(othello.Start(), func(int64) bool { n++; return n > 3 }); ok || n != 4 {
		t.Errorf("answered %v after %d polls", ok, n)
	}
	b := board(t, strings.Repeat("X", 32)+strings.Repeat("O", 31)+"- X")
	if sol, ok := s.Solve(b, nil); !ok || sol.Score%2 != 0 {
		t.Errorf("after a stop: %+v, %v", sol, ok)
	}
}

// BenchmarkFFO solves the endgame positions 40 to 44.
func BenchmarkFFO(b *testing.B) {
	for _, line := range readLines(b, filepath.Join("..", "..", "games", "othello", "testdata", "ffo.txt"))[:5] {
		f := strings.Split(line, "|")
		pos, want := board(b, strings.TrimSpace(f[1])), strings.TrimSpace(f[4])
		b.Run(strings.TrimSpace(f[0]), func(b *testing.B) {
			s := newSolver(b)
			nodes := int64(0)
			for b.Loop() {
				s.Forget()
				sol, ok := s.Solve(pos, nil)
				if n, err := strconv.Atoi(want); err != nil || !ok || sol.Score != n {
					b.Fatalf("%+d, want %s", sol.Score, want)
				}
				nodes += sol.Nodes
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
			b.ReportMetric(float64(nodes)/float64(b.N), "nodes")
		})
	}
}
