package gomoku_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/games/gomoku"
)

// shared returns the text of a file of the folder of shared test data, which
// stands beside the repository, and skips the test where it is absent.
func shared(t *testing.T, path string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		data, err := os.ReadFile(filepath.Join(dir, "shared", "data", path))
		if err == nil {
			return string(data)
		}
	}
	t.Skipf("no folder shared/data with %s beside the repository", path)
	return ""
}

// A play-through by another implementation, freestyle on 15x15: every legal list
// and every printed board agree, and so does the end.
func TestOpenSpielPlaythrough(t *testing.T) {
	text := shared(t, "openspiel/gomoku.txt")
	s := open(t, "gomoku").New()
	applied, boards, lists := 0, 0, 0
	var board []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if row, ok := strings.CutPrefix(line, "# "); ok && len(row) == 15 && strings.Trim(row, ".bw") == "" {
			board = append(board, row)
			if len(board) == 15 {
				boards++
				comparePlaythrough(t, s.View(game.Public), board)
			}
			continue
		}
		board = nil
		if list, ok := strings.CutPrefix(line, "LegalActions() = ["); ok {
			lists++
			legal := s.Legal(nil)
			want := strings.Split(strings.TrimSuffix(list, "]"), ", ")
			if want[0] == "" {
				want = nil
			}
			if len(legal) != len(want) {
				t.Fatalf("after %d stones %d are legal, not %d", applied, len(legal), len(want))
			}
			for i, w := range want {
				if n, _ := strconv.Atoi(w); legal[i].To.Index(15) != n {
					t.Fatalf("after %d stones the list has %v instead of %d", applied, legal[i], n)
				}
			}
		}
		if a, ok := strings.CutPrefix(line, "action: "); ok {
			n, err := strconv.Atoi(a)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Apply(game.PlaceAt(game.Pt(n%15, n/15)), nil); err != nil {
				t.Fatalf("stone %d: %v", applied+1, err)
			}
			applied++
		}
	}
	if applied != 115 || boards < 10 || lists < 10 {
		t.Errorf("%d stones, %d boards and %d lists compared", applied, boards, lists)
	}
	if res, over := s.Result(); !over || res.Winner() != game.First {
		t.Errorf("the game ends %t with %+v, black has won", over, res)
	}
}

func comparePlaythrough(t *testing.T, v game.View, rows []string) {
	t.Helper()
	for y, row := range rows {
		for x := range row {
			want := map[byte]byte{'.': 0, 'b': 'B', 'w': 'W'}[row[x]]
			if got := v.At(game.Pt(x, y)).Piece; got != want {
				t.Fatalf("%d,%d is %q instead of %q", x, y, got, want)
			}
		}
	}
}

// Renju problems with lists of winning and forbidden moves. Two of them show
// boards on which somebody has five already; only the judge can look at those.
func TestRenjuProblems(t *testing.T) {
	r := open(t, "gomoku:rule=renju")
	checked := 0
	for line := range strings.Lines(shared(t, "gomoku/renju/puzzles.jsonl")) {
		var p struct {
			ID, Side, Board, Family string
			Best                    []string `json:"best_moves"`
			Forbidden               []string `json:"forbidden_moves"`
		}
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatal(err)
		}
		rows := newSlowBoard(15, 15)
		for y, row := range strings.Split(p.Board, "\n") {
			copy(rows[y], row)
		}
		b := fastBoard(gomoku.Renju, rows)
		verdict := func(text string) gomoku.Verdict {
			m, err := r.ParseMove(text)
			if err != nil {
				t.Fatal(err)
			}
			c := gomoku.Black
			if p.Side == "white" {
				c = gomoku.White
			}
			return b.Judge(b.Index(m.To), c)
		}
		for _, m := range p.Forbidden {
			checked++
			if v := verdict(m); !v.Foul() {
				t.Errorf("%s: %s is %s", p.ID, m, v)
			}
		}
		wins := p.Family == "exact_five" || p.Family == "white_overline" || p.Family == "edge_five"
		for _, m := range p.Best {
			checked++
			if v := verdict(m); v.Foul() || wins && v != gomoku.Win {
				t.Errorf("%s: the best move %s is %s", p.ID, m, v)
			}
		}
		_, err := r.Position(strings.ReplaceAll(p.Board, "\n", "/") + " " + p.Side)
		if broken := strings.Contains(p.ID, "overline"); broken != (err != nil) {
			t.Errorf("%s: as a position %v", p.ID, err)
		}
	}
	if checked < 10 {
		t.Errorf("only %d statements of the problems were checked", checked)
	}
}

// Games of a site with exactly-five rules: nobody has won before the last stone,
// and in 189 of the 200 games the last stone makes five.
func TestPlayedGames(t *testing.T) {
	r := open(t, "gomoku:rule=standard")
	games, fives := 0, 0
	for line := range strings.Lines(shared(t, "gomoku/playok/eva-moves-1-200.txt")) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		games++
		s, err := r.Position(strings.Join(words, ""))
		if err != nil {
			t.Errorf("game %d: %v", games, err)
			continue
		}
		if res, over := s.Result(); over && res.Reason == gomoku.ByFive {
			fives++
		}
	}
	if games != 200 || fives != 189 {
		t.Errorf("%d games, %d of them end with five; want 200 and 189", games, fives)
	}
}

// Openings in the form of position strings read as positions in play.
func TestOpenings(t *testing.T) {
	r := open(t, "gomoku:size=20")
	n := 0
	for line := range strings.Lines(shared(t, "gomoku/openings/c-gomoku-cli-pos_freestyle_20x20.txt")) {
		line = strings.TrimSpace(line)
		s := position(t, r, line)
		if s.Text() != line {
			t.Errorf("%s is written %s", line, s.Text())
		}
		if _, over := s.Result(); over {
			t.Errorf("%s is over", line)
		}
		n++
	}
	if n != 4 {
		t.Errorf("%d openings", n)
	}
}
