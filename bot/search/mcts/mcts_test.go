package mcts

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
	"unsafe"
)

func TestNodeBytes(t *testing.T) {
	if n := unsafe.Sizeof(node{}); n != NodeBytes {
		t.Errorf("a node has %d bytes, not %d", n, NodeBytes)
	}
}

// proveAll grows a tree and returns what is proved of the root, if anything, and what its
// best move leads to.
func proveAll[G any, P Game[G]](t *testing.T, o Options, at *G, threads int) (root, best Proof) {
	t.Helper()
	tree := New[G, P](o)
	tree.Begin(at, 1<<20, 7)
	k := task(4000)
	k.Lines = 2 // so that it does not end early
	k.Threads = threads
	tree.Search(k, nil)
	l := tree.Line(0, 1)
	var next G
	P(&next).Copy(at)
	P(&next).Play(l.Moves[0])
	return tree.Proof(), truth[G, P](&next).seen(P(&next).Side(), P(at).Side())
}

// What is proved is true, with draws, with turns that go on, with and without RAVE and
// priors, and whoever plays the rounds.
func TestProofsAreTrue(t *testing.T) {
	styles := []Options{
		{Expand: 1, Explore: 0.7},
		{Expand: 4, Explore: 0.3, Prior: 3, Trust: 100, Moves: 9},
	}
	proved := 0
	for i, o := range styles {
		for left := 1; left < 13; left++ {
			o := o
			o.Moves = 0
			for side := range uint8(2) {
				at := heap{left, side}
				want := truth(&at)
				if root, best := proveAll(t, o, &at, 1+i); root != want || best != want {
					t.Errorf("style %d, %d sticks for %d: proved %d, best %d, want %d", i, left, side, root, best, want)
				}
			}
		}
		r := rand.New(rand.NewPCG(3, 3))
		for range 30 {
			var at three
			for range r.IntN(7) {
				list := at.Moves(nil)
				at.Play(list[r.IntN(len(list))].Move)
			}
			if at.Judge() != Open {
				continue
			}
			want := truth(&at)
			root, best := proveAll(t, o, &at, 1+i)
			if root != Open && (root != want || best != want) {
				t.Errorf("style %d, %+v: proved %d, best %d, want %d", i, at, root, best, want)
			}
			if root != Open {
				proved++
			}
		}
	}
	if proved < 25 {
		t.Errorf("only %d positions were proved", proved)
	}
}

func grown(t *testing.T, limit int, rounds int64, seed uint64) *Tree[wide, *wide] {
	t.Helper()
	tree := New[wide](wideOptions)
	tree.Begin(&wide{}, limit, seed)
	k := task(rounds)
	k.Lines = 2
	tree.Search(k, nil)
	if k.Count() != rounds || tree.Rounds() != rounds {
		t.Fatalf("%d rounds, %d counted, %d wanted", tree.Rounds(), k.Count(), rounds)
	}
	return tree
}

func TestSameSeedSameTree(t *testing.T) {
	a, b, c := grown(t, 1<<20, 3000, 5), grown(t, 1<<20, 3000, 5), grown(t, 1<<20, 3000, 8)
	if !reflect.DeepEqual(a.nodes, b.nodes) {
		t.Error("the same seed grew another tree")
	}
	if reflect.DeepEqual(a.nodes, c.nodes) {
		t.Error("another seed grew the same tree")
	}
	a.Begin(&wide{}, 1<<20, 5)
	k := task(3000)
	k.Lines = 2
	a.Search(k, nil)
	if !reflect.DeepEqual(a.nodes, b.nodes) {
		t.Error("it depends on what was before")
	}
}

// A full tree is searched as it is, within its bytes; the root has its moves anyway.
func TestLimit(t *testing.T) {
	for _, limit := range []int{1, 500, 5000} {
		tree := grown(t, limit, 20_000, 1)
		if n := max(limit, width+1); len(tree.nodes) > n || cap(tree.nodes) > n {
			t.Errorf("%d nodes in room for %d, the limit is %d", len(tree.nodes), cap(tree.nodes), limit)
		}
		if l := tree.Line(0, 4); l.Moves[0] > 3 {
			t.Errorf("limit %d: the best move is %d", limit, l.Moves[0])
		}
	}
}

