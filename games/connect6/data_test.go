package connect6_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kibitz/internal/shared"

	"kibitz/game"
	"kibitz/games/connect6"
	"kibitz/rules"
)

// Games of people on a site, one stone after the other: all are legal, nobody has
// six before the last stone, and the last stone makes six for the stored winner.
// docs/measured/perft.md has the defects of the file.
func TestSiteGames(t *testing.T) {
	data, err := os.ReadFile(shared.Path(t, "data/connect6/connect6_cleaned-a.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(data))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	r := open(t, "connect6")
	games, halves, corrected := 0, 0, 0
	for _, row := range rows[1:] {
		id, moves, winner, label := row[0], strings.Split(row[1], ","), row[2], row[3]
		st := r.New()
		for i, text := range moves {
			if _, over := st.Result(); over {
				t.Fatalf("game %s is over before stone %d of %d", id, i+1, len(moves))
			}
			play(t, r, st, text)
		}
		res, over := st.Result()
		seat := map[string]string{"black": "first", "white": "second"}[winner]
		if !over || res.Reason != connect6.BySix || res.Winner().String() != seat {
			t.Errorf("game %s, won by %s, ends %t: %+v", id, winner, over, res)
		}
		games++
		if len(moves)%2 == 0 {
			halves++
		}
		if winner != label {
			corrected++
		}
	}
	if games != 633 || halves != 44 || corrected != 4 {
		t.Errorf("%d games, %d end with the first stone of a turn, %d winners were corrected; want 633, 44 and 4", games, halves, corrected)
	}
}

func play(t *testing.T, r rules.Rules, st rules.State, text string) {
	t.Helper()
	m, err := r.ParseMove(text)
	if err == nil {
		_, err = st.Apply(m, nil)
	}
	if err != nil {
		t.Fatalf("%s in %s: %v", text, st.Text(), err)
	}
}

var (
	consoleTurn = regexp.MustCompile(`^(?:\[Depth \d+\] )?(Black|White).* moved: \((\w+), (\w+)\)`)
	consoleRow  = regexp.MustCompile(`^[ 1]\d ((?:\S ){18}\S)$`)
	consoleEnd  = regexp.MustCompile(`^The winner: (Black|White)`)
)

// Transcripts of a console program: the diagram after every turn is the position
// of the rules, and they say who has won. Rows are counted from the bottom.
func TestConsoleGames(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(shared.Path(t, "data/connect6/console"), "*.txt"))
	if err != nil || len(files) != 11 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	turns, diagrams, won := 0, 0, 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		// The board is turned over, so that their row 1 is the last one.
		r := open(t, "connect6")
		st := r.New()
		play(t, r, st, "j10")
		var rows []string
		ended := false
		for line := range strings.Lines(string(data)) {
			line = strings.TrimRight(line, " \r\n")
			if m := consoleTurn.FindStringSubmatch(line); m != nil {
				turns++
				if want := strings.ToLower(m[1]); r.Doc().Colours[st.Turn().Seat].String() != want {
					t.Fatalf("%s: %s moves in %s", filepath.Base(file), want, st.Text())
				}
				play(t, r, st, fromBottom(t, r, m[2]))
				play(t, r, st, fromBottom(t, r, m[3]))
			}
			if m := consoleRow.FindStringSubmatch(line); m != nil {
				rows = append(rows, strings.NewReplacer(" ", "", "-", ".", "X", "b", "●", "b", "0", "w", "○", "w").Replace(m[1]))
			}
			if len(rows) == 19 {
				diagrams++
				if got, _, _ := strings.Cut(st.Text(), " "); got != strings.Join(rows, "/") {
					t.Fatalf("%s: %s instead of %s", filepath.Base(file), got, strings.Join(rows, "/"))
				}
				rows = nil
			}
			if m := consoleEnd.FindStringSubmatch(line); m != nil {
				won++
				ended = true
				if res, _ := st.Result(); res.Winner() == game.Nobody || r.Doc().Colours[res.Winner()].String() != strings.ToLower(m[1]) {
					t.Errorf("%s: %+v, but %s has won", filepath.Base(file), res, m[1])
				}
			}
		}
		if _, over := st.Result(); over != ended {
			t.Errorf("%s: over is %t, the file says %t", filepath.Base(file), over, ended)
		}
	}
	if turns != 273 || diagrams != turns+len(files) || won != 8 {
		t.Errorf("%d turns, %d diagrams, %d games won; want 273, 284 and 8", turns, diagrams, won)
	}
}

// fromBottom reads a point whose row is counted from the bottom and writes it as
// the game does.
func fromBottom(t *testing.T, r rules.Rules, text string) string {
	t.Helper()
	m, err := r.ParseMove(text)
	if err != nil {
		t.Fatal(err)
	}
	m.To.Y = int8(r.Doc().Height) - 1 - m.To.Y
	return r.FormatMove(m)
}
