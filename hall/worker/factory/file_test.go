package factory

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kibitz/run/engines"
)

// engineFolder makes a folder with two programs and a file of engines.
func engineFolder(t *testing.T, toml string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"alpha", "beta"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\necho "+name+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "engines.toml")
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(toml, "DIR", dir)), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestReadEngines(t *testing.T) {
	list, err := ReadEngines(engineFolder(t, `
[each]
memory = "350M"

[[engine]]
cmd = "DIR/alpha"
games = ["gomoku", "othello"]
proto = "gtp"
option.threads = 2

[[engine]]
name = "B"
cmd = "DIR/beta -x"
proto = "dctp"
`), engines.NewSums(time.Now))
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 2 || list[0].Spec.Name != "alpha" || list[1].Spec.Name != "B" {
		t.Fatalf("got %+v", list)
	}
	if list[0].Spec.Memory != 350<<20 || len(list[0].Spec.Options) != 1 {
		t.Errorf("alpha was read as %+v", list[0].Spec)
	}
	if got := strings.Join(list[0].Games, " "); got != "gomoku othello" {
		t.Errorf("alpha plays %q", got)
	}
	if got := strings.Join(list[1].Games, " "); got != "darkchess" {
		t.Errorf("B plays %q, its protocol plays dark chess alone", got)
	}
}

// TestHashEngine shows what makes another engine of a program: its bytes, its
// arguments, its options; not its name or where it lies.
func TestHashEngine(t *testing.T) {
	hash := func(words string) string {
		list, err := ReadEngines(engineFolder(t, "[[engine]]\ngames = \"gomoku\"\n"+words), engines.NewSums(time.Now))
		if err != nil {
			t.Fatal(err)
		}
		return list[0].Hash
	}
	base := hash(`cmd = "DIR/alpha"`)
	if len(base) != 32 {
		t.Fatalf("the hash %q has not 32 digits", base)
	}
	for _, tt := range []struct {
		words string
		same  bool
	}{
		{`cmd = "DIR/alpha"`, true},
		{"cmd = \"DIR/alpha\"\nname = \"other\"", true},
		{`cmd = "DIR/beta"`, false},
		{`cmd = "DIR/alpha -x"`, false},
		{"cmd = \"DIR/alpha\"\nproto = \"gtp\"", false},
		{"cmd = \"DIR/alpha\"\noption.A = 1", false},
		{"cmd = \"DIR/alpha\"\nmemory = \"1G\"", false},
		{"cmd = \"DIR/alpha\"\ndialect.slow = 1", false},
	} {
		if got := hash(tt.words) == base; got != tt.same {
			t.Errorf("%s: the same engine: %v, want %v", tt.words, got, tt.same)
		}
	}
}

func TestReadEnginesFaults(t *testing.T) {
	for _, tt := range []struct{ toml, want string }{
		{"", "names no engine"},
		{"slots = 2\n", `:1:1: unknown key "slots"`},
		{"engine = 1\n", "must be tables"},
		{"[[engine]]\ncmd = \"DIR/alpha\"\n", ":1:3: games: say which games"},
		{"[[engine]]\ncmd = \"DIR/alpha\"\ngames = [\"chess\"]\n", ":3:1: games: chess is no game"},
		{"[[engine]]\ncmd = \"DIR/none\"\ngames = \"gomoku\"\n", ":2:1: engine"},
		{"[[engine]]\nbot = 3\ngames = \"gomoku\"\n", "built-in engines need no entry"},
		{"[[engine]]\ncmd = \"DIR/alpha\"\ngames = \"othello\"\nproto = \"sau\"\n", "proto=sau does not play othello"},
		{"[[engine]]\ncmd = \"DIR/alpha\"\ngames = \"gomoku\"\n[[engine]]\ncmd = \"DIR/beta\"\nname = \"ALPHA\"\ngames = \"gomoku\"\n", ":4:3: name=ALPHA: two engines have that name"},
	} {
		_, err := ReadEngines(engineFolder(t, tt.toml), engines.NewSums(time.Now))
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: got %v, want a line with %q", tt.toml, err, tt.want)
		}
	}
}
