package verify_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"kibitz/games"
	"kibitz/record"
	"kibitz/record/formats"
	"kibitz/record/replay/verify"
)

// Files come to a line for each game, and to what is wrong with all of them.
func TestFiles(t *testing.T) {
	for _, tt := range []struct {
		name         string
		files        map[string]string // a text that is empty cannot be read
		game         string
		quiet        bool
		lines, fault string
	}{
		{"legal", map[string]string{"a.moves": "f5d6c3\n"}, "", false, "a.moves: legal, 3 plies, unfinished\n", ""},
		{"quiet", map[string]string{"a.moves": "f5d6c3\n"}, "", true, "", ""},
		{"not legal", map[string]string{"a.moves": "f5a1\n"}, "", true, "NOT LEGAL after 1 plies: ", "1 of 1 game not right"},
		{"several", map[string]string{"a.moves": "f5d6\nf5a1\nf5d6\n"}, "", false, "a.moves game 3 (line 3): legal, 2 plies", "1 of 3 games not right"},
		{"other game", map[string]string{"a.sgf": "(;GM[4]SZ[15];B[hh])"}, "gomoku:size=19", true, "--game says size=19", "1 of 1 game not right"},
		{"same game", map[string]string{"a.sgf": "(;GM[4]SZ[15];B[hh])"}, "gomoku:size=15", true, "", ""},
		{"unread", map[string]string{"a.moves": "f5d6\n", "b.moves": ""}, "", true, "", "0 of 1 game not right, 1 of 2 files not read whole"},
		{"nothing", map[string]string{"b.moves": ""}, "", true, "", "0 of 0 games not right, 1 of 1 file not read whole"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			told := 0
			set := formats.New(games.OpenSpec)
			f := verify.Files{
				Book: verify.NewBook(games.OpenSpec), Game: tt.game, W: &out, Quiet: tt.quiet, Warn: func(string) { told++ },
				Load: func(name string) ([]*record.Game, error) {
					if tt.files[name] == "" {
						return nil, errors.New("unreadable")
					}
					return set.Read(name, []byte(tt.files[name]), "", "")
				},
			}
			if tt.game != "" {
				var err error
				if f.Rules, err = games.Open(tt.game); err != nil {
					t.Fatal(err)
				}
			}
			var names []string
			for _, name := range []string{"a.moves", "a.sgf", "b.moves"} {
				if _, is := tt.files[name]; is {
					names = append(names, name)
				}
			}
			if err := f.Judge(names); err != nil {
				t.Fatal(err)
			}
			if got := out.String(); !strings.Contains(got, tt.lines) || tt.lines == "" && got != "" {
				t.Errorf("got %q, want %q", got, tt.lines)
			}
			if f.Fault() != tt.fault || f.Nothing() != (tt.name == "nothing") {
				t.Errorf("%q, nothing %v, want %q", f.Fault(), f.Nothing(), tt.fault)
			}
			if want := strings.Count(tt.fault, "not read"); told != want {
				t.Errorf("%d warnings, want %d", told, want)
			}
		})
	}
}
