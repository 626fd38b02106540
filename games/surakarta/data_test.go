package surakarta_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/games/surakarta"
	"kibitz/internal/shared"
)

// Move counts of another generator: six rows of 0, 1 and 2, and then the numbers of
// quiet moves of 2 and of 1 and of all moves of 2 and of 1. Most positions have
// pieces on corners, and in some one side or both have none, which no game's
// position to move has; so the board is asked.
func TestMoveCounts(t *testing.T) {
	in := strings.NewReader(string(shared.Read(t, "data", "surakarta", "movegen-1-1500.txt")))
	n, captures := 0, 0
	for ; ; n++ {
		b, read := surakarta.EmptyBoard(false), 0
		for sq := range surakarta.Points {
			var what int
			if _, err := fmt.Fscan(in, &what); err != nil {
				break
			}
			read++
			if what > 0 {
				b.Add(sq, game.Seat(what-1))
			}
		}
		if read == 0 {
			break
		}
		var want, got [4]int
		if _, err := fmt.Fscan(in, &want[0], &want[1], &want[2], &want[3]); err != nil {
			t.Fatalf("position %d: %v", n+1, err)
		}
		for i, seat := range []game.Seat{game.Second, game.First} {
			b.SetSide(seat)
			list := b.Moves(nil)
			got[2+i] = len(list)
			got[i] = len(b.Quiet(nil))
			if k := b.CountMoves(); k != len(list) {
				t.Errorf("position %d: %d moves are counted, %d listed", n+1, k, len(list))
			}
			captures += len(list) - got[i]
		}
		if got != want {
			t.Errorf("position %d: counts %v, want %v", n+1, got, want)
		}
	}
	if n != 1500 || captures < 1500 {
		t.Errorf("%d positions with %d captures", n, captures)
	}
}

// A short game of an engine, columns A to F and rows 0 to 5 from the top. It stops
// in the middle.
func TestEngineGame(t *testing.T) {
	st := open(t, "surakarta").New()
	moves := strings.Fields(string(shared.Read(t, "data", "surakarta", "wianger-game.txt")))
	for _, text := range moves {
		m := game.ShiftTo(
			game.Pt(int(text[0])-'A', int(text[1])-'0'),
			game.Pt(int(text[3])-'A', int(text[4])-'0'))
		if _, err := st.Apply(m, nil); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	if got := outcome(st); got != "open" || len(moves) != 16 {
		t.Errorf("%s after %d plies", got, len(moves))
	}
}

// Positions of a course's test of referees, with verdicts about single moves for
// some of them: "from column, from row, to column, to row, side".
func TestCoursePositions(t *testing.T) {
	var list []struct {
		Filename string
		Moves    []struct{ Move, Reason string }
	}
	if err := json.Unmarshal(shared.Read(t, "data", "surakarta", "positions", "meta.json"), &list); err != nil {
		t.Fatal(err)
	}
	verdicts := 0
	for _, f := range list {
		board, _ := coursePosition(t, f.Filename)
		for _, v := range f.Moves {
			var x [4]int
			var side string
			if _, err := fmt.Sscan(v.Move, &x[0], &x[1], &x[2], &x[3], &side); err != nil {
				t.Fatalf("%s: %q: %v", f.Filename, v.Move, err)
			}
			st := position(t, "surakarta", board+" "+side)
			err := st.Check(game.ShiftTo(game.Pt(x[0], x[1]), game.Pt(x[2], x[3])))
			if want := strings.HasPrefix(v.Reason, "Legal"); want != (err == nil) {
				t.Errorf("%s: %s is %s, but %v", f.Filename, v.Move, v.Reason, err)
			}
			verdicts++
		}
	}
	if verdicts != 9 {
		t.Errorf("%d verdicts", verdicts)
	}
	for i := range 9 {
		board, side := coursePosition(t, fmt.Sprintf("game%d.txt", i+1))
		compare(t, position(t, "surakarta", board+" "+side), false, true)
	}
}

func coursePosition(t *testing.T, name string) (board, side string) {
	t.Helper()
	text := string(shared.Read(t, "data", "surakarta", "positions", name))
	lines := strings.Split(text, "\n")
	var rows []string
	for _, line := range lines[:6] {
		rows = append(rows, strings.ReplaceAll(strings.TrimSpace(line), " ", ""))
	}
	_, side, _ = strings.Cut(strings.TrimSpace(lines[6]), ": ")
	return strings.Join(rows, "/"), side
}

// An engine's log of its own moves, rows and columns from 0: games follow each
// other without a mark, the opponent's moves and the colours are missing, so that it
// cannot be replayed. Four lines name points off the board and two a piece that
// stays where it is; every other one names a step or two points of one circuit.
func TestEngineLog(t *testing.T) {
	text := strings.TrimSpace(string(shared.Read(t, "data", "surakarta", "cjx32-battle-record.txt")))
	var off, odd []int
	for i, line := range strings.Split(text, "\n") {
		var x [4]int
		if _, err := fmt.Sscanf(line, "from %d %d to %d %d", &x[0], &x[1], &x[2], &x[3]); err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		from, to := game.Pt(x[1], x[0]), game.Pt(x[3], x[2])
		if !from.On(6, 6) || !to.On(6, 6) {
			off = append(off, i+1)
			continue
		}
		cells := []byte("....../....../....../....../....../......")
		cells[7*from.Y+from.X] = 'b'
		cells[7*to.Y+to.X] = 'w'
		step := max(abs(from.X-to.X), abs(from.Y-to.Y)) == 1
		if !step && position(t, "surakarta", string(cells)+" b").Check(game.ShiftTo(from, to)) != nil {
			odd = append(odd, i+1)
		}
	}
	if want := []int{4, 55, 701, 704}; !slices.Equal(off, want) {
		t.Errorf("lines %v are off the board, want %v", off, want)
	}
	if want := []int{700, 702}; !slices.Equal(odd, want) {
		t.Errorf("lines %v are no moves on any board, want %v", odd, want)
	}
}

func abs(x int8) int8 { return max(x, -x) }
