package amazons

import (
	"cmp"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kibitz/bot"
	"kibitz/bot/search"
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
		x := raysOf(p.empty)
		one := x.queen(p.own)
		two := x.queen(one).or(one)
		reached := flood(p.own, p.empty)
		for sq := range uint8(amazons.Squares) {
			if b.Cell(int(sq)) != amazons.Empty {
				continue
			}
			got := 0
			switch {
			case !one.and(bit(sq)).empty():
				got = 1
			case !two.and(bit(sq)).empty():
				got = 2
			}
			if far := want[sq] > 2; got != want[sq] && !far || got > 0 && far {
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
	for n := range 50 {
		b := scatter(r, n)
		p := look(&b)
		v := evaluate(&p)
		m := view{mirror(p.own), mirror(p.other), mirror(p.empty)}
		if got := evaluate(&m); got != v {
			t.Errorf("turn %d: %d, in the mirror %d", n, v, got)
		}
		o := view{p.other, p.own, p.empty}
		if back := evaluate(&o); v > -boxed && back > -boxed && (v+back < -3000 || v+back > 3000) {
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

// The evaluation agrees with one that counts square by square.
func TestEvaluationAgreesWithDistances(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for n := range 60 {
		b := scatter(r, n)
		p := look(&b)
		x, disputed, stuck := measure(&p)
		if stuck {
			continue
		}
		want, both := slowly(&b, &p)
		for k := range want {
			if k != freedom && want[k] != x[k] {
				t.Errorf("turn %d, term %d: %v, want %v", n, k, x[k], want[k])
			}
		}
		if disputed != both {
			t.Errorf("turn %d: %d disputed squares, want %d", n, disputed, both)
		}
	}
}

// slowly counts the terms of the evaluation from distances.
func slowly(b *amazons.Board, p *view) (x [terms]float32, disputed int) {
	queens := func(sq uint8) []uint8 { return b.Reach(int(sq), nil) }
	kings := func(sq uint8) (list []uint8) {
		for _, to := range b.Reach(int(sq), nil) {
			if dx, dy := int(to)%10-int(sq)%10, int(to)/10-int(sq)/10; dx*dx <= 1 && dy*dy <= 1 {
				list = append(list, to)
			}
		}
		return list
	}
	const never = 1000
	known := func(d, most int) int {
		switch {
		case d == 0:
			return never
		case d > most:
			return most + 1
		}
		return d
	}
	qa, qb := distances(p.own, queens), distances(p.other, queens)
	ka, kb := distances(p.own, kings), distances(p.other, kings)
	last := max(slices.Max(ka[:]), slices.Max(kb[:]))
	x[toMove] = 1
	for sq := range amazons.Squares {
		if b.Cell(sq) != amazons.Empty {
			continue
		}
		x[nearer] += float32(cmp.Compare(known(qb[sq], 2), known(qa[sq], 2)))
		x[reach] += float32(count(qa[sq] == 1) - count(qb[sq] == 1))
		if a, b := known(ka[sq], far), known(kb[sq], far); min(a, b) <= far {
			x[closer] += float32(cmp.Compare(b, a))
		}
		for k := 1; k <= min(far, last); k++ {
			x[total] += float32(count(ka[sq] > 0 && ka[sq] <= k) - count(kb[sq] > 0 && kb[sq] <= k))
		}
		disputed += count(ka[sq] > 0 && kb[sq] > 0)
	}
	return x, disputed
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// The search finds what plain negamax finds in the same lists, and leaves the position as
// it was.
func TestSearchAgreesWithNegamax(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for n := 10; n < 60; n += 12 {
		b := scatter(r, n)
		if !b.CanMove(b.Side()) {
			continue
		}
		var p position
		p.begin(&b, n&1 == 0)
		before := p
		want := plain(&p, 2, 0)
		s := search.New(options())
		if got := s.Run(&bot.Task{Depth: 2}, &p, 1, 0); got.Lines[0].Value != want {
			t.Errorf("turn %d: %d, want %d", n, got.Lines[0].Value, want)
		}
		if before.shifts = p.shifts; !reflect.DeepEqual(p, before) {
			t.Errorf("turn %d: the search changed the position", n)
		}
	}
}

func plain(p *position, depth, ply int) int {
	n := search.Node{Ply: ply, Meter: search.NewMeter(&bot.Task{}, pollEvery)}
	if ply > 0 && p.Enter(&n) {
		return n.Value
	}
	if depth == 0 {
		return p.Evaluate()
	}
	p.Moves(&n)
	best := -won
	for _, m := range n.Moves {
		p.Play(m.Move)
		best = max(best, -plain(p, depth-1, ply+1))
		p.Undo(m.Move)
	}
	return best
}

// A search that has been as deep before allocates nothing for its positions, and several
// goroutines find a turn too.
func TestAllocatesNothing(t *testing.T) {
	b := scatter(rand.New(rand.NewPCG(3, 3)), 30)
	var p position
	s := search.New(options())
	task := bot.Task{}
	run := func() {
		p.begin(&b, false)
		task = bot.Task{Depth: 3}
		s.Forget()
		s.Run(&task, &p, 1, 0)
	}
	run()
	if n := testing.AllocsPerRun(2, run); n > 10 {
		t.Errorf("%v allocations for %d positions", n, task.Count())
	}
	p.begin(&b, false)
	s.Forget()
	v := p.view()
	r := s.Run(&bot.Task{Depth: 3, Threads: 3}, &p, 1, 0)
	m := turnOf(r.Lines[0].Move)
	if from := bit(m.from); r.Depth != 3 || v.own.and(from).empty() || queen(from, v.empty).and(bit(m.to)).empty() {
		t.Errorf("%+v of depth %d with several goroutines", m, r.Depth)
	}
}

func setup(t testing.TB, spec game.Spec, text string) *engine {
	t.Helper()
	e := newEngine()
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
	for _, s := range []player.Setup{{Spec: "othello"}, {Spec: "amazons", Start: "nothing"}} {
		if err := New(bot.Options{}).NewGame(t.Context(), &s); err == nil {
			t.Errorf("%+v was accepted", s)
		}
	}
}

func BenchmarkEvaluate(b *testing.B) {
	board := scatter(rand.New(rand.NewPCG(1, 2)), 20)
	p := look(&board)
	for b.Loop() {
		evaluate(&p)
	}
}

func BenchmarkThink(b *testing.B) {
	e := newEngine()
	e.board = scatter(rand.New(rand.NewPCG(1, 2)), 10)
	var nodes int64
	for b.Loop() {
		t := &bot.Task{Lines: 1, Nodes: 200_000, Rand: rand.New(rand.NewPCG(1, 1))}
		e.Forget()
		e.Think(t)
		nodes += t.Count()
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
}
