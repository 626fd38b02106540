package deptest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestImports reads the imports of the whole module.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,Deps", "kibitz/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var list []Imports
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var p struct {
			ImportPath    string
			Imports, Deps []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		in := Imports{Package: strings.TrimPrefix(p.ImportPath, "kibitz/")}
		for _, imp := range p.Imports {
			if own, ok := strings.CutPrefix(imp, "kibitz/"); ok {
				in.Own = append(in.Own, own)
			} else if first, _, _ := strings.Cut(imp, "/"); strings.Contains(first, ".") {
				in.External = append(in.External, imp)
			}
		}
		for _, imp := range p.Deps {
			if own, ok := strings.CutPrefix(imp, "kibitz/"); ok {
				in.Reached = append(in.Reached, own)
			}
		}
		list = append(list, in)
	}
	if len(list) < 5 {
		t.Fatalf("only %d packages found", len(list))
	}
	for _, breach := range Check(Rules(), list) {
		t.Error(breach)
	}
}

// TestCheck shows that each kind of breach is found.
func TestCheck(t *testing.T) {
	rules := Rules()
	tests := []struct {
		name string
		in   Imports
		want string
	}{
		{"clean", Imports{Package: "games/othello", Own: []string{"game", "rules", "game/grid"}}, ""},
		{"own game of a bot", Imports{Package: "bot/othello", Own: []string{"bot", "games/othello"}}, ""},
		{"other game of a bot", Imports{Package: "bot/othello", Own: []string{"games/gomoku"}}, "bot/othello imports games/gomoku"},
		{"protocol knows rules", Imports{Package: "protocol/nboard", Own: []string{"rules"}}, "protocol/nboard imports rules"},
		{"protocol reaches rules", Imports{Package: "protocol/nboard", Reached: []string{"rules"}}, "reaches rules"},
		{"library where none may be", Imports{Package: "game", External: []string{"github.com/x/y"}}, "game imports github.com/x/y"},
		{"no rule", Imports{Package: "elsewhere/deep"}, "no rule"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Check(rules, []Imports{tt.in})
			if tt.want == "" {
				if len(got) != 0 {
					t.Fatalf("unexpected breaches %q", got)
				}
				return
			}
			if !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, tt.want) }) {
				t.Fatalf("got %q, want a line with %q", got, tt.want)
			}
		})
	}
}

// The root holds the folders that docs/architecture.md tells of, and no other.
func TestRoot(t *testing.T) {
	page, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "| folder | what it is |")
	table, _, _ := strings.Cut(rest, "\n\n")
	var told []string
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, "|"); len(cells) > 2 {
			for _, m := range regexp.MustCompile("`([a-z]+)`").FindAllStringSubmatch(cells[1], -1) {
				told = append(told, m[1])
			}
		}
	}
	out, err := exec.Command("git", "-C", "../..", "ls-tree", "-d", "--name-only", "HEAD").Output()
	if err != nil {
		t.Skip("not a git repository")
	}
	slices.Sort(told)
	have := slices.DeleteFunc(strings.Fields(string(out)), func(name string) bool { return strings.HasPrefix(name, ".") })
	if !slices.Equal(have, told) {
		t.Errorf("folders of the root %v\nof the page %v", have, told)
	}
}

// TestFirstCommand holds that what a match needs is built without databases, queues and
// pages. Built in full, as it is shipped, the program has them all.
func TestFirstCommand(t *testing.T) {
	heavy := []string{
		"github.com/nats-io/nats-server/v2/server", "github.com/nats-io/nats.go", "github.com/jackc/pgx/v5", "modernc.org/sqlite", "kibitz/hall/web",
		"kibitz/hall/bus", "kibitz/hall/store",
	}
	for tags, want := range map[string]bool{"": false, "full": true} {
		out, err := exec.Command("go", "list", "-deps", "-tags="+tags, "kibitz/cmd/kibitz").Output()
		if err != nil {
			t.Fatalf("go list: %v", err)
		}
		deps := strings.Fields(string(out))
		for _, p := range heavy {
			if slices.Contains(deps, p) != want {
				t.Errorf("-tags=%s: %s is among what is compiled: %t", tags, p, !want)
			}
		}
	}
}
