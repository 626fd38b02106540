package amazons

import (
	"math/rand/v2"
	"strings"
	"testing"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/games/amazons"
	"kibitz/player"
)

// scatter returns a random position: a board from which a number of random turns
// were played.
func scatter(r *rand.Rand, turns int) amazons.Board {
	b := amazons.StartBoard()
	var buf [4 * amazons.Size]uint8
	for range turns {
		if !b.CanMove(b.Side()) {
			break
		}
		var from uint8
		var to []uint8
		for len(to) == 0 {
			q := b.Queens(b.Side())
			from = q[r.IntN(len(q))]
			to = b.Reach(int(from), buf[:0])
		}
		sq := int(to[r.IntN(len(to))])
		b.Shift(int(from), sq)
		shots := b.Reach(sq, buf[:0])
		b.Shoot(int(shots[r.IntN(len(shots))]))
	}
	return b
}

// distances counts moves square by square, with the steps that next lists.
func distances(from set, next func(sq uint8) []uint8) [amazons.Squares]int {
	var d [amazons.Squares]int
	var queue []uint8
	for ; !from.empty(); from = from.rest() {
		queue = append(queue, from.square())
	}
	for i := 0; i < len(queue); i++ {
		for _, to := range next(queue[i]) {
			if d[to] == 0 {
				d[to] = d[queue[i]] + 1
				queue = append(queue, to)
			}
		}
	}
	return d
}

func TestDistancesAgreeWithTheBoard(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 60 {
		b := scatter(r, n)
		p := look(&b)
		want := distances(p.own, func(sq uint8) []uint8 { return b.Reach(int(sq), nil) })
		var f fields
		f.fill(p.own, p.empty)
		reached := flood(p.own, p.empty)
		for sq := range uint8(amazons.Squares) {
			if b.Cell(int(sq)) != amazons.Empty {
				continue
			}
			got := 0
			for k := range levels {
				if !f.near[k].and(bit(sq)).empty() {
					got = k + 1
				}
			}
			if got != min(want[sq], levels) {
				t.Fatalf("turn %d, square %d: %d queen moves, want %d", n, sq, got, want[sq])
			}
			if in := !reached.and(bit(sq)).empty(); in != (want[sq] > 0) {
				t.Fatalf("turn %d, square %d: reached %t", n, sq, in)
			}
			if bit(sq).square() != sq {
				t.Fatalf("square %d is read as %d", sq, bit(sq).square())
			}
		}
		steps := distances(p.own, func(sq uint8) []uint8 {
			var list []uint8
			for _, to := range b.Reach(int(sq), nil) {
				if dx, dy := int(to)%10-int(sq)%10, int(to)/10-int(sq)/10; dx*dx <= 1 && dy*dy <= 1 {
					list = append(list, to)
				}
			}
			return list
		})
		var all set
		front := p.own
		for k := 1; k < 30; k++ {
			front = king(front, p.empty).not(all)
			all = all.or(front)
			for sq := range uint8(amazons.Squares) {
				if in := !front.and(bit(sq)).empty(); in != (steps[sq] == k) && b.Cell(int(sq)) == amazons.Empty {
					t.Fatalf("turn %d, square %d is not %d king steps away but %d", n, sq, k, steps[sq])
				}
			}
		}
	}
}

// A position and its mirror image are worth the same, and what is good for one
// side is bad for the other but for the right to move.
func TestEvaluationIsFair(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	w := standard
	for n := range 50 {
		b := scatter(r, n)
		p := look(&b)
		v := w.evaluate(&p)
		m := position{mirror(p.own), mirror(p.other), mirror(p.empty)}
		if got := w.evaluate(&m); got != v {
			t.Errorf("turn %d: %d, in the mirror %d", n, v, got)
		}
		o := position{p.other, p.own, p.empty}
		if back := w.evaluate(&o); v > -won && back > -won && (v+back < -1 || v+back > 40*point) {
			t.Errorf("turn %d: %d for the side to move, %d for the other", n, v, back)
		}
	}
}

func mirror(s set) (m set) {
	for ; !s.empty(); s = s.rest() {
		sq := s.square()
		m = m.or(bit(sq/10*10 + 9 - sq%10))
	}
	return m
}

// slowest finds the longest sequence by trying everything.
func slowest(own, empty set) int {
	best := 0
	for q := own; !q.empty(); q = q.rest() {
		from := first(q)
		for r := queen(from, empty); !r.empty(); r = r.rest() {
			to := first(r)
			e := empty.or(from).not(to)
			for s := queen(to, e); !s.empty(); s = s.rest() {
				best = max(best, 1+slowest(own.not(from).or(to), e.not(first(s))))
			}
		}
	}
	return best
}