func TestRoundsDoNotAllocate(t *testing.T) {
	if testing.CoverMode() != "" {
		t.Skip("coverage counters disturb the measure")
	}
	tree := grown(t, 5000, 10_000, 1)
	tree.ended = false
	if n := testing.AllocsPerRun(200, func() { tree.round(tree.workers[0]) }); n != 0 {
		t.Errorf("a round allocates %v times", n)
	}
}

// Lines come in order, differ in their first move, and go on with the best answers.
func TestLines(t *testing.T) {
	tree := grown(t, 1<<20, 20_000, 1)
	if tree.Width() != width {
		t.Fatalf("%d moves", tree.Width())
	}
	seen := map[Move]bool{}
	last := Line{Rounds: 1 << 30}
	for rank := range width {
		l := tree.Line(rank, 3)
		if seen[l.Moves[0]] || l.Rounds > last.Rounds || l.Value < 0 || l.Value > 1 || len(l.Moves) > 3 {
			t.Errorf("rank %d: %+v after %+v", rank, l, last)
		}
		seen[l.Moves[0]] = true
		last = l
	}
	if a, b := tree.Line(0, 1), tree.Line(width-1, 1); a.Points <= b.Points {
		t.Errorf("the best is ahead by %v, the worst by %v", a.Points, b.Points)
	}
	if l := tree.Line(0, 2); l.Moves[0] > 3 || len(l.Moves) != 2 || l.Moves[1] > 3 {
		t.Errorf("best line %+v", l)
	}
	var at three
	for _, m := range []Move{0, 3, 1, 4} { // whoever is to move wins at once
		at.Play(m)
	}
	small := New[three](Options{Explore: 0.5})
	small.Begin(&at, 1<<20, 1)
	small.Search(task(5000), nil)
	if l := small.Line(0, 5); l.Moves[0] != 2 || l.Proof != Win || l.Value != 1 {
		t.Errorf("%+v instead of the win", l)
	}
}

// Depths are reported in order, each with the tree as it is then.
func TestIterations(t *testing.T) {
	tree := New[wide](wideOptions)
	tree.Begin(&wide{}, 1<<20, 1)
	k := task(1000)
	k.Lines = 2
	var got []int64
	tree.Search(k, func(depth int) {
		if got = append(got, tree.Rounds()); len(got) != depth {
			t.Errorf("iteration %d is the one of number %d", depth, len(got))
		}
	})
	if want := []int64{128, 256, 512, 1000}; !reflect.DeepEqual(got, want) {
		t.Errorf("iterations after %d rounds, want %d", got, want)
	}
	k = task(0)
	k.Depth = 2
	tree.Begin(&wide{}, 1<<20, 1)
	if tree.Search(k, nil); tree.Rounds() != 256 {
		t.Errorf("%d rounds in two iterations", tree.Rounds())
	}
}

// below lists what hangs on a node, without the places of it.
func (t *Tree[G, P]) below(i int32) (list []node) {
	x := t.nodes[i]
	first := x.first
	x.first = min(first, 1)
	list = append(list, x)
	for j := range x.count {
		if first > 0 {
			list = append(list, t.below(first+int32(j))...)
		}
	}
	return list
}

