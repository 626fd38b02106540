package nogo

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"kibitz/bot"
	"kibitz/bot/search/mcts"
	"kibitz/game"
	"kibitz/games/nogo"
	"kibitz/player"
)

func begin(t testing.TB, spec game.Spec, start string) *engine {
	t.Helper()
	e := newEngine()
	if err := e.Reset(&player.Setup{Spec: spec, Start: start}); err != nil {
		t.Fatal(err)
	}
	return e
}

func task(nodes int64) *bot.Task {
	return &bot.Task{Lines: 1, Nodes: nodes * roundCost, Rand: rand.New(rand.NewPCG(1, 1))}
}

// harmless lists the points that the rules allow.
func harmless(b *nogo.Board, colour uint8) (list []int) {
	for i := range b.Size() * b.Size() {
		if p := b.At(i%b.Size(), i/b.Size()); b.Harmless(p, colour) {
			list = append(list, p)
		}
	}
	return list
}

// truth finds out by trying everything who wins, and remembers it.
type truth map[[2]uint64]bool

func (m truth) wins(b *nogo.Board, colour uint8) bool {
	key := [2]uint64{b.Hash(), uint64(colour)}
	if v, ok := m[key]; ok {
		return v
	}
	win := false
	for _, p := range harmless(b, colour) {
		next := *b
		next.Place(p, colour)
		if !m.wins(&next, 3-colour) {
			win = true
			break
		}
	}
	m[key] = win
	return win
}

// scatter plays n harmless stones: some at random, most where they look good.
func scatter(r *rand.Rand, size, n int) (b nogo.Board, colour uint8) {
	b, colour = nogo.NewBoard(size), nogo.Black
	for range n {
		list := harmless(&b, colour)
		if len(list) == 0 {
			break
		}
		p := list[r.IntN(len(list))]
		if r.IntN(4) > 0 {
			for _, q := range list {
				if guess(&b, q, colour) > guess(&b, p, colour) {
					p = q
				}
			}
		}
		b.Place(p, colour)
		colour = 3 - colour
	}
	return b, colour
}

// The counts of turns in hand, the solver and the tree tell the truth: on small
// boards, and at the end of games on larger ones.
func TestProofsAreTrue(t *testing.T) {
	if testing.Short() {
		t.Skip("much searching on one goroutine")
	}
	r := rand.New(rand.NewPCG(4, 2))
	counted, searched, grown := 0, 0, 0
	var s solver
	for _, c := range []struct{ size, stones, games int }{{3, 0, 1}, {3, 2, 10}, {4, 5, 20}, {4, 7, 40}, {5, 14, 40}, {6, 22, 60}, {7, 32, 60}, {9, 56, 60}} {
		if testing.Short() {
			c.games = (c.games + 3) / 4
		}
		m := truth{}
		clear(s.seen)
		for range c.games {
			b, colour := scatter(r, c.size, c.stones)
			if len(harmless(&b, nogo.Black))+len(harmless(&b, nogo.White)) > 20 && c.size > 4 {
				continue
			}
			win := m.wins(&b, colour)
			for end, side := b, colour; end.CanMove(side); side = 3 - side {
				if who := Decided(&end, side); who != nogo.Empty {
					counted++
					if (who == side) != m.wins(&end, side) {
						t.Fatalf("counted %d for %d: %+v", who, side, reserves(&end))
					}
				}
				list := harmless(&end, side)
				end.Place(list[r.IntN(len(list))], side)
			}
			p, done := s.solve(&b, colour, 1<<40, func(int64) bool { return false })
			if !done || (p != 0) != win {
				t.Fatalf("the solver says %d %t, the truth is %t", p, done, win)
			}
			if p != 0 {
				searched++
				next := b
				next.Place(p, colour)
				if m.wins(&next, 3-colour) {
					t.Fatal("the solver's turn does not win")
				}
			}
			if !b.CanMove(colour) {
				continue
			}
			g := newEngine().tree
			g.Begin(&playout{board: b, toMove: colour}, 1<<20, 5)
			g.Search(task(400), nil)
			if x := g.Proof(); x != mcts.Open {
				grown++
				if (x == mcts.Win) != win {
					t.Fatalf("the tree proves %d, the truth is %t", x, win)
				}
			}
		}
	}
	t.Logf("%d counts, %d searches, %d trees", counted, searched, grown)
	if counted < 10 || searched < 10 || grown < 10 {
		t.Errorf("too little was compared: %d counts, %d searches, %d trees", counted, searched, grown)
	}
}

