package darkchess

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/games/darkchess"
	"kibitz/player"
)

func setup(t testing.TB, start string) *engine {
	t.Helper()
	e := &engine{}
	if err := e.Reset(&player.Setup{Spec: "darkchess:noeat=60", Start: start}); err != nil {
		t.Fatal(err)
	}
	return e
}

func task(depth int) *bot.Task {
	return &bot.Task{Lines: 1, Depth: depth, Nodes: 200_000, Rand: rand.New(rand.NewPCG(1, 1))}
}

func think(t testing.TB, start string, depth int) (string, game.Info) {
	t.Helper()
	e := setup(t, start)
	a := e.Think(task(depth))
	r, err := darkchess.Game().New("darkchess")
	if err != nil {
		t.Fatal(err)
	}
	return r.FormatMove(a.Steps[0]), a.Info
}

func TestDecisions(t *testing.T) {
	for _, c := range []struct{ name, start, want string }{
		{"takes what is free", "----/-G--/-r--/----/----/----/----/k--p r", "b7-b6"},
		{"a king does not take a pawn, a knight does", "----/-Np-/----/----/----/----/----/k--K r", "b7-c7"},
		{"a cannon jumps", "C---/X---/k---/----/----/----/----/p--- r hidden=P", "a8-a6"},
		{"a pawn takes the king", "----/-Pk-/----/----/----/----/----/g--- r", "b7-c7"},
		{"takes the last piece", "----/-G--/-n--/----/----/----/----/---- r", "b7-b6"},
		{"runs from the guard", "Rg--/----/----/----/----/----/--P-/---k r", "a8-a7"},
		{"turns over rather than lose a piece for nothing", "GXgP/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX r hidden=KGMMRRNNCCPPPPkgmmrrnnccppppp", ""},
	} {
		got, info := think(t, c.start, 4)
		if c.want != "" && got != c.want {
			t.Errorf("%s: %s instead of %s (%+v)", c.name, got, c.want, info)
		}
	}
}

func TestStepsAgreeWithTheBoard(t *testing.T) {
	for a := range uint8(darkchess.Kinds) {
		for v := range uint8(darkchess.Kinds) {
			b := darkchess.EmptyBoard()
			b.Put(5, a)
			b.Put(6, darkchess.Kinds+v)
			if got := b.Targets(5)>>6&1 == 1; got != steps(int(a), int(v)) {
				t.Errorf("%c takes %c: %t", darkchess.Letters[a], darkchess.Letters[v], got)
			}
		}
	}
}

// positions are random ones with a few pieces.
func positions(n int, hidden bool) []*engine {
	r := rand.New(rand.NewPCG(4, 5))
	var list []*engine
	for range n {
		e := &engine{pending: -1, known: true, seat: game.First}
		e.search.noEat, e.search.repeats = 40, true
		e.board = darkchess.EmptyBoard()
		var down [darkchess.Pieces]uint8
		left := darkchess.FullSet
		for range 8 {
			sq, p := r.IntN(darkchess.Squares), r.IntN(darkchess.Pieces)
			if e.board.Cell(sq) != darkchess.Empty || left[p] == 0 {
				continue
			}
			left[p]--
			if hidden && r.IntN(3) == 0 {
				e.board.Put(sq, darkchess.Hidden)
				down[p]++
				continue
			}
			e.board.Put(sq, uint8(p))
		}
		e.board.SetDown(down)
		e.settle()
		list = append(list, e)
	}
	return list
}

