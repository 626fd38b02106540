package readfile

import (
	"os"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/games/darkchess"
	"kibitz/internal/shared"
	"kibitz/rules"
)

// rows reads a test file of lines with cells separated by |.
func rows(t *testing.T, path string, cells int, f func(cell []string)) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\n")
		if strings.TrimSpace(line) == "" || line[0] == '#' {
			continue
		}
		cell := strings.Split(line, "|")
		if len(cell) != cells {
			t.Fatalf("%s: %q has %d cells", path, line, len(cell))
		}
		for i := range cell {
			cell[i] = strings.TrimSpace(cell[i])
		}
		n++
		f(cell)
	}
	if n == 0 {
		t.Fatalf("%s is empty", path)
	}
}

// name is how the rules write a decision.
func name(t testing.TB, m game.Move) string {
	t.Helper()
	r, err := rules.Open([]rules.Game{darkchess.Game()}, "darkchess")
	if err != nil {
		t.Fatal(err)
	}
	return r.FormatMove(m)
}

func TestMoves(t *testing.T) {
	rows(t, "testdata/moves.txt", 2, func(cell []string) {
		for _, eol := range []string{"\n", "\r\n", " "} {
			m, err := ReadMove([]byte(strings.ReplaceAll(cell[0], ";", eol)))
			switch {
			case err != nil && !strings.Contains(err.Error(), cell[1]):
				t.Errorf("%q: %v", cell[0], err)
			case err == nil && name(t, m) != cell[1]:
				t.Errorf("%q: %s", cell[0], name(t, m))
			}
		}
	})
	if m, err := ReadMove([]byte("0 b3 b4 " + strings.Repeat("x", mostMove))); err == nil {
		t.Errorf("a text without end is %v", m)
	}
	for in, want := range map[string]string{"b3-b4": "0\nb3\nb4\n0\n", "b3-b3": "1\nb3\nb3\n0\n", "a0-a0": "2\na0\na0\n0\n"} {
		m, err := ReadMove([]byte(want))
		if err != nil || name(t, m) != in {
			t.Fatalf("%q: %v %v", want, m, err)
		}
		if got, err := AppendMove(nil, m); err != nil || string(got) != want {
			t.Errorf("%s is written %q, %v", in, got, err)
		}
	}
	if out, err := AppendMove(nil, game.PassMove()); err == nil {
		t.Errorf("a pass is written %q", out)
	}
}

// The answers of real engines.
func TestSharedMoves(t *testing.T) {
	for file, want := range map[string]string{"bbii-move.txt": "b3-b4", "ja1666-move.txt": "b6-b5"} {
		m, err := ReadMove(shared.Read(t, "data", "darkchess", "readfile", file))
		if err != nil || name(t, m) != want {
			t.Errorf("%s: %v %v, want %s", file, m, err, want)
		}
	}
}

func FuzzMove(f *testing.F) {
	for _, s := range []string{"0\nb3\nb4\n0\n", "1\nb3\n0\n0\n", "2\na0\na0\n0\n", "0 b3", "\ufeff1 a1", "0 a0 a0", "9"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := ReadMove(text)
		if err != nil {
			return
		}
		out, err := AppendMove(nil, m)
		if err != nil {
			t.Fatalf("%q is read as %v, which cannot be written: %v", text, m, err)
		}
		if again, err := ReadMove(out); err != nil || again != m {
			t.Fatalf("%q is read as %v, written as %q and read as %v, %v", text, m, out, again, err)
		}
	})
}