// However both sides play on, and even if one may go on alone, nobody gets more
// turns than its upper count; and who only fills eyes gets its lower one.
func TestReservesHold(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	sure := 0
	for range 200 {
		b, colour := scatter(r, 7, 24+r.IntN(16))
		before := reserves(&b)
		turns := [2]int{}
		for idle := 0; idle < 2; colour = 3 - colour {
			list := harmless(&b, colour)
			if colour == nogo.White { // fills eyes, as long as there are two
				if now := count(&b, colour); now.low > 0 {
					list = slices.DeleteFunc(list, func(p int) bool { return !shares(&b, p, colour) })
				}
			}
			if len(list) == 0 {
				idle++
				continue
			}
			idle = 0
			turns[colour-1]++
			b.Place(list[r.IntN(len(list))], colour)
		}
		sure += before[nogo.White-1].low
		if turns[0] > before[0].high || turns[1] > before[1].high || turns[1] < before[1].low {
			t.Fatalf("%v turns, counted %+v", turns, before)
		}
	}
	if sure < 50 {
		t.Errorf("only %d turns were in hand", sure)
	}
}

// shares reports whether filling an eye uses up one turn in hand and no more.
func shares(b *nogo.Board, p int, colour uint8) bool {
	if !eye(b, p, colour) {
		return false
	}
	next := *b
	next.Place(p, colour)
	return count(&next, colour).low == count(b, colour).low-1
}

func TestReserves(t *testing.T) {
	for _, c := range []struct {
		spec      game.Spec
		start     string
		low, high int // of black
	}{
		{"nogo:size=3", ".b./bbb/bbb b", 1, 1},
		{"nogo:size=3", "..b/bbb/bbb b", 0, 2},
		{"nogo:size=5", ".b.b./bbbbb/...../...../..... b", 2, 18},
		{"nogo:size=5", ".b.b./bbbbb/wwwww/...../..... b", 2, 12},
		{"nogo:size=5", ".bw.b/bbwbb/wwwww/..w../..... b", 0, 9},
	} {
		e := begin(t, c.spec, c.start)
		if r := count(&e.board, nogo.Black); r.low != c.low || r.high != c.high {
			t.Errorf("%s: %+v, want %d to %d", c.start, r, c.low, c.high)
		}
	}
}

// What a playout plays is harmless, its end is the end, and its winner has won.
func TestPlayoutsAreGames(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	for i := range 200 {
		b, colour := scatter(r, 2+i%8, r.IntN(20))
		g := playout{board: b, toMove: colour}
		seed := mcts.Rand(i + 1)
		first := make([]uint8, nogo.Points)
		loser := nogo.White
		if v, _ := g.Playout(&seed, first); v == 0 {
			loser = nogo.Black
		}
		if g.board.CanMove(loser) {
			t.Fatal("the loser can move")
		}
		if g.board.Dead(nogo.Black) || g.board.Dead(nogo.White) {
			t.Fatal("somebody captured")
		}
		for p := b.At(0, 0); p < b.Bound(); p++ {
			if taken := b.Cell(p) == nogo.Empty && g.board.Cell(p) != nogo.Empty && p%(b.Size()+1) < b.Size(); taken != (first[p] != nogo.Empty) {
				t.Fatalf("point %d: taken %t, by %d", p, taken, first[p])
			}
		}
		diff := [2]int{}
		for _, c := range first {
			if c != nogo.Empty {
				diff[c-1]++
			}
		}
		if d := diff[colour-1] - diff[2-colour]; d != 0 && d != 1 || (d == 0) != (loser == colour) {
			t.Fatalf("%v stones, the loser is %d", diff, loser)
		}
	}
}

func TestPlayoutsDoNotAllocate(t *testing.T) {
	if testing.CoverMode() != "" {
		t.Skip("coverage counters disturb the measure")
	}
	at := playout{board: nogo.NewBoard(9), toMove: nogo.Black}
	g := &playout{}
	r := mcts.Rand(3)
	first := make([]uint8, nogo.Points)
	if n := testing.AllocsPerRun(50, func() {
		g.Copy(&at)
		g.Playout(&r, first)
	}); n != 0 {
		t.Errorf("a random game allocates %v times", n)
	}
}