func TestFillingIsLongest(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	proved := 0
	for n := range 200 {
		var own, empty set
		for empty.count() < 5 {
			empty = empty.or(bit(uint8(r.IntN(3)*10 + r.IntN(3))))
		}
		for own.count() < 1+n%2 {
			own = own.or(bit(uint8(r.IntN(3)*10 + r.IntN(3))))
		}
		empty = empty.not(own)
		f := filler{tick: func(int64) bool { return false }}
		got, line, sure := f.total(own, empty)
		want := slowest(own, empty)
		if got > want || sure && got != want {
			t.Errorf("%v in %v: %d turns (sure %t), want %d", own, empty, got, sure, want)
		}
		if sure {
			proved++
		}
		if want > 0 && len(line) == 0 {
			t.Errorf("%v in %v: no line", own, empty)
		}
	}
	if proved < 150 {
		t.Errorf("only %d of 200 are proved", proved)
	}
}

// The search of two plies finds what plain negamax finds in the same lists.
func TestSearchAgreesWithNegamax(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for n := 10; n < 60; n += 7 {
		e := &engine{search: search{weights: standard}, board: scatter(r, n)}
		task := &bot.Task{Lines: 1}
		e.prepare(task)
		s := &e.search
		want := plain(s, 2, 0)
		s.table.Clear()
		if got := s.node(2, 0, -inf, inf); got != want {
			t.Errorf("turn %d: %d, want %d", n, got, want)
		}
		b := e.board
		if s.board != b {
			t.Errorf("turn %d: the search changed the board", n)
		}
	}
}

func plain(s *search, depth, ply int) int {
	list := append([]child(nil), s.expand(ply, turn{}, inf)...)
	if len(list) == 0 {
		return ply - won
	}
	best := -inf
	for _, c := range list {
		v := int(c.value)
		if depth > 1 && v < won-maxDepth && v > maxDepth-won {
			s.make(c.turn)
			v = -plain(s, depth-1, ply+1)
			s.unmake(c.turn)
		}
		best = max(best, v)
	}
	return best
}

func setup(t testing.TB, spec game.Spec, text string) *engine {
	t.Helper()
	e := &engine{search: search{weights: standard}}
	if err := e.Reset(&player.Setup{Spec: spec, Start: text}); err != nil {
		t.Fatal(err)
	}
	return e
}

// Each position can be won at once, by taking the last freedom.
func TestSeesTheEnd(t *testing.T) {
	rest := strings.Repeat("/##########", 7)
	for _, start := range []string{
		"w..b######/##########/##########" + rest + " b",
		"w.b#######/##########/##########" + rest + " b",
		"w.b#######/.#########/.#.b######" + rest + " b",
	} {
		for _, spec := range []game.Spec{"amazons", "amazons:rulings=sau"} {
			e := setup(t, spec, start)
			a := e.Think(&bot.Task{Lines: 1, Depth: 3, Rand: rand.New(rand.NewPCG(1, 1))})
			for _, m := range a.Steps {
				if err := e.follow(m); err != nil {
					t.Fatalf("%s: %v: %v", start, a.Steps, err)
				}
			}
			if e.board.CanMove(e.board.Side()) {
				t.Errorf("%s: %v, and the other side can still move", start, a.Steps)
			}
		}
	}
}

func TestMiddleOfATurn(t *testing.T) {
	e := setup(t, "amazons", "3w2w3/10/10/w8w/10/10/b8b/10/10/3b2b3 b")
	if err := e.Update(&player.Update{Steps: []game.Move{game.ShiftTo(game.Pt(3, 9), game.Pt(3, 3))}}); err != nil {
		t.Fatal(err)
	}
	a := e.Think(&bot.Task{Lines: 1, Depth: 2, Rand: rand.New(rand.NewPCG(1, 1))})
	if len(a.Steps) != 1 || a.Steps[0].Op != game.Shoot || !e.board.Sees(33, a.Steps[0].To.Index(10)) {
		t.Errorf("%v", a.Steps)
	}
	for _, bad := range []game.Move{
		game.ShootAt(game.Pt(3, 0)), game.ShiftTo(game.Pt(6, 9), game.Pt(6, 8)), game.PassMove(), game.ShootAt(game.Pt(99, 0)),
	} {
		if err := e.follow(bad); err == nil {
			t.Errorf("%v was followed", bad)
		}
	}
}

func TestRefusesOtherGames(t *testing.T) {
	e := &engine{search: search{weights: standard}}
	for _, s := range []player.Setup{{Spec: "othello"}, {Spec: "amazons", Start: "nothing"}} {
		if err := e.Reset(&s); err == nil {
			t.Errorf("%+v was accepted", s)
		}
	}
}

func BenchmarkEvaluate(b *testing.B) {
	board := scatter(rand.New(rand.NewPCG(1, 2)), 20)
	p := look(&board)
	w := standard
	for b.Loop() {
		w.evaluate(&p)
	}
}

func BenchmarkThink(b *testing.B) {
	e := &engine{search: search{weights: standard}, board: scatter(rand.New(rand.NewPCG(1, 2)), 10)}
	var nodes int64
	for b.Loop() {
		t := &bot.Task{Lines: 1, Nodes: 200_000, Rand: rand.New(rand.NewPCG(1, 1))}
		e.Forget()
		e.Think(t)
		nodes += t.Count()
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
}