// plain is the search without any window, order or memory.
func (s *search) plain(depth, ply int, colour uint8, skipped bool) int {
	switch {
	case s.board.Alive(colour) == 0:
		return ply - win
	case !skipped && s.drawn():
		return 0
	case depth <= 0:
		return s.quiesce(ply, -inf, inf, colour)
	}
	list := append([]ordered(nil), s.moves(ply, colour, 0, false)...)
	best := -inf
	switch hidden := s.board.At(darkchess.Hidden) != 0; {
	case len(list) == 0 && !hidden:
		return ply - win
	case hidden && skipped && len(list) == 0:
		best = s.evaluate(colour)
	case hidden && !skipped:
		quiet := s.quiet
		s.quiet = 0
		s.path = append(s.path, s.key(1-colour))
		best = -s.plain(depth-2, ply+1, 1-colour, true)
		s.path = s.path[:len(s.path)-1]
		s.quiet = quiet
	}
	for _, o := range list {
		from, to := o.move.squares()
		taken, quiet := s.make(from, to, colour)
		best = max(best, -s.plain(depth-1, ply+1, 1-colour, false))
		s.unmake(from, to, taken, quiet)
	}
	return best
}

func TestSearchAgreesWithNegamax(t *testing.T) {
	if testing.Short() {
		t.Skip("much searching on one goroutine")
	}
	for i, e := range append(positions(60, false), positions(60, true)...) {
		for depth := 1; depth <= 3; depth++ {
			e.Forget()
			e.prepare(task(depth))
			s := &e.search
			want := s.plain(depth, 0, e.colour(), false)
			before := s.board
			if got := s.node(depth, 0, -inf, inf, e.colour(), false); got != want {
				t.Errorf("position %d, depth %d: %d, want %d", i, depth, got, want)
			}
			if s.board != before || len(s.path) != len(e.path) {
				t.Fatalf("position %d: the search left something behind", i)
			}
		}
	}
}

// The worth of a flip is the mean over what can come to light, and a bound that
// does not reach alpha when the flip cannot.
func TestFlipsAreMeans(t *testing.T) {
	flips := 0
	for i, e := range positions(60, true) {
		e.prepare(task(2))
		s := &e.search
		e.list(s.task)
		for j := range e.roots {
			r := &e.roots[j]
			if !r.flip() {
				continue
			}
			flips++
			sq, _ := r.move.squares()
			base := s.evaluate(e.colour())
			sum, total := 0, 0
			before := s.board
			for p, n := range s.board.Down() {
				if n > 0 {
					s.board.Reveal(sq, uint8(p))
					s.path = append(s.path, s.key(1-e.colour()))
					v := -s.plain(0, 1, 1-e.colour(), false)
					sum += int(n) * min(max(v, base-spread), base+spread)
					total += int(n)
					s.board, s.path = before, s.path[:len(s.path)-1]
				}
			}
			if got := e.flipped(r, 2, -inf); got != sum/total {
				t.Errorf("position %d, square %d: %d, want %d", i, sq, got, sum/total)
			}
			if got := e.flipped(r, 2, sum/total+300); got > sum/total+300 {
				t.Errorf("position %d, square %d: %d, although it is worth %d", i, sq, got, sum/total)
			}
		}
	}
	if flips < 30 {
		t.Errorf("only %d flips", flips)
	}
}

func TestEvaluationIsFair(t *testing.T) {
	for i, e := range positions(80, true) {
		e.prepare(task(1))
		s := &e.search
		if a, b := s.evaluate(darkchess.Red), s.evaluate(darkchess.Black); a != -b {
			t.Errorf("position %d: %d for red and %d for black", i, a, b)
		}
		// The same with the colours exchanged.
		b := darkchess.EmptyBoard()
		for sq := range darkchess.Squares {
			if c := e.board.Cell(sq); c != darkchess.Empty {
				b.Put(sq, other(c))
			}
		}
		var down [darkchess.Pieces]uint8
		for p, n := range e.board.Down() {
			down[other(uint8(p))] = n
		}
		b.SetDown(down)
		want := s.evaluate(darkchess.Red)
		s.board, s.values = b, appraise(&b)
		if got := s.evaluate(darkchess.Black); got != want {
			t.Errorf("position %d: %d, with colours exchanged %d", i, want, got)
		}
	}
}

func other(piece uint8) uint8 {
	if piece >= darkchess.Hidden {
		return piece
	}
	return (piece + darkchess.Kinds) % darkchess.Pieces
}

