package search

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"kibitz/bot"
)

// The same search twice gives the same, and a search that was stopped has made no more
// positions than it was allowed.
func TestRepeatable(t *testing.T) {
	run := func(s *Search[noisyTree], nodes int64) string {
		p := long(3)
		task := &bot.Task{Nodes: nodes, Threads: 1}
		r := s.Run(task, p, 3, 0)
		if n := task.Count(); n < nodes || n > nodes+32 {
			t.Errorf("%d positions of %d", n, nodes)
		}
		return fmt.Sprint(r, p.visits)
	}
	s := New(sharp())
	for _, nodes := range []int64{1, 100, 5_000, 20_000} {
		first := run(New(sharp()), nodes)
		s.Forget()
		if again := run(s, nodes); again != first {
			t.Errorf("%s, then %s", first, again)
		}
	}
}

// What is stopped at once still has a move.
func TestAlwaysHasAMove(t *testing.T) {
	r := New(sharp()).Run(&bot.Task{Nodes: 1}, long(1), 1, 0)
	if len(r.Lines) == 0 || r.Lines[0].Move == 0 || len(r.Lines[0].PV) != 1 {
		t.Errorf("%+v", r)
	}
}

func TestMemory(t *testing.T) {
	for _, c := range []struct{ limit, nodes, most int64 }{
		{0, 0, 1 << 18}, {1 << 18, 0, 1 << 16}, {1 << 17, 0, 1 << 15}, {0, 4096, 1 << 15},
	} {
		s := New(sharp())
		s.fit(&bot.Task{Nodes: c.nodes}, c.limit)
		if b := s.table.Bytes(); b > c.most || b < c.most/2 {
			t.Errorf("%+v: %d bytes", c, b)
		}
	}
}

// A search that has once been as deep allocates nothing.
func TestAllocates(t *testing.T) {
	s, p := New(sharp()), long(5)
	task := bot.Task{}
	run := func() {
		task = bot.Task{Depth: 7}
		s.Run(&task, p, 2, 0)
	}
	run()
	if n := testing.AllocsPerRun(5, run); n > 1 {
		t.Errorf("%v allocations for %d positions", n, task.Count())
	}
}

// Several goroutines find what one finds.
func TestThreads(t *testing.T) {
	o := sharp()
	o.Reduce, o.NullReduction, o.Futility, o.ReverseFutilityDepth = nil, 0, nil, 0
	s := New(o)
	for i, p := range trees(12) {
		p.length = 5 // what is a ply ahead finds nothing else
		for threads := 1; threads <= 4; threads++ {
			s.Forget()
			r := s.Run(&bot.Task{Depth: 6, Threads: threads}, noisyTree{p}, 1, 0)
			if want := minimax(p, 6, true); r.Lines[0].Value != want {
				t.Fatalf("tree %d with %d threads is worth %d, want %d", i, threads, r.Lines[0].Value, want)
			}
		}
	}
}

// The positions of all goroutines are counted and limited.
func TestThreadsCount(t *testing.T) {
	s := New(sharp())
	task := &bot.Task{Nodes: 20_000, Threads: 3}
	if r := s.Run(task, long(9), 1, 0); len(r.Lines) == 0 {
		t.Error("no line")
	}
	s.helpers.Wait()
	n := int64(0)
	for _, w := range s.workers {
		n += int64(w.pos.visits)
	}
	if c := task.Count() + s.shared.nodes.Load(); c < task.Nodes || c < n-6 || c > n+6 {
		t.Errorf("%d positions counted, %d entered", c, n)
	}
}

func TestEntry(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		m, v, d, b := Move(r.Uint32()), r.IntN(2*Inf+1)-Inf, r.IntN(MaxPly+1), bound(1+r.IntN(3))
		if e := pack(m, v, d, b); e.move() != m || e.value() != v || e.depth() != d || e.bound() != b {
			t.Fatalf("%d %d %d %d came back as %d %d %d %d", m, v, d, b, e.move(), e.value(), e.depth(), e.bound())
		}
	}
}

// What several goroutines write into one place is never taken for something else.
func TestTableIsShared(t *testing.T) {
	tb := table{many: true}
	tb.Resize(0)
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			r := rand.New(rand.NewPCG(uint64(g), 2))
			for range 3_000 {
				key := r.Uint64N(8) << 20
				if e := tb.get(key); e != 0 && e.move() != Move(key>>20)+1 {
					t.Errorf("%x has move %d", key, e.move())
					return
				}
				tb.put(key, pack(Move(key>>20)+1, g*1000, g, exact))
			}
		})
	}
	group.Wait()
}

func TestOptionsInOrder(t *testing.T) {
	for _, o := range []Options[noisyTree]{{}, {Win: 10}, {Win: 10, MateThreshold: 11}, {Win: Inf - 1, MateThreshold: 5}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Win %d, MateThreshold %d are accepted", o.Win, o.MateThreshold)
				}
			}()
			New(o)
		}()
	}
}
