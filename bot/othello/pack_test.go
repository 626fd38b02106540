package othello

import (
	"bytes"
	"context"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/games/othello"
	"kibitz/player"
)

// shippedBook is the book that comes with the program.
func shippedBook(t testing.TB) *book {
	t.Helper()
	base, err := loadBook()
	if err != nil {
		t.Fatal(err)
	}
	return &book{base: base}
}

// Every position of the book that comes with the program is one that games come to by
// its moves, its move is legal, and what it is worth follows from what comes after.
func TestShippedBook(t *testing.T) {
	k := shippedBook(t)
	if len(packedBook) > bookBytes || len(k.base) < 500 {
		t.Errorf("%d positions in %d bytes", len(k.base), len(packedBook))
	}
	seen := map[othello.Board]bool{}
	start, _ := upright(othello.Start())
	var visit func(b othello.Board)
	visit = func(b othello.Board) {
		if seen[b] {
			return
		}
		seen[b] = true
		if b.Own&b.Opp != 0 || b.Own|b.Opp|start.Own|start.Opp != b.Own|b.Opp {
			t.Errorf("%v is no board of Othello", b)
		}
		if kept, _ := upright(b); kept != b {
			t.Errorf("%v is laid as %v", b, kept)
		}
		p, _, ok := k.find(b)
		if !ok || p.value < -64*disc || p.value > 64*disc {
			t.Errorf("%v: %+v", b, p)
		}
		for m := b.Moves(); m != 0; m &= m - 1 {
			next, _, on := follow(b, bits.TrailingZeros64(m))
			if _, ok := k.base[next]; on && ok {
				visit(next)
			}
		}
	}
	visit(start)
	if len(seen) != len(k.base) {
		t.Errorf("%d positions can be reached, the book has %d", len(seen), len(k.base))
	}
	// The same by the way that a book which may change goes.
	slow := &book{pages: k.base}
	for b := range k.base {
		fast, _ := k.value(b, game.First)
		if v, ok := slow.value(b, game.First); !ok || v != fast {
			t.Fatalf("%v is worth %d, the book says %d", b, v, fast)
		}
	}
}

// A book is the same after it was packed and written, packed and read.
func TestPackBook(t *testing.T) {
	k := shippedBook(t)
	text := (&book{pages: k.base}).write()
	packed, n, err := PackBook(text)
	if err != nil || n != len(k.base) {
		t.Fatalf("%d positions, %v", n, err)
	}
	if !bytes.Equal(packed, packedBook) {
		t.Errorf("%d bytes that are not those of the book's file, which has %d", len(packed), len(packedBook))
	}

	own := learned(t)
	packed, n, err = PackBook(own.write())
	if err != nil || n != len(own.pages) {
		t.Fatalf("%d positions, %v", n, err)
	}
	pages, err := unpack(packed)
	if err != nil {
		t.Fatal(err)
	}
	again := &book{base: pages}
	for b, p := range own.pages {
		got := pages[b]
		if d := got.value - p.value; got.move != p.move || got.exact != p.exact || d < -bookUnit/2 || d > bookUnit/2 {
			t.Errorf("%v: %+v became %+v", b, p, got)
		}
		// Contempt counts in both alike.
		for _, n := range []int{0, 10} {
			own.contempt, own.worth, again.contempt, again.worth = n, nil, n, nil
			want, _ := own.value(b, game.Second)
			if v, ok := again.value(b, game.Second); !ok || max(v-want, want-v) > bookUnit/2 {
				t.Errorf("contempt %d: %v is worth %d, want %d", n, b, v, want)
			}
		}
	}
	if _, _, err := PackBook([]byte(bookHead)); err == nil {
		t.Error("an empty book was packed")
	}
}

// What is not the book of a program is refused, and never read as far as it goes.
func TestDamagedBook(t *testing.T) {
	packed, _, err := PackBook(learned(t).write())
	if err != nil {
		t.Fatal(err)
	}
	for n := range packed {
		if pages, err := unpack(packed[:n]); err == nil {
			t.Errorf("the first %d bytes are a book of %d positions", n, len(pages))
		}
	}
	for name, tree := range map[string][]byte{
		"nothing":            {},
		"no such move":       {0, 8, 0},
		"no such move after": {0, 0, 16},
		"value":              {0xff, 0xff, 0x03, 0, 0},
		"long number":        {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0, 0},
		"nothing after":      {0, 0, 1},
		"more after the end": {0, 0, 0, 0},
	} {
		if _, err := readTree(tree); err == nil {
			t.Errorf("%s: it was read", name)
		}
	}
}

// What can be read can be played by, packed, and read as the same.
func FuzzReadTree(f *testing.F) {
	k := learned(f)
	start, _ := upright(othello.Start())
	f.Add(k.grow(nil, start, 0, map[othello.Board]page{}))
	f.Add([]byte{0, 0, 0})
	f.Add([]byte{3, 1, 1, 10, 4, 0})
	f.Fuzz(func(t *testing.T, tree []byte) {
		pages, err := readTree(tree)
		if err != nil {
			return
		}
		if len(pages) > len(tree)/3 {
			t.Fatalf("%d positions from %d bytes", len(pages), len(tree))
		}
		k := &book{base: pages}
		k.choose(othello.Start(), game.First, rand.New(rand.NewPCG(1, 2)))
		again, err := readTree(k.grow(nil, start, 0, map[othello.Board]page{}))
		if err != nil || !reflect.DeepEqual(again, pages) && !transposed(k) {
			t.Errorf("%v, read again:\n%v\nnot\n%v", err, again, pages)
		}
	})
}