func TestDraws(t *testing.T) {
	e := setup(t, "G---/----/----/----/----/----/----/---g r quiet=58")
	e.prepare(task(4))
	if v := e.search.node(2, 0, -inf, inf, e.colour(), false); v != 0 {
		t.Errorf("two plies before the end of the quiet time: %d", v)
	}
	// Four plies that lead back: the last of them repeats the position.
	e = setup(t, "G---/----/----/----/----/----/----/--Mg r")
	for _, m := range []game.Move{
		game.ShiftTo(game.Pt(0, 0), game.Pt(0, 1)), game.ShiftTo(game.Pt(3, 7), game.Pt(3, 6)),
		game.ShiftTo(game.Pt(0, 1), game.Pt(0, 0)), game.ShiftTo(game.Pt(3, 6), game.Pt(3, 7)),
	} {
		if err := e.follow(m); err != nil {
			t.Fatal(err)
		}
	}
	e.prepare(task(4))
	if e.quiet != 4 || !e.search.drawn() {
		t.Errorf("%d quiet plies, repetition %t", e.quiet, e.search.drawn())
	}
}

func TestFollowsTheGame(t *testing.T) {
	e := setup(t, "")
	flip := func(x, y, piece int) []game.Move {
		return []game.Move{game.FlipAt(game.Pt(x, y)), game.DealAt(game.Pt(x, y), piece)}
	}
	black := int(darkchess.BlackKing)
	if err := e.Update(&player.Update{By: game.First, Steps: flip(0, 0, black)}); err != nil {
		t.Fatal(err)
	}
	if !e.known || e.first != darkchess.Black || e.seat != game.Second || e.colour() != darkchess.Red {
		t.Errorf("after the first flip: %+v", e.seat)
	}
	for _, bad := range [][]game.Move{
		flip(0, 0, int(darkchess.RedGuard)), flip(1, 0, black),
		{game.ShiftTo(game.Pt(0, 0), game.Pt(0, 1))},
		{game.PassMove()},
		{game.FlipAt(game.Pt(9, 9))},
		{game.DealAt(game.Pt(2, 2), 99)},
	} {
		if err := e.Update(&player.Update{By: game.Second, Steps: bad}); err == nil {
			t.Errorf("%v was followed", bad)
		}
	}
	for _, s := range []player.Setup{
		{Spec: "othello"},
		{Spec: "darkchess", Start: "nothing"},
		{Spec: "darkchess:noeat=many"},
	} {
		if err := new(engine).Reset(&s); err == nil {
			t.Errorf("%+v was accepted", s)
		}
	}
}

func TestOneSquareStandsForManyAlike(t *testing.T) {
	e := setup(t, "XXXX/XXXX/XXXX/XKXX/XXXX/XXXX/XXXX/XXXX b")
	e.prepare(task(1))
	e.list(e.search.task)
	if len(e.roots) != 5 { // four beside the king, one for the rest
		t.Errorf("%d first decisions", len(e.roots))
	}
	for i := range e.roots {
		if !e.roots[i].flip() {
			t.Errorf("%v is no flip", e.roots[i].move)
		}
	}
	if n := bits.OnesCount32(around(0)); n != 2 {
		t.Errorf("%d squares beside the corner", n)
	}
}

func BenchmarkThink(b *testing.B) {
	for name, start := range map[string]string{
		"hidden": "XXkX/XGpX/X-rX/XXXX/XcXX/XXXX/XPXX/XXXX r hidden=KGMMRRNNCCPPPPggmmrnncppp",
		"open":   "K-g-/-M-r/R--n/-C--/-c-P/P--p/p--k/-N-m r",
	} {
		b.Run(name, func(b *testing.B) {
			e := setup(b, start)
			var n int64
			for b.Loop() {
				t := task(0)
				t.Nodes = 300_000
				e.Forget()
				e.Think(t)
				n += t.Count()
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "nodes/s")
		})
	}
}
