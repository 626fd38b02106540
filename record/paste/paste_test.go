package paste

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"kibitz/catalog"
	"kibitz/game"
	"kibitz/games"
	"kibitz/record/formats"
)

func reader() *Reader {
	r := &Reader{Formats: formats.New(games.OpenSpec), Consoles: catalog.Consoles()}
	for _, g := range games.All() {
		r.Games = append(r.Games, game.Spec(g.ID))
	}
	return r
}

// rows are the lines of a table: the game that is named or -, what is expected, and the text with \n
// for the ends of lines.
func rows(t *testing.T, name string) (out [][3]string) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimRight(line, "\n"); line == "" {
			continue
		}
		f := strings.SplitN(line, "\t", 3)
		if len(f) != 3 {
			t.Fatalf("%s: %q has %d columns", name, line, len(f))
		}
		out = append(out, [3]string{strings.TrimPrefix(f[0], "-"), f[1], strings.ReplaceAll(f[2], `\n`, "\n")})
	}
	return out
}

// What people paste is read: game, decisions and form are those of the table.
func TestRead(t *testing.T) {
	r := reader()
	for i, x := range rows(t, "read.tsv") {
		found, err := r.Read("", []byte(x[2]), game.Spec(x[0]))
		if err != nil {
			t.Errorf("%d: %q: %v", i+1, x[2], err)
			continue
		}
		g := found.Games[0]
		if got := g.Spec.ID() + " " + strconv.Itoa(len(g.Steps)) + " " + found.Form; got != x[1] {
			t.Errorf("%d: %q: %s, want %s", i+1, x[2], got, x[1])
		}
	}
}

// What cannot be read is told with the nearest form and why that does not fit.
func TestUnread(t *testing.T) {
	r := reader()
	for i, x := range rows(t, "unread.tsv") {
		_, err := r.Read("", []byte(x[2]), game.Spec(x[0]))
		if err == nil || !strings.Contains(err.Error(), x[1]) {
			t.Errorf("%d: %q: %v, want %q", i+1, x[2], err, x[1])
		}
	}
	var u *Unread
	if _, err := r.Read("", []byte("f5d6a1"), "othello"); !errors.As(err, &u) || u.Legal != 2 {
		t.Errorf("%+v", err)
	}
}

// Random text of the largest size is refused quickly, and a larger one at once.
func TestRandom(t *testing.T) {
	r, rnd := reader(), rand.New(rand.NewPCG(1, 1))
	data := make([]byte, most)
	for i := range data {
		data[i] = byte(32 + rnd.IntN(95))
	}
	begun := time.Now()
	if _, err := r.Read("", data, ""); err == nil {
		t.Error("it is read")
	}
	if used := time.Since(begun); used > 5*time.Second {
		t.Errorf("it took %v", used)
	}
	if _, err := r.Read("", bytes.Repeat([]byte("a"), most+1), ""); err == nil {
		t.Error("it is read")
	}
}
