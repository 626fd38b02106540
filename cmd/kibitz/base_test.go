package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/games"
	"kibitz/internal/shared"
	"kibitz/record/gamebase/lookup"
	"kibitz/record/replay"
)

// turnedBoard is a board of Othello as text, turned or mirrored by one of the four
// symmetries that keep the start: written from the squares, apart from the rules.
func turnedBoard(text string, how int) string {
	out := []byte(text)
	for i := range 64 {
		out[turnedSquare(i, how)] = text[i]
	}
	return string(out)
}

func turnedSquare(i, how int) int {
	x, y := i%8, i/8
	switch how {
	case 1:
		x, y = 7-x, 7-y
	case 2:
		x, y = y, x
	case 3:
		x, y = 7-y, 7-x
	}
	return 8*y + x
}

// leastBoard is the first of the four boards in the order of letters, with the ways
// that lead to it.
func leastBoard(text string) (string, []int) {
	least, ways := "", []int(nil)
	for how := range 4 {
		switch t := turnedBoard(text, how); {
		case least == "" || t < least:
			least, ways = t, []int{how}
		case t == least:
			ways = append(ways, how)
		}
	}
	return least, ways
}

// leastMove is a move on the least board.
func leastMove(m game.Move, ways []int) int {
	if m.Op == game.Pass {
		return -1
	}
	least := 64
	for _, how := range ways {
		least = min(least, turnedSquare(m.To.Index(8), how))
	}
	return least
}

type recounted struct {
	games, wins, draws, losses, last int
	score                            float64
}

// TestBaseRecount imports games of our own, and the WTHOR files where they are, and
// counts every position and move again by hand: the boards as texts, the moves as squares.
func TestBaseRecount(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of games counted twice")
	}
	t.Run("own", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "own.ggf")
		status, _, errs := command(t, "match", "--game", "othello", "--engine", "bot=random name=Left", "--engine", "bot=random name=Right", "--games", "300",
			"--seed", "5", "--quiet", "--record", file, "--out", filepath.Join(t.TempDir(), "run"))
		if status != 0 {
			t.Fatal(errs)
		}
		testRecount(t, []string{file}, 300, 20)
	})
	t.Run("WTHOR", func(t *testing.T) {
		dir := shared.Path(t, "data", "othello", "wthor")
		var files []string
		for _, year := range []string{"1977", "1980", "1981"} {
			files = append(files, filepath.Join(dir, "WTH_"+year+".wtb"))
		}
		testRecount(t, files, 325, 40)
	})
}

func testRecount(t *testing.T, files []string, games, least int) {
	t.Helper()
	base := filepath.Join(t.TempDir(), "a.base")
	status, out, errs := command(t, append([]string{"base", "import", base, "--json"}, files...)...)
	if status != 0 || !strings.Contains(out, fmt.Sprintf(`"games":%d,"added":%[1]d,"known":0,"illegal":0,"empty":0`, games)) {
		t.Fatalf("status %d: %s %s", status, out, errs)
	}
	want, lines := recount(t, files)
	checked := 0
	for board, ways := range lines {
		if all := want[board][-2]; all.games < 12 && (all.games < 3 || len(ways)%7 != 0) {
			continue
		}
		checked++
		status, out, errs := command(t, "base", "look", base, "--position", board, "--json", "--examples", "0")
		if status != 0 {
			t.Fatal(errs)
		}
		compareLook(t, board, out, want[board])
	}
	if checked < least {
		t.Errorf("only %d positions were compared", checked)
	}
}

