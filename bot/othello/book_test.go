package othello

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/games/othello"
	"kibitz/player"
)

func TestUpright(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		b := random(20+rng.IntN(30), rng)
		kept, way := upright(b)
		if turn(b.Own, way) != kept.Own || turn(b.Opp, way) != kept.Opp {
			t.Fatalf("%v is laid as %v, not by way %d", b, kept, way)
		}
		seen := map[uint64]bool{}
		for w := range 8 {
			c := othello.Board{Own: turn(b.Own, w), Opp: turn(b.Opp, w)}
			seen[turn(1<<10, w)] = true
			if again, _ := upright(c); again != kept {
				t.Fatalf("way %d of %v is laid as %v, not %v", w, b, again, kept)
			}
			if turn(b.Moves(), w) != c.Moves() {
				t.Fatalf("way %d of %v is no symmetry of the rules", w, b)
			}
		}
		if len(seen) != 8 {
			t.Fatalf("%d ways, want 8", len(seen))
		}
	}
}

// after returns the board after moves, and who is on turn.
func after(t testing.TB, moves ...string) (othello.Board, game.Seat) {
	t.Helper()
	b, seat := othello.Start(), game.First
	for _, text := range moves {
		sq := square(t, text)
		b, seat = b.Play(sq, b.Flips(sq)), seat.Other()
	}
	return b, seat
}

func square(t testing.TB, text string) int {
	t.Helper()
	m, err := othello.ParseMove(text)
	if err != nil {
		t.Fatal(err)
	}
	sq, _ := othello.SquareOf(m.To)
	return sq
}

// learned is a book of three openings: f5d6 is a draw, f5f6 good for White in the
// end, f5f4 as well as even.
func learned(t testing.TB) *book {
	t.Helper()
	k := new(book)
	for _, p := range []struct {
		moves []string
		value int
		best  string
		exact bool
	}{
		{nil, 0, "f5", false},
		{[]string{"f5"}, 100, "d6", false},
		{[]string{"f5", "d6"}, 0, "c3", true},
		{[]string{"f5", "f6"}, -4 * disc, "e6", false},
		{[]string{"f5", "f4"}, -20, "e3", false},
	} {
		b, _ := after(t, p.moves...)
		k.add(b, p.value, square(t, p.best), p.exact)
	}
	return k
}

func TestBookChooses(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	k := learned(t)
	for contempt, want := range map[int][2]int{0: {4 * disc, 4 * disc}, 10: {4 * disc, 4 * disc}, -10: {10 * disc, 10 * disc}} {
		k.contempt, k.worth = contempt, nil
		b, seat := after(t, "f5")
		_, value, ok := k.choose(b, seat, rng)
		if !ok || value != want[0] {
			t.Errorf("contempt %d: White gets %d, %v, want %d", contempt, value, ok, want[0])
		}
		// Laid another way it is the same.
		turned := othello.Board{Own: turn(b.Own, 5), Opp: turn(b.Opp, 5)}
		if _, value, ok = k.choose(turned, seat, rng); !ok || value != want[1] {
			t.Errorf("contempt %d, turned: White gets %d, %v, want %d", contempt, value, ok, want[1])
		}
	}
	b, seat := after(t, "f5", "d6", "c3")
	if _, _, ok := k.choose(b, seat, rng); ok {
		t.Error("a move for a position that is not in the book")
	}
}

func TestBookSeesRefutation(t *testing.T) {
	k := new(book)
	b, seat := after(t)
	k.add(b, 0, square(t, "f5"), false)
	b, _ = after(t, "f5")
	k.add(b, 5*disc, square(t, "d6"), false)
	b, _ = after(t)
	if sq, v, ok := k.choose(b, seat, rand.New(rand.NewPCG(1, 2))); ok {
		t.Errorf("plays %d for %d, which lost more than the search saw", sq, v)
	}
}

func TestBookFile(t *testing.T) {
	k := learned(t)
	data := k.write()
	again, err := readBook(data)
	if err != nil {
		t.Fatal(err)
	}
	if got := again.write(); string(got) != string(data) || len(again.pages) != len(k.pages) {
		t.Errorf("read and written:\n%s\nwant\n%s", got, data)
	}
	for _, bad := range []string{
		"book\n", bookHead + "1\n", bookHead + "810000000 1008000000 f5 0\n" + "810000000 1008000000 a1 0\n",
		bookHead + "810000000 1008000000 f5 99\n", bookHead + "ff ff f5 0\n", bookHead + "810000000 1008000000 f5 NaN\n",
	} {
		if _, err := readBook([]byte(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

// What can be read can be played by and written, and is the same when it is read again.
func FuzzBook(f *testing.F) {
	f.Add([]byte(bookHead + "810000000 1008000000 f5 0.5\n"))
	f.Add([]byte(bookHead + "810000000 1008000000 d3 -2 =\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		k, err := readBook(data)
		if err != nil {
			return
		}
		k.choose(othello.Start(), game.First, rand.New(rand.NewPCG(1, 2)))
		once := k.write()
		again, err := readBook(once)
		if err != nil {
			t.Fatalf("%v, of what was written:\n%s", err, once)
		}
		if twice := again.write(); string(twice) != string(once) {
			t.Errorf("written again it is\n%s\nnot\n%s", twice, once)
		}
	})
}

// TestLearn plays a game, learns it, and plays by the book what was learned.
func TestLearn(t *testing.T) {
	play := func() []byte {
		p, ok := New(bot.Options{Level: 2, Seed: 1, Now: time.Now}).(*Player)
		if !ok {
			t.Fatal("no player with a book")
		}
		var kept []byte
		if err := p.UseBook(nil, func(data []byte) error { kept = data; return nil }); err != nil {
			t.Fatal(err)
		}
		p.SetContempt(-100)
		setup := player.Setup{ID: "t", Spec: othello.ID, Width: 8, Height: 8, Seat: game.Second, ToMove: game.First, Limits: player.Limits{Depth: 3}}
		if err := p.NewGame(context.Background(), &setup); err != nil {
			t.Fatal(err)
		}
		st := othello.NewState(othello.Start(), game.First)
		for range 6 {
			by, m := st.Turn().Seat, st.Legal(nil)[0]
			if _, err := st.Apply(m, nil); err != nil {
				t.Fatal(err)
			}
			p.Tell(&player.Update{By: by, Steps: []game.Move{m}, Next: st.Turn(), Ended: true})
		}
		if err := p.Learn(context.Background()); err != nil {
			t.Fatal(err)
		}
		if len(p.engine.book.pages) != 7 {
			t.Errorf("%d positions were learned, want 7", len(p.engine.book.pages))
		}
		b, seat := p.engine.board, p.engine.seat
		if b != first(st) || seat != st.Turn().Seat {
			t.Error("the player has lost the game by learning it")
		}
		return kept
	}
	once := play()
	if again := play(); string(again) != string(once) || len(once) == 0 {
		t.Errorf("the same game was learned as\n%s\nand\n%s", once, again)
	}
}

func first(st *othello.State) othello.Board {
	b, _ := st.Board()
	return b
}
