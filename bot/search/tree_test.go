package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"kibitz/bot"
	"kibitz/game"
)

const (
	testWin  = 30_000
	testMate = testWin - 1000
)

// tree is a game made of numbers: a position is what has been added up, its moves add
// 1 to 5, so that different orders lead to the same, and hashes say the rest.
type tree struct {
	seed   uint64
	ply    int
	sum    int
	made   []int8 // moves, and 0 where the turn was handed over
	ends   int    // out of 64 positions, how many are the end
	length int    // plies after which the game is over
	extend bool   // every fourth ply the search goes a ply deeper
	visits int
}

func (p *tree) hash(salt uint64) uint64 {
	x := p.seed ^ salt ^ uint64(p.sum)<<8 ^ uint64(p.ply)<<32
	x ^= x >> 31
	x *= 0x9e3779b97f4a7c15
	x ^= x >> 29
	x *= 0xbf58476d1ce4e5b9
	return x ^ x>>32
}

func (p *tree) over() (int, bool) {
	if p.ply > 0 && int(p.hash(1)&63) < p.ends || p.ply >= p.length {
		switch p.hash(2) % 3 {
		case 0:
			return testWin - p.ply, true
		case 1:
			return p.ply - testWin, true
		}
		return 0, true
	}
	return 0, false
}

func (p *tree) Enter(n *Node) bool {
	p.visits++
	n.Key = p.hash(3)
	v, over := p.over()
	n.Value = v
	if p.extended() && n.Depth >= 0 {
		n.Depth++
	}
	return over
}

func (p *tree) extended() bool { return p.extend && p.ply&3 == 1 }

func (p *tree) Evaluate() int { return int(p.hash(4)%200) - 100 }

func (p *tree) moves() (list []int8) {
	for m := int8(1); m <= 5; m++ {
		if p.hash(uint64(m)<<16)&3 != 0 || m == 3 {
			list = append(list, m)
		}
	}
	return list
}

func (p *tree) Moves(n *Node) {
	for m := int8(1); m <= 5; m++ {
		if p.hash(uint64(m)<<16)&3 == 0 && m != 3 {
			continue
		}
		r := Ranked{Move: Move(m)}
		if m > 1 {
			r.HistoryIndex = int32(m)
		}
		n.Moves = append(n.Moves, r)
	}
}

func (p *tree) Play(m Move) {
	p.sum += int(m)
	p.ply++
	p.made = append(p.made, int8(m))
}

func (p *tree) Undo(m Move) {
	if p.made[len(p.made)-1] != int8(m) {
		panic("a move is taken back that was not the last")
	}
	p.made = p.made[:len(p.made)-1]
	p.sum -= int(m)
	p.ply--
}

// noisyTree is a tree in which the smallest move must be looked at.
type noisyTree struct{ *tree }

func (p noisyTree) Noisy(n *Node) { n.Moves = append(n.Moves, Ranked{Move: 1}) }

func (p noisyTree) MakeNull()   { p.Play(0) }
func (p noisyTree) UnmakeNull() { p.Undo(0) }

func (p noisyTree) CanNull() bool { return p.hash(7)&1 == 0 }

// minimax is the value of a tree by trying everything.
func minimax(p *tree, depth int, quiesce bool) int {
	if v, over := p.over(); over && p.ply > 0 {
		return v
	}
	if p.extended() && p.ply > 0 && depth >= 0 {
		depth++
	}
	best := -Inf
	list := p.moves()
	if depth <= 0 {
		best = p.Evaluate()
		if !quiesce {
			return best
		}
		list = []int8{1}
	}
	for _, m := range list {
		p.Play(Move(m))
		best = max(best, -minimax(p, depth-1, quiesce))
		p.Undo(Move(m))
	}
	return best
}

// exactOptions are sets of options that must not change any value.
func exactOptions() map[string]Options[noisyTree] {
	base := Options[noisyTree]{Win: testWin, MateThreshold: testMate, PollEvery: 16}
	list := map[string]Options[noisyTree]{"bare": base}
	for bits := range 8 {
		o, name := base, "with"
		if bits&1 != 0 {
			o.HistorySize, name = 8, name+" history"
		}
		if bits&2 != 0 {
			o.Killers, name = [2]int32{1 << 20, 1 << 19}, name+" killers"
		}
		if bits&4 != 0 {
			o.Aspiration, name = 20, name+" aspiration"
		}
		list[name] = o
	}
	return list
}

func trees(n int) []*tree {
	list := make([]*tree, n)
	for i := range list {
		r := rand.New(rand.NewPCG(uint64(i), 5))
		list[i] = &tree{seed: r.Uint64(), ends: r.IntN(10), length: 5 + r.IntN(20), extend: i%3 == 0}
	}
	return list
}