// recount counts moves by least board; -1 is a pass, -2 everything. Lines has a path
// to each board, whose length picks a sample.
func recount(t *testing.T, files []string) (want map[string]map[int]*recounted, lines map[string]string) {
	t.Helper()
	want, lines = map[string]map[int]*recounted{}, map[string]string{}
	for _, name := range files {
		list, err := loadRecords(&app{}, name, "", "")
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range list {
			l, err := replay.Play(g, games.OpenSpec)
			if err != nil {
				t.Fatal(err)
			}
			s, path := l.Rules.New(), ""
			for i := range l.Steps {
				seat, m := s.Turn().Seat, l.Steps[i].Move
				board, ways := leastBoard(s.Text())
				if want[board] == nil {
					want[board], lines[board] = map[int]*recounted{}, path
				}
				for _, key := range []int{leastMove(m, ways), -2} {
					if want[board][key] == nil {
						want[board][key] = &recounted{}
					}
					c := want[board][key]
					c.games++
					switch l.Verdict.Final().Winner() {
					case seat:
						c.wins++
					case game.Nobody:
						c.draws++
					default:
						c.losses++
					}
					if r := l.Verdict.Final(); r.HasBoard {
						c.score += r.Board[seat] - r.Board[seat.Other()]
					}
					var year int
					if _, err := fmt.Sscan(g.Date, &year); err == nil {
						c.last = max(c.last, year)
					}
				}
				path += l.Rules.FormatMove(m)
				if _, err := s.Apply(m, nil); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return want, lines
}

func compareLook(t *testing.T, board, out string, want map[int]*recounted) {
	t.Helper()
	var got lookup.Answer
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	same := func(what string, c lookup.Counted, w *recounted) {
		if w == nil {
			t.Errorf("%s, %s: nobody played it", board, what)
			return
		}
		mean := math.NaN()
		if c.Score != nil {
			mean = *c.Score * float64(c.Scored)
		}
		if c.Games != w.games || c.Wins != w.wins || c.Draws != w.draws || c.Losses != w.losses || c.Last != w.last || math.Abs(mean-w.score) > 1e-6 {
			t.Errorf("%s, %s: %+v, counted by hand %+v", board, what, c, *w)
		}
	}
	if got.Ended == 0 {
		same("all", got.Counted, want[-2])
	}
	_, ways := leastBoard(board)
	for _, m := range got.Moves {
		move, err := othelloMove(m.Move)
		if err != nil {
			t.Fatal(err)
		}
		same(m.Move, m.Counted, want[leastMove(move, ways)])
		for _, x := range m.Same {
			if other, err := othelloMove(x); err != nil || leastMove(other, ways) != leastMove(move, ways) {
				t.Errorf("%s: %s is said to be the same as %s", board, x, m.Move)
			}
		}
		if m.Reached < m.Games {
			t.Errorf("%s: %s was played in %d games, the position behind it reached in %d", board, m.Move, m.Games, m.Reached)
		}
	}
	if len(got.Moves) != len(want)-1 {
		t.Errorf("%s: %d moves, counted by hand %d", board, len(got.Moves), len(want)-1)
	}
}

func othelloMove(text string) (game.Move, error) {
	r, err := games.Open("othello")
	if err != nil {
		return game.Move{}, err
	}
	return r.ParseMove(text)
}

// TestBaseKeepsGames takes games of every kind out of a base again: the moves and
// results are those of the records.
func TestBaseKeepsGames(t *testing.T) {
	dir := t.TempDir()
	base := filepath.Join(dir, "all.base")
	var want []string
	for _, spec := range []string{
		"othello", "gomoku:opening=swap2,size=15", "connect6", "amazons", "nogo", "dotsandboxes", "phantomgo:size=5", "surakarta", "darkchess",
	} {
		name := filepath.Join(dir, strings.ReplaceAll(spec, ":", "-")+".json")
		status, _, errs := command(t, "match", "--game", spec, "--engine", "bot=random name=A", "--engine", "bot=random name=B", "--games", "2", "--seed", "5",
			"--max-moves", "60", "--record", name, "--quiet", "--out", filepath.Join(dir, spec))
		if status != 0 {
			t.Fatal(errs)
		}
		if status, out, errs := command(t, "base", "import", base, name); status != 0 || !strings.Contains(out, "2 added") {
			t.Fatalf("%s: %d %s %s", spec, status, out, errs)
		}
		list, err := loadRecords(&app{}, name, "", "")
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range list {
			l, err := replay.Play(g, games.OpenSpec)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, textOf(t, l))
		}
	}
	out := filepath.Join(dir, "out.json")
	if status, _, errs := command(t, "base", "search", base, "--limit", "0", "--out", out); status != 0 {
		t.Fatal(errs)
	}
	list, err := loadRecords(&app{}, out, "", "")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range list {
		l, err := replay.Play(g, games.OpenSpec)
		if err != nil || l.Illegal != nil {
			t.Fatal(err, l.Illegal)
		}
		got = append(got, textOf(t, l))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// textOf is all of a game that a base keeps.
func textOf(t *testing.T, l *replay.Line) string {
	t.Helper()
	var b bytes.Buffer
	fmt.Fprint(&b, l.Rules.Spec(), " ")
	for _, s := range l.Steps {
		fmt.Fprint(&b, s.By, l.Rules.FormatMove(s.Move), s.Refused, " ")
	}
	if r := l.Verdict.Final(); r != nil {
		fmt.Fprint(&b, r.Points, r.Board, r.HasBoard, r.Reason)
	}
	return b.String()
}
