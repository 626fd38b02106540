package menu_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kibitz/clock"
	"kibitz/games/darkchess"
	"kibitz/games/othello"
	"kibitz/term"
	"kibitz/term/menu"
)

// played opens a menu, types lines into it and returns what was to be played, and the screen.
func played(t *testing.T, path string, lines ...string) ([]menu.Match, string) {
	t.Helper()
	var out bytes.Buffer
	var list []menu.Match
	m := &menu.Menu{
		Games: []menu.Game{
			{Game: othello.Game(), Protocols: []string{"nboard"}},
			{Game: darkchess.Game(), Labels: map[string]string{"noeat": "No Eat Flip"}, Timer: "Absolute (900/0/0)"},
		},
		First: "darkchess", Path: path, In: &term.Lines{R: strings.NewReader(strings.Join(lines, "\n") + "\n")}, Out: &out, Err: &out,
		Play: func(x menu.Match) error { list = append(list, x); return nil },
	}
	if err := m.Run(""); err != nil {
		t.Fatal(err)
	}
	return list, out.String()
}

// What is chosen is what is played, and is kept for the next time.
func TestMatch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "menu.toml")
	list, _ := played(t, path, "4", "5")
	want := menu.Match{
		Game: "darkchess", Players: [2]menu.Player{{Name: "Player 1", Human: true}, {Level: "3"}}, Clock: clock.Control{Main: 15 * time.Minute},
		Games: 2, Change: true, FirstBegins: true,
	}
	if len(list) != 1 || list[0] != want {
		t.Errorf("at first: %+v, want %+v", list, want)
	}
	// Othello; player 1 a program, player 2 of level 9; player 2 begins; ten minutes and
	// byo-yomi of thirty seconds; a pause of three seconds.
	played(t, path, "2", "1", "3", "1", "nboard", "2", "Edax", "4", "level 9", "10", "5", "11", "3", "13")
	list, screen := played(t, path, "3", "8", "13", "4", "5")
	want = menu.Match{
		Game: "othello", Players: [2]menu.Player{{Level: "9"}, {Name: "Edax", Protocol: "nboard"}},
		Clock: clock.Control{Main: 10 * time.Minute, Periods: 1, Period: 30 * time.Second, PeriodMoves: 1}, Games: 2, Change: true, Pause: 3 * time.Second,
	}
	if len(list) != 1 || list[0] != want || !strings.Contains(screen, "1) Player 1 Connect Mode [nboard]") {
		t.Errorf("then: %+v, want %+v\n%s", list, want, screen)
	}
}

// A file that names some settings leaves all others as usual.
func TestPartialSettings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "menu.toml")
	for _, x := range []struct {
		file string
		want menu.Match
	}{
		{"[games.darkchess]\nrepeat = 5\n", menu.Match{
			Game: "darkchess", Players: [2]menu.Player{{Name: "Player 1", Human: true}, {Level: "3"}}, Clock: clock.Control{Main: 15 * time.Minute},
			Games: 5, Change: true, FirstBegins: true,
		}},
		{"game = 'othello'\n[[games.othello.players]]\nname = 'Ann'\n", menu.Match{
			Game: "othello", Players: [2]menu.Player{{Name: "Ann", Human: true}, {Level: "3"}}, Games: 2, Change: true, FirstBegins: true,
		}},
		{"[games.darkchess]\nchange = false\n[games.darkchess.options]\nnoeat = '60'\n[games.othello]\ntimer = 'Custom'\n", menu.Match{
			Game: "darkchess:noeat=60", Players: [2]menu.Player{{Name: "Player 1", Human: true}, {Level: "3"}},
			Clock: clock.Control{Main: 15 * time.Minute}, Games: 2, FirstBegins: true,
		}},
	} {
		if err := os.WriteFile(path, []byte(x.file), 0o600); err != nil {
			t.Fatal(err)
		}
		list, screen := played(t, path, "4", "5")
		if len(list) != 1 || list[0] != x.want {
			t.Errorf("%s: %+v, want %+v\n%s", x.file, list, x.want, screen)
		}
	}
}