// A kept tree is that of the position.
func TestTreeFollows(t *testing.T) {
	e := begin(t, "nogo:size=6", "")
	for range 4 {
		k := task(0)
		k.Soft, k.Nodes = time.Hour, 3000*roundCost // a clock, so that the tree is kept
		before, rounds := e.tree.Len(), int64(0)
		if before > 0 {
			rounds = e.tree.Rounds()
		}
		a := e.Think(k)
		if e.tree.Width() != e.board.Count(e.toMove) || e.tree.Rounds() != rounds+k.Count()/roundCost {
			t.Fatalf("%d moves, %d rounds after %d and %d", e.tree.Width(), e.tree.Rounds(), rounds, k.Count())
		}
		n := e.tree.Line(0, 1).Rounds
		if err := e.follow(a.Steps[0]); err != nil {
			t.Fatal(err)
		}
		if !e.kept || e.tree.Rounds() != n {
			t.Fatalf("%d rounds are left of %d", e.tree.Rounds(), n)
		}
	}
}

// A limit of memory bounds the tree, and the engine still answers.
func TestSmallMemory(t *testing.T) {
	e := newEngine()
	if err := e.Reset(&player.Setup{Spec: "nogo:size=9", Limits: player.Limits{Memory: 100_000}}); err != nil {
		t.Fatal(err)
	}
	if a := e.Think(task(3000)); len(a.Steps) != 1 {
		t.Errorf("answer %+v", a)
	}
	if n := e.tree.Len() * mcts.NodeBytes; n > 100_000 {
		t.Errorf("%d bytes", n)
	}
}

// Eyes are turns in hand: they are not filled while there is something else.
func TestKeepsEyes(t *testing.T) {
	for spec, start := range map[game.Spec]string{
		"nogo:size=7": ".b...../bb...../......./......./......./.....ww/.....w. b",
		"nogo:size=9": "........./.b......./b.b....../.b......./........./......w../.....w.w./......w../......... w",
	} {
		e := begin(t, spec, start)
		m := e.Think(task(2000)).Steps[0]
		if eye(&e.board, e.board.At(int(m.To.X), int(m.To.Y)), e.toMove) {
			t.Errorf("%s: the eye %v is filled", start, m)
		}
	}
}

func TestRefusesOtherGames(t *testing.T) {
	for _, s := range []player.Setup{
		{Spec: "othello"},
		{Spec: "nogo:size=9", Start: "nothing"},
		{Spec: "nogo:size=40"},
	} {
		if err := New(bot.Options{}).NewGame(t.Context(), &s); err == nil {
			t.Errorf("%+v was accepted", s)
		}
	}
	e := begin(t, "nogo:size=3", "")
	for _, m := range []game.Move{place(3, 0), game.FlipAt(game.Pt(0, 0)), game.ResignMove()} {
		if err := e.Update(&player.Update{Steps: []game.Move{m}}); err == nil {
			t.Errorf("%v was accepted", m)
		}
	}
}

func place(x, y int) game.Move { return game.PlaceAt(game.Pt(x, y)) }

// After a harmful stone or a pass the game is over: nothing is answered, and
// nothing follows.
func TestKnowsTheEnd(t *testing.T) {
	for name, moves := range map[string][]game.Move{
		"capture": {place(1, 0), place(0, 0), place(0, 1)},
		"suicide": {place(1, 0), place(2, 2), place(0, 1), place(0, 0)},
		"pass":    {game.PassMove()},
	} {
		e := begin(t, "nogo:size=5", "")
		for _, m := range moves {
			if err := e.Update(&player.Update{Steps: []game.Move{m}}); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if a := e.Think(task(50)); len(a.Steps) != 0 {
			t.Errorf("%s: %v is answered", name, a.Steps)
		}
		if err := e.Update(&player.Update{Steps: []game.Move{place(4, 4)}}); err == nil {
			t.Errorf("%s: the game went on", name)
		}
	}
}

func BenchmarkPlayouts(b *testing.B) {
	e := begin(b, "nogo:size=9", "")
	b.ReportAllocs()
	at := playout{board: e.board, toMove: e.toMove}
	var g playout
	r := mcts.Rand(99)
	first := make([]uint8, nogo.Points)
	for b.Loop() {
		g.Copy(&at)
		g.Playout(&r, first)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "playouts/s")
}

func BenchmarkTree(b *testing.B) {
	e := begin(b, "nogo:size=9", "")
	b.ReportAllocs()
	var n int64
	for b.Loop() {
		t := task(20_000)
		e.Think(t)
		n += t.Count()
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "playouts/s")
}
