package formats

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kibitz/games"
	"kibitz/record"
)

// TestParts reads a file of lines a hundred bytes at a time: its games, their lines and what
// is wrong with the others are those of the whole, and no part holds many games.
func TestParts(t *testing.T) {
	set := New(games.OpenSpec)
	whole, err := set.Read("a.moves", []byte(strings.Repeat("f5d6c3\nf5f6e6f4\n", 20)), "othello", "")
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := set.WriteNative(&text, whole); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(text.String(), "\n")
	broken := strings.Join(lines[:7], "") + "{\n\n" + strings.Join(lines[7:30], "") + "no record\n" + strings.Join(lines[30:], "")
	broken = strings.TrimSpace(broken)
	name := filepath.Join(t.TempDir(), "a.jsonl")
	if err := os.WriteFile(name, []byte(broken), 0o600); err != nil {
		t.Fatal(err)
	}
	want, wantErr := set.Load(nil, name, "", "")
	show := func(list []*record.Game, err error) string {
		var b strings.Builder
		for _, g := range list {
			fmt.Fprintln(&b, g.Line, len(g.Steps))
		}
		return fmt.Sprint(b.String(), err)
	}
	f, err := set.Find(name, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{100, len(broken), len(broken) + 1} {
		var got []*record.Game
		most := 0
		err := set.parts(strings.NewReader(broken), name, f, size, func(list []*record.Game) bool {
			got, most = append(got, list...), max(most, len(list))
			return true
		})
		if show(got, err) != show(want, wantErr) || len(got) != 40 {
			t.Errorf("%d bytes at a time:\n%s\nand whole:\n%s", size, show(got, err), show(want, wantErr))
		}
		if size == 100 && most > 3 {
			t.Errorf("%d games in one part", most)
		}
	}
	calls := 0
	if err := set.parts(strings.NewReader(text.String()), name, f, 100, func(list []*record.Game) bool {
		calls++
		return len(list) == 0
	}); err != nil || calls > 10 {
		t.Errorf("ended early after %d parts: %v", calls, err)
	}
	if err := set.parts(strings.NewReader(""), name, f, 100, func([]*record.Game) bool { return true }); err == nil {
		t.Error("an empty file holds games")
	}
}
