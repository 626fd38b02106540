package mcts

import (
	"math"
	"reflect"
	"sync"
	"testing"
)

// cups is a guess under which of four cups a ball lies, after which the other side makes a
// move of no use. The ball lies under the cups 0 to 3 in one, two, three and four tenths of
// the samples. Where it is not under the last one, this one is open half of the time, and
// then it cannot be chosen.
type cups struct {
	ball, open int
	side       uint8
	drawn      bool
	value      float32
	over       bool
}

const noCup = 9

func (g *cups) Copy(from *cups) { *g = *from }
func (g *cups) Side() uint8     { return g.side }
func (g *cups) Judge() Proof    { panic("nothing is certain") }

func (g *cups) Draw(r *Rand) {
	g.drawn, g.open = true, noCup
	switch n := r.Below(10); {
	case n < 1:
		g.ball = 0
	case n < 3:
		g.ball = 1
	case n < 6:
		g.ball = 2
	default:
		g.ball = 3
	}
	if g.ball != 3 && r.Below(2) == 0 {
		g.open = 3
	}
}

func (g *cups) Stands(m Move) bool { return int(m) != g.open }

func (g *cups) Play(m Move) {
	if !g.drawn || !g.Stands(m) {
		panic("a move that is not possible")
	}
	if g.side == 1 {
		g.over = true
	} else if int(m) == g.ball {
		g.value = 1
	}
	g.side = 1 - g.side
}

func (g *cups) Moves(dst []Choice) []Choice {
	if g.over {
		return dst
	}
	for m := range Move(4) {
		dst = append(dst, Choice{Move: m})
	}
	return dst
}

func (g *cups) Playout(*Rand, []uint8) (value, points float32) { return g.value, 0 }

// A move is worth what it brings in the samples in which it is possible; one that is not
// the best comes to be made in those where the best is not possible.
func TestHidden(t *testing.T) {
	grow := func(seed uint64) *Tree[cups, *cups] {
		tree := New[cups](Options{Expand: 1, Explore: 2})
		tree.Begin(&cups{}, 1<<20, seed)
		k := task(12_000)
		tree.Search(k, nil)
		return tree
	}
	tree := grow(1)
	if tree.Rounds() != 12_000 || tree.Proof() != Open {
		t.Errorf("%d rounds, proved %d", tree.Rounds(), tree.Proof())
	}
	for i, c := range tree.children(&tree.nodes[0]) {
		want, seen := []float64{1.0 / 6, 2.0 / 6, 3.0 / 6, 4.0 / 7}[i], []float64{1, 1, 1, 0.7}[i]
		if v := float64(tree.value(&c)); math.Abs(v-want) > 0.05 {
			t.Errorf("cup %d is worth %.3f, want %.3f", i, v, want)
		}
		if s := float64(tree.seen[1+i]) / 12_000; math.Abs(s-seen) > 0.01 {
			t.Errorf("cup %d was possible in %.3f of the rounds, want %.3f", i, s, seen)
		}
	}
	if l := tree.Line(0, 1); l.Moves[0] != 3 || l.Proof != Open {
		t.Errorf("best is %+v", l)
	}
	if other := grow(1); !reflect.DeepEqual(other.nodes, tree.nodes) || !reflect.DeepEqual(other.seen, tree.seen) {
		t.Error("the same seed grew another tree")
	}
	tree.ended = false
	if n := testing.AllocsPerRun(100, func() { tree.round(tree.workers[0]) }); n != 0 && testing.CoverMode() == "" {
		t.Errorf("a round allocates %v times", n)
	}
	if tree.Follow(3) || tree.Len() != 0 {
		t.Error("the tree goes on with a position that is not known")
	}
}

// stubborn is a game whose rounds last until the gate is opened, but for those of one
// position, which begin with waiting for so many others.
type stubborn struct {
	wide
	quick   *stubborn
	gate    <-chan struct{}
	arrived *sync.WaitGroup
}

func (g *stubborn) Copy(from *stubborn) { *g = *from }

func (g *stubborn) Playout(r *Rand, first []uint8) (value, points float32) {
	if g == g.quick {
		g.arrived.Wait()
	} else {
		g.arrived.Done()
		<-g.gate
	}
	return g.wide.Playout(r, first)
}

// A search does not wait for the rounds of other threads, which count for nothing then.
func TestDoesNotWait(t *testing.T) {
	const others = 3
	var arrived sync.WaitGroup
	arrived.Add(others)
	gate := make(chan struct{})
	tree := New[stubborn](wideOptions)
	tree.Begin(&stubborn{}, 1<<20, 1)
	tree.Begin(&stubborn{quick: &tree.workers[0].game, gate: gate, arrived: &arrived}, 1<<20, 1)
	k := task(500)
	k.Lines, k.Threads = 2, 1+others
	tree.Search(k, nil)
	if tree.Rounds() != 500 {
		t.Errorf("%d rounds", tree.Rounds())
	}
	close(gate)
	tree.Resume(1<<20, 2)
	if tree.Rounds() != 500 {
		t.Errorf("%d rounds after those of the others have ended", tree.Rounds())
	}
	if k.Count() != 500 {
		t.Errorf("%d counted", k.Count())
	}
}
