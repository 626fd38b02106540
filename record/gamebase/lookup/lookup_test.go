package lookup_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kibitz/games"
	"kibitz/record"
	"kibitz/record/formats"
	"kibitz/record/gamebase"
	"kibitz/record/gamebase/importing"
	"kibitz/record/gamebase/lookup"
	"kibitz/rules"
)

// newBase imports files, which are beside the base.
func newBase(t *testing.T, files map[string]string) *lookup.Base {
	t.Helper()
	dir := t.TempDir()
	b, err := gamebase.Create(t.Context(), filepath.Join(dir, "games.base"), -1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	set := formats.New(games.OpenSpec)
	load := func(name, spec string) ([]*record.Game, error) {
		return set.Load(nil, filepath.Join(dir, name), spec, "")
	}
	im := importing.Importer{
		To: b.Adder(), Open: games.OpenSpec, Remark: func(text string) { t.Error(text) }, RemarkGame: func(text string) { t.Error(text) },
		Load: func(name string, each func([]*record.Game) bool) error {
			return set.LoadParts(nil, filepath.Join(dir, name), "", "", each)
		},
		FileDone: func() {},
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := im.Files(t.Context(), []string{name}); err != nil {
			t.Fatal(err)
		}
	}
	return &lookup.Base{Base: b, Name: "games.base", Open: games.Open, Load: load}
}

// look is the answer for a position.
func look(t *testing.T, b *lookup.Base, r rules.Rules, s rules.State) (a lookup.Answer, err error) {
	t.Helper()
	found, err := b.Look(t.Context(), r, s, 1)
	if err != nil {
		return a, err
	}
	var text bytes.Buffer
	if err := found.JSON(&text); err != nil {
		return a, err
	}
	return a, json.Unmarshal(text.Bytes(), &a)
}

// The same position is found by moves in any order and image, by a position and by a record.
func TestFind(t *testing.T) {
	b := newBase(t, map[string]string{"a.moves": "f5d6c3d3c4b3\nf5d6c4d3c3f4\nf5f6e6\n"})
	two, ten := 2, 10
	for _, tt := range []struct {
		at    lookup.At
		games int
		fault string
	}{
		{lookup.At{Moves: "f5d6c3d3c4"}, 2, ""},
		{lookup.At{Moves: "F5 d6, c4 d3 c3", Game: "othello"}, 2, ""},
		{lookup.At{Moves: "d3c5f6f5e6"}, 2, ""}, // another image of it
		{lookup.At{Moves: "f5f6"}, 1, ""},
		{lookup.At{Moves: "f5f4"}, 0, ""},
		{lookup.At{Position: "---------------------------OX------XO--------------------------- X"}, 3, ""},
		{lookup.At{Position: "---------------------------OX------XO--------------------------- X", Moves: "e6f6"}, 1, ""},
		{lookup.At{Record: "a.moves", Number: 1, Ply: &two}, 2, ""},
		{lookup.At{Record: "a.moves", Number: 3}, 1, ""},
		{lookup.At{Record: "a.moves", Number: 4}, 0, "number: 4: a.moves has 3 games"},
		{lookup.At{Record: "a.moves", Number: 1, Ply: &ten}, 0, "ply: "},
		{lookup.At{Record: "a.moves", Moves: "f5"}, 0, "give either --record, or --position and --moves"},
		{lookup.At{Ply: &two}, 0, "--ply goes with --record"},
		{lookup.At{Moves: "f5a1"}, 0, "moves: move 2, a1: "},
		{lookup.At{Moves: "f5 hello"}, 0, "moves: "},
		{lookup.At{Position: "X"}, 0, "position: "},
		{lookup.At{Game: "foo"}, 0, `unknown game "foo"`},
		{lookup.At{Game: "nogo"}, 0, "games.base holds no game of nogo:size=9: it holds othello"},
	} {
		r, s, err := b.Find(t.Context(), tt.at)
		var found lookup.Answer
		if err == nil {
			found, err = look(t, b, r, s)
		}
		switch {
		case tt.fault != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.fault)):
			t.Errorf("%+v: %v, want %q", tt.at, err, tt.fault)
		case tt.fault == "" && (err != nil || found.Games != tt.games):
			t.Errorf("%+v: %d games, %v, want %d", tt.at, found.Games, err, tt.games)
		}
	}
}

// A base of several games must be told which is meant.
func TestSeveralGames(t *testing.T) {
	b := newBase(t, map[string]string{"a.moves": "f5d6\n", "b.sgf": "(;GM[4]SZ[15];B[hh];W[ig])"})
	for text, want := range map[string]string{
		"othello": "othello", "gomoku": "gomoku:rule=freestyle,size=15", "gomoku:size=19": "gomoku:rule=freestyle,size=19",
	} {
		if r, err := b.Rules(t.Context(), text); err != nil || string(r.Spec()) != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	_, err := b.Rules(t.Context(), "")
	if want := "games.base holds several games, say which with --game: "; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}

func TestIsDate(t *testing.T) {
	for text, want := range map[string]bool{
		"1984": true, "2021-05": true, "2021-05-03": true, "2001.05.05": true, "2020-02-29": true,
		"": false, "yesterday": false, "2021-13": false, "2021-02-29": false, "84": false, "2021-05-03T00:00": false,
	} {
		if lookup.IsDate(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
