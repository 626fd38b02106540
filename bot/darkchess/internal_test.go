package darkchess

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"kibitz/bot"
	"kibitz/bot/search"
	"kibitz/game"
	"kibitz/games/darkchess"
	"kibitz/player"
)

func setup(t testing.TB, start string) *engine {
	t.Helper()
	e := newEngine()
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
		e := newEngine()
		e.known, e.noEat, e.repeats = true, 40, true
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
func plain(p *position, depth, ply int) int {
	n := search.Node{Ply: ply, Depth: depth}
	if over := p.Enter(&n); over && ply > 0 {
		return n.Value
	}
	depth = n.Depth
	best := -win - 1
	if depth <= 0 && ply > 0 {
		best = p.Evaluate()
		p.Noisy(&n)
	} else if p.Moves(&n); len(n.Moves) == 0 {
		return n.Value
	}
	for _, m := range n.Moves {
		if m.Move&search.Chance != 0 {
			best = max(best, mean(p, m.Move, depth-1-less, ply))
			continue
		}
		p.Play(m.Move)
		best = max(best, -plain(p, depth-1, ply+1))
		p.Undo(m.Move)
	}
	return best
}

// mean is the value of a flip by trying all that can come to light.
func mean(p *position, m search.Move, depth, ply int) int {
	var n search.Node
	p.ListOutcomes(m, &n)
	sum, total := 0, 0
	for _, o := range n.Outcomes {
		p.Play(o.Move)
		sum += int(o.Weight) * min(max(-plain(p, depth, ply+1), n.Least), n.Most)
		p.Undo(o.Move)
		total += int(o.Weight)
	}
	return int(math.Floor(float64(sum) / float64(total)))
}

func TestSearchAgreesWithExpectiminimax(t *testing.T) {
	if testing.Short() {
		t.Skip("much searching on one goroutine")
	}
	o := options()
	o.Describe = nil
	s, flips := search.New(o), 0
	for i, e := range append(positions(60, false), positions(60, true)...) {
		for depth := 1; depth <= 3; depth++ {
			if s.Forget(); !e.ready(task(depth)) {
				continue
			}
			want, before := plain(&e.pos, depth, 0), e.pos.board
			r := s.Run(task(depth), &e.pos, 1, 0)
			if got := r.Lines[0].Value; r.Depth == depth && got != want {
				t.Errorf("position %d, depth %d: %d, want %d", i, depth, got, want)
			}
			if r.Lines[0].Move&search.Chance != 0 {
				flips++
			}
			if e.pos.board != before || e.pos.count != countOf(&before) || len(e.pos.path) != len(e.path) || len(e.pos.done) > 0 {
				t.Fatalf("position %d: the search left something behind", i)
			}
		}
	}
	if flips < 20 {
		t.Errorf("a flip was best only %d times", flips)
	}
}

// ready prepares a task, and reports whether there is something to do.
func (e *engine) ready(t *bot.Task) bool {
	e.prepare(t)
	return e.pos.decisions() > 0
}

func TestEvaluationIsFair(t *testing.T) {
	for i, e := range positions(80, true) {
		e.prepare(task(1))
		p := &e.pos
		want := p.Evaluate()
		if p.colour = darkchess.Black; p.Evaluate() != -want {
			t.Errorf("position %d: %d for red and %d for black", i, want, p.Evaluate())
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
		p.board, p.count = b, countOf(&b)
		if got := p.Evaluate(); got != want {
			t.Errorf("position %d: %d, with colours exchanged %d", i, want, got)
		}
	}
}

// Who hunts whom is counted as the table of steps has it.
func TestHuntersAndPreyAreCounted(t *testing.T) {
	for i, e := range positions(80, true) {
		c := countOf(&e.board)
		var fewest [2]int // hunters that a colour has for any piece of the other
		fewest[0], fewest[1] = 99, 99
		for p, got := range c.values {
			kind, enemy := p%darkchess.Kinds, darkchess.Kinds-p/darkchess.Kinds*darkchess.Kinds
			hunters, prey := 0, 0
			for k := range darkchess.Kinds {
				n := int(c.left[enemy+k])
				if steps(k, kind) {
					hunters += n
				}
				if steps(kind, k) {
					prey += n
				}
			}
			if c.left[p] > 0 {
				jumping := int(c.left[enemy+cannon])
				if c.alive[0]+c.alive[1] <= 2 {
					jumping = 0
				}
				of := &fewest[1-p/darkchess.Kinds]
				*of = min(*of, hunters+jumping)
			}
			want := basic[kind] + 8*prey
			switch {
			case hunters == 0:
				want += 120
			case kind == king:
				want += 25 * (5 - min(5, int(c.left[enemy+pawn])))
			}
			if kind == pawn && c.left[enemy+king] > 0 {
				want += 60 / max(1, int(c.left[p]))
			}
			if int(got) != want {
				t.Errorf("position %d: %c is worth %d, want %d", i, darkchess.Letters[p], got, want)
			}
		}
		for me, got := range c.hope {
			if want := hope(c.alive[me], c.alive[1-me], fewest[me]); got != want && c.alive[1-me] > 0 {
				t.Errorf("position %d: a lead of %d counts %d, want %d", i, me, got, want)
			}
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
	if _, info := think(t, "G---/----/----/----/----/----/----/---g r quiet=58", 2); info.Eval.Lo != 0 {
		t.Errorf("two plies before the end of the quiet time: %+v", info.Eval)
	}
	// Four plies that lead back: the last of them repeats the position.
	e := setup(t, "G---/----/----/----/----/----/----/--Mg r")
	for _, m := range []game.Move{
		game.ShiftTo(game.Pt(0, 0), game.Pt(0, 1)), game.ShiftTo(game.Pt(3, 7), game.Pt(3, 6)),
		game.ShiftTo(game.Pt(0, 1), game.Pt(0, 0)), game.ShiftTo(game.Pt(3, 6), game.Pt(3, 7)),
	} {
		if err := e.follow(m); err != nil {
			t.Fatal(err)
		}
	}
	e.prepare(task(4))
	if e.quiet != 4 || !e.pos.drawn() {
		t.Errorf("%d quiet plies, repetition %t", e.quiet, e.pos.drawn())
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
		if err := New(bot.Options{}).NewGame(t.Context(), &s); err == nil {
			t.Errorf("%+v was accepted", s)
		}
	}
}

func TestOneSquareStandsForManyAlike(t *testing.T) {
	e := setup(t, "XXXX/XXXX/XXXX/XKXX/XXXX/XXXX/XXXX/XXXX b")
	e.prepare(task(1))
	if n := bits.OnesCount32(e.pos.flips); n != 5 || e.pos.decisions() != 5 { // four beside the king, one for the rest
		t.Errorf("%d squares to turn over, %d first decisions", n, e.pos.decisions())
	}
	if n := bits.OnesCount32(near[0]); n != 2 {
		t.Errorf("%d squares beside the corner", n)
	}
}

// A search that has once been as deep allocates nothing but its description.
func TestAllocates(t *testing.T) {
	e := setup(t, "XXkX/XGpX/X-rX/XXXX/XcXX/XXXX/XPXX/XXXX r hidden=KGMMRRNNCCPPPPggmmrnncppp")
	run := func() {
		e.prepare(task(4))
		e.Forget()
		e.search.Run(task(4), &e.pos, 1, 0)
	}
	run()
	if n := testing.AllocsPerRun(3, run); n > 10 {
		t.Errorf("%v allocations", n)
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
