package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kibitz/games"
	"kibitz/run"
	"kibitz/run/engines"
)

// An engine that was given no name has its own, by every protocol that has a word for it,
// and else that of its file; names that are equal are made different, and the run's file
// keeps them.
func TestOwnName(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "kibitz")
	if err := os.Symlink(os.Args[0], bin); err != nil { // TestMain then is the program
		t.Skip(err)
	}
	a := quietApp(t.Context())
	for _, tt := range []struct{ game, proto, want string }{
		{"othello", "nboard", "Kibitz 1"},
		{"gomoku", "piskvork", "Kibitz 1"},
		{"othello", "gtp", "Kibitz 1 " + version},
		{"amazons", "sau", "Kibitz 1"},
		{"darkchess", "dctp", "Kibitz 1 " + version},
	} {
		r, err := games.Open(tt.game)
		if err != nil {
			t.Fatal(err)
		}
		words := "cmd='" + bin + " engine " + tt.game + " --proto " + tt.proto + " --level 1' proto=" + tt.proto
		e, err := engines.Parse("", words)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.launcher().OwnName(a.ctx, e, r); got != tt.want {
			t.Errorf("%s by %s: %q, want %q", tt.game, tt.proto, got, tt.want)
		}
		silent, err := engines.Parse("", "cmd=false proto="+tt.proto)
		if err != nil {
			t.Fatal(err)
		}
		m := run.Usual()
		m.Game = tt.game
		for _, text := range []string{words, words, "cmd=false proto=" + tt.proto, words + " name=Given"} {
			w, err := engines.ParseWords(text)
			if err != nil {
				t.Fatal(err)
			}
			m.Engine = append(m.Engine, w)
		}
		whole, err := run.New(m, a.runDeps(nil))
		if err != nil {
			t.Fatal(err)
		}
		whole.LearnNames(t.Context())
		if got := strings.Join(whole.Standing().Names, ", "); got != tt.want+", "+tt.want+"#2, "+silent.Name+", Given" {
			t.Errorf("%s: the engines are %s", tt.proto, got)
		}
		list := whole.Settings().Engine
		again, err := engines.New(nil, list[0])
		if err != nil || again.Name != tt.want || len(list[3]) != 3 {
			t.Errorf("the run's file has %q: %v", list, err)
		}
	}
}
