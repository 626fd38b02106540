package paste

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/games"
	"kibitz/internal/shared"
	"kibitz/record/replay"
)

// What a program for Connect6 printed in public games is read to the end: its winner has won on the board.
func TestSharedBoards(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(shared.Path(t, "data"), "connect6", "console", "*.txt"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	r := reader()
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found, err := r.Read(name, data, "")
		if err != nil || len(found.Games) != 1 || found.Form != "a console of Connect6 with boards" {
			t.Errorf("%s: %+v, %v", name, found, err)
			continue
		}
		l, err := replay.Play(found.Games[0], games.OpenSpec)
		if err != nil {
			t.Fatal(err)
		}
		turns := strings.Count(string(data), " moved: (")
		if n := len(l.Steps); n != 1+2*turns && n != 2*turns {
			t.Errorf("%s: %d stones of %d turns", name, n, turns)
		}
		_, said, ended := strings.Cut(string(data), "The winner: ")
		winner := game.First
		if strings.HasPrefix(said, "White") {
			winner = game.Second
		}
		if end := l.Verdict.Board; ended && (end == nil || end.Winner() != winner) {
			t.Errorf("%s: %+v, and %.5s has won", name, end, said)
		}
	}
}

// Conversations that others recorded are read, whether of one engine or of two.
func TestSharedConsoles(t *testing.T) {
	r := reader()
	for name, want := range map[string]struct {
		form string
		n    int
	}{
		"sau/c6_arect_jlu.log":           {"SAU", 13},
		"sau/dab_self.log":               {"SAU", 60},
		"sau/amazons-selfplay-begin.log": {"SAU", 42},
		"othello/edax-pass.txt":          {"NBoard", 59},
		"othello/edax-gtp.txt":           {"GTP", 2},
		"othello/egaroucid-gtp.txt":      {"GTP", 4},
		"darkchess/dctp_kuruwa2.log":     {"DCTP", 18},
		"darkchess/dctp_annymao.log":     {"DCTP", 19},
		"darkchess/dctp_chienikao.log":   {"DCTP", 12},
		"darkchess/old_bbii.log":         {"Ponder", 12},
		"darkchess/old_ylc.log":          {"Ponder", 23},
		"darkchess/ponder_jingjia.log":   {"Ponder", 7},
	} {
		data, err := os.ReadFile(filepath.Join(shared.Path(t, "transcripts"), name))
		if err != nil {
			t.Fatal(err)
		}
		found, err := r.Read(name, data, "")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if n := len(found.Games[0].Steps); found.Form != "a console of "+want.form || n != want.n {
			t.Errorf("%s: %s of %d games, %d decisions, want %d", name, found.Form, len(found.Games), n, want.n)
		}
	}
}