// Followed, the tree is what hung on the move, and nothing else.
func TestFollow(t *testing.T) {
	tree := grown(t, 1<<20, 30_000, 1)
	for range 4 {
		best := tree.rank(&tree.nodes[0])[1]
		want := tree.below(best)
		room := cap(tree.nodes)
		if !tree.Follow(tree.nodes[best].move) {
			t.Fatal("a move of the tree is not known")
		}
		if got := tree.below(0); !reflect.DeepEqual(got, want) || len(tree.nodes) != len(want) || cap(tree.nodes) != room {
			t.Fatalf("%d nodes in room for %d, want %d in %d", len(tree.nodes), cap(tree.nodes), len(want), room)
		}
	}
	tree.Resume(1<<20, 3)
	before := tree.Rounds()
	k := task(500)
	k.Lines = 2
	if tree.Search(k, nil); tree.Rounds() != before+500 {
		t.Errorf("%d rounds after %d", tree.Rounds(), before)
	}
	if tree.Follow(width) || tree.Len() != 0 || tree.Follow(0) {
		t.Error("a move that there is not is known")
	}
}

// A turn that goes on keeps its side, and an end is no tree.
func TestFollowToTheEnd(t *testing.T) {
	tree := New[heap](Options{Explore: 0.7})
	tree.Begin(&heap{left: 4}, 1<<20, 1)
	tree.Search(task(500), nil)
	if !tree.Follow(1) || tree.Proof() != truth(&heap{left: 3}) {
		t.Errorf("proved %d", tree.Proof())
	}
	if tree.Follow(3) || tree.Len() != 0 {
		t.Error("the game goes on after its end")
	}
}

// No round is lost, whoever plays it, and all of them play.
func TestThreads(t *testing.T) {
	tree := New[wide](wideOptions)
	tree.Begin(&wide{}, 3000, 1)
	k := task(20_000)
	k.Lines = 2
	k.Threads = 4
	tree.Search(k, nil)
	n, won, under := tree.nodes[0].n, tree.nodes[0].won, float32(0)
	for _, c := range tree.children(&tree.nodes[0]) {
		under += c.n
		won += c.won
	}
	if int64(n) < 20_000 || n-under > 4 || won != n {
		t.Errorf("%v rounds, %v of them below, worth %v", n, under, won)
	}
	if tree.Line(0, 1).Moves[0] > 3 {
		t.Errorf("best is %+v", tree.Line(0, 1))
	}
}

// It ends when nothing can change any more: before the rounds are used up, and not
// where several lines are wanted. The move is the same.
func TestEndsEarly(t *testing.T) {
	run := func(lines int) (Move, int64) {
		tree := New[three](Options{Explore: 0.3})
		var at three
		for _, m := range []Move{0, 4, 8} {
			at.Play(m)
		}
		tree.Begin(&at, 60, 1) // too small for proofs
		k := task(20_000)
		k.Lines = lines
		tree.Search(k, nil)
		return tree.Line(0, 1).Moves[0], k.Count()
	}
	early, few := run(1)
	late, all := run(2)
	if early != late || few >= all || all != 20_000 {
		t.Errorf("%d after %d, %d after %d rounds", early, few, late, all)
	}
}

func TestRank(t *testing.T) {
	tree := New[three](Options{})
	order := []node{
		{proof: Win, n: 1},
		{n: 9, won: 1},
		{n: 5, won: 3},
		{n: 5, won: 2},
		{proof: Draw, n: 4},
		{proof: Loss, n: 90},
	}
	for i := range order {
		for j := range order {
			if got := tree.compare(&order[i], &order[j]); (got < 0) != (i < j) || (got == 0) != (i == j) {
				t.Errorf("%d against %d: %d", i, j, got)
			}
		}
	}
}

// Time that is lost otherwise is used.
func TestLostTimeIsUsed(t *testing.T) {
	tree := New[wide](wideOptions)
	tree.Begin(&wide{}, 1<<20, 1)
	k := task(100)
	k.Soft, k.Hard, k.Lost = time.Second, time.Hour, true
	if tree.Search(k, nil); k.Soft != time.Hour {
		t.Errorf("soft limit %v", k.Soft)
	}
}

func BenchmarkRounds(b *testing.B) {
	tree := New[wide](wideOptions)
	tree.Begin(&wide{}, 1<<20, 1)
	b.ReportAllocs()
	for b.Loop() {
		tree.round(tree.workers[0])
	}
}