// transposed reports whether a position of a packed book leads to another one without
// saying so; what it is worth is then not what it says.
func transposed(k *book) bool {
	slow := &book{pages: k.base}
	for b := range k.base {
		fast, _ := k.value(b, game.First)
		if v, _ := slow.value(b, game.First); v != fast {
			return true
		}
	}
	return false
}

// asked returns what a player answers after the moves.
func asked(t *testing.T, p *Player, moves ...string) player.Answer {
	t.Helper()
	setup := player.Setup{ID: "t", Spec: othello.ID, Width: 8, Height: 8, Seat: game.First, ToMove: game.First, Limits: player.Limits{Depth: 2}}
	if err := p.NewGame(context.Background(), &setup); err != nil {
		t.Fatal(err)
	}
	st := othello.NewState(othello.Start(), game.First)
	for _, text := range moves {
		m, err := othello.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		by := st.Turn().Seat
		if _, err := st.Apply(m, nil); err != nil {
			t.Fatal(err)
		}
		p.Tell(&player.Update{By: by, Steps: []game.Move{m}, Next: st.Turn(), Ended: true})
	}
	a, err := p.Choose(context.Background(), &player.Prompt{Seat: st.Turn().Seat, Turn: st.Turn(), Moves: st})
	if err != nil {
		t.Fatal(err)
	}
	a.Steps = append([]game.Move(nil), a.Steps...)
	return a
}

func newPlayer(t *testing.T, level int) *Player {
	t.Helper()
	p, ok := New(bot.Options{Level: level, Seed: 1, Now: time.Now}).(*Player)
	if !ok {
		t.Fatal("no player with a book")
	}
	return p
}

// Level 9 alone begins by the book, at once and each time the same; out of the book and
// without it, it searches.
func TestWhoPlaysByTheBook(t *testing.T) {
	without := newPlayer(t, 9)
	without.WithoutBook()
	for _, c := range []struct {
		name  string
		p     *Player
		moves []string
		book  bool
	}{
		{"level 9", newPlayer(t, 9), nil, true},
		{"level 9, second move", newPlayer(t, 9), []string{"f5"}, true},
		{"level 9, third move", newPlayer(t, 9), []string{"f5", "d6"}, true},
		{"level 9, turned", newPlayer(t, 9), []string{"c4", "e3"}, true},
		{"level 9 out of the book", newPlayer(t, 9), []string{"e6", "f6", "g6", "g7", "g8", "h8"}, false},
		{"level 9 without it", without, nil, false},
		{"level 8", newPlayer(t, 8), nil, false},
	} {
		a, again := asked(t, c.p, c.moves...), asked(t, c.p, c.moves...)
		if a.Info.Book != c.book || c.book != (a.Info.Nodes == 0) {
			t.Errorf("%s: %+v", c.name, a.Info)
		}
		if a.Steps[0] != again.Steps[0] {
			t.Errorf("%s: %v, the second time %v", c.name, a.Steps[0], again.Steps[0])
		}
	}
}

// An analysis searches, whatever the book knows.
func TestAnalysisWithoutBook(t *testing.T) {
	p := newPlayer(t, 9)
	asked(t, p)
	n := 0
	err := p.Analyse(context.Background(), player.Question{Depth: 4}, func(info game.Info) bool {
		n++
		if info.Book || info.Depth == 0 {
			t.Errorf("%+v", info)
		}
		return true
	})
	if err != nil || n == 0 {
		t.Errorf("%d lines, %v", n, err)
	}
}

// What was learned counts before the book that comes with the program, which stays as
// it is.
func TestOwnBookOverShipped(t *testing.T) {
	p := newPlayer(t, 9)
	asked(t, p)
	base := p.engine.book.base
	first := asked(t, p, "f5")
	b, _ := after(t, "f5")
	sq, _ := othello.SquareOf(first.Steps[0].To)
	lost := b.Play(sq, b.Flips(sq))
	kept, _ := upright(lost)
	was := base[kept]
	p.engine.book.add(lost, 30*disc, bits.TrailingZeros64(lost.Moves()), true)
	if again := asked(t, p, "f5"); again.Steps[0] == first.Steps[0] || !again.Info.Book {
		t.Errorf("%v, which was learned to lose", again)
	}
	if base[kept] != was || len(p.engine.book.pages) != 1 {
		t.Error("the book of the program was written to")
	}
	if other := asked(t, newPlayer(t, 9), "f5"); other.Steps[0] != first.Steps[0] {
		t.Error("another player knows what was learned")
	}
}

// A book expands from nothing to the same positions each time, each reached from the
// start.
func TestExpand(t *testing.T) {
	expand := func() []byte {
		p := newPlayer(t, 9)
		p.depth = 4
		var kept []byte
		if err := p.UseBook(nil, func(data []byte) error { kept = data; return nil }); err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second goes on where the first ended
			if err := p.Expand(context.Background(), 30); err != nil {
				t.Fatal(err)
			}
		}
		return kept
	}
	once := expand()
	if !bytes.Equal(expand(), once) {
		t.Error("another book the second time")
	}
	lines := bytes.Count(once, []byte("\n")) - 1
	_, n, err := PackBook(once)
	if err != nil || n != lines || n < 60 || n > 90 {
		t.Errorf("%d positions, %d in the file, %v", n, lines, err)
	}
}

func BenchmarkReadBook(b *testing.B) {
	for b.Loop() {
		if _, err := unpack(packedBook); err != nil {
			b.Fatal(err)
		}
	}
}