// The value is that of plain minimax, whatever the options are that only order moves
// and choose windows.
func TestValueOfMinimax(t *testing.T) {
	list := trees(15)
	depths := [...]int{1, 2, 3, 5}
	want := make([][MaxPly]int, len(list))
	for i, p := range list {
		for _, d := range depths {
			want[i][d] = minimax(p, d, true)
		}
	}
	for name, o := range exactOptions() {
		s := New(o)
		for i, p := range list {
			s.Forget()
			for _, depth := range depths {
				r := s.Run(&bot.Task{Depth: depth}, noisyTree{p}, 1, 0)
				if v := r.Lines[0].Value; r.Depth == depth && v != want[i][depth] {
					t.Fatalf("%s: tree %d at depth %d is worth %d, want %d", name, i, depth, v, want[i][depth])
				}
				if p.ply != 0 || p.sum != 0 {
					t.Fatalf("%s: the position has moved", name)
				}
			}
		}
	}
}

// Without quiescence and the null move, which the type asks for, it is plain depth.
func TestValueWithoutQuiescence(t *testing.T) {
	s := New(Options[*tree]{Win: testWin, MateThreshold: testMate, TableBytes: 1 << 16})
	for i, p := range trees(15) {
		s.Forget()
		r := s.Run(&bot.Task{Depth: 5}, p, 1, 0)
		if want := minimax(p, r.Depth, false); r.Lines[0].Value != want {
			t.Fatalf("tree %d is worth %d, want %d", i, r.Lines[0].Value, want)
		}
	}
}

// What reductions leave out is looked at when the depth is large enough: games are
// solved in spite of them.
func TestReductionsSolve(t *testing.T) {
	o := Options[*tree]{
		Win: testWin, MateThreshold: testMate, HistorySize: 8, Killers: [2]int32{1 << 20, 1 << 19}, Aspiration: 50,
		Reduce: func(_, i int) int { return min(i, 2) },
	}
	for _, o.ReduceRoot = range []bool{false, true} {
		s := New(o)
		for i, p := range trees(20) {
			p.length = min(p.length, 7)
			s.Forget()
			r := s.Run(&bot.Task{Depth: 3 * p.length}, p, 1, 0)
			if want := minimax(p, 50, false); r.Lines[0].Value != want {
				t.Fatalf("tree %d is worth %d, want %d", i, r.Lines[0].Value, want)
			}
		}
	}
}

// The best lines are those that would be found one after the other, each without the
// moves before it.
func TestLinesAreThoseByExclusion(t *testing.T) {
	s := New(exactOptions()["with history killers"])
	for i, p := range trees(15) {
		const depth = 4
		var want []int
		for _, m := range p.moves() {
			p.Play(Move(m))
			want = append(want, -minimax(p, depth-1, true))
			p.Undo(Move(m))
		}
		slices.SortFunc(want, func(a, b int) int { return b - a })
		for lines := 1; lines <= len(want)+1; lines++ {
			s.Forget()
			r := s.Run(&bot.Task{Depth: depth, Lines: lines}, noisyTree{p}, 1, 0)
			if r.Depth != depth {
				break // decided before
			}
			for k := range min(lines, len(want)) {
				l := r.Lines[k]
				if l.Value != want[k] || l.PV[0] != l.Move {
					t.Fatalf("tree %d: line %d of %d is %+v, want %d", i, k+1, lines, l, want[k])
				}
			}
		}
	}
}

// A line leads to the value that it is told with.
func TestLinesLeadToTheirValue(t *testing.T) {
	s := New(exactOptions()["with history killers"])
	for i, p := range trees(40) {
		p.extend = false
		s.Forget()
		for _, l := range s.Run(&bot.Task{Depth: 5}, noisyTree{p}, 2, 0).Lines[:1] {
			for _, m := range l.PV {
				p.Play(m)
			}
			v, over := p.over()
			if !over {
				v = p.Evaluate()
			}
			if len(l.PV)&1 == 1 {
				v = -v
			}
			if v != l.Value {
				t.Fatalf("tree %d: %v is worth %d, told %d", i, l.PV, v, l.Value)
			}
			for k := len(l.PV) - 1; k >= 0; k-- {
				p.Undo(l.PV[k])
			}
		}
	}
}

// sharp is everything that leaves something out.
func sharp() Options[noisyTree] {
	return Options[noisyTree]{
		Win: testWin, MateThreshold: testMate, PollEvery: 16, TableBytes: 1 << 18,
		HistorySize: 8, Killers: [2]int32{1 << 20, 1 << 19}, Aspiration: 20,
		Reduce:        func(depth, i int) int { return min(depth/3, i/2) },
		NullReduction: 3, NullDepth: 3, InternalReduction: 4, Futility: []int{60, 90}, ReverseFutilityMargin: 80, ReverseFutilityDepth: 2,
		Fork: func(p, old noisyTree) noisyTree {
			if old.tree == nil {
				old.tree = &tree{}
			}
			made := old.made[:0]
			*old.tree = *p.tree
			old.made = made
			old.made = append(old.made, p.made...)
			return old
		},
		Describe: func(l *Line) game.Info { return game.Info{Text: fmt.Sprint(l.PV)} },
	}
}

func long(seed uint64) noisyTree { return noisyTree{&tree{seed: seed, length: 200}} }
