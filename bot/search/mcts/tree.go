package mcts

import (
	"math"
	"sync"
)

// node is a move and what is known about the games that go on from it. Its values
// are those of the side that makes the move.
type node struct {
	first  int32 // first of the nodes of the answers, 0 if it has none yet
	count  uint16
	proof  Proof
	side   uint8 // that makes the move
	move   Move
	n, won float32 // rounds, those under way included, and what they were worth
	on, ow float32 // the same for RAVE, and the prior
	points float32 // the sum of those for side 0
}

// NodeBytes is the size of a node in memory, for limits.
const NodeBytes = 32

// mostRounds is where counting in a float32 ends; by then more rounds decide nothing.
const mostRounds = 1 << 24

// Tree is a search tree. Its nodes lie in one slice: the answers to a move side by
// side, and always behind it.
type Tree[G any, P Game[G]] struct {
	opts    Options
	mu      sync.Mutex // guards nodes, seen and ended while several threads play
	nodes   []node
	samples bool      // the game is Hidden
	seen    []float32 // by node, with samples: the rounds in which its move was possible
	limit   int
	root    G
	workers []*worker[G]
	helpers sync.WaitGroup // the threads beside the first
	ended   bool           // they may not begin a round any more
	list    []Choice
	order   []int32
}

// worker is what a thread grows the tree with.
type worker[G any] struct {
	game  G
	rand  Rand
	first []uint8
	path  []int32
	away  bool // a round is under way
	// hidden is the game, if it is Hidden.
	hidden Hidden
}

// New returns an empty tree.
func New[G any, P Game[G]](o Options) *Tree[G, P] {
	o.Cost = max(o.Cost, 1)
	return &Tree[G, P]{opts: o}
}

// Clear forgets everything.
func (t *Tree[G, P]) Clear() {
	t.wait()
	t.nodes, t.seen = t.nodes[:0], t.seen[:0]
}

// wait returns when nobody plays a round any more.
func (t *Tree[G, P]) wait() { t.helpers.Wait() }

// Begin forgets the tree and starts one at a position, in which the side to move has
// a move. The tree will have at most limit nodes, or those of the root if these are
// more. The same seed grows the same tree if one thread does it.
func (t *Tree[G, P]) Begin(at *G, limit int, seed uint64) {
	t.Clear()
	P(&t.root).Copy(at)
	t.nodes = append(t.nodes, node{side: 1 - P(&t.root).Side()})
	t.Resume(limit, seed)
	t.count()
	t.expand(0, &t.root)
}

// Resume goes on with the tree as it is, under another limit and with another seed.
func (t *Tree[G, P]) Resume(limit int, seed uint64) {
	t.wait()
	t.limit, t.ended = limit, false
	for i, h := range t.workers {
		h.seed(seed, i)
	}
	t.samples = t.worker(0, seed).hidden != nil
}

// worker makes sure that there is one of a number.
func (t *Tree[G, P]) worker(i int, seed uint64) *worker[G] {
	for len(t.workers) <= i {
		h := &worker[G]{first: make([]uint8, t.opts.Moves)}
		h.hidden, _ = any(P(&h.game)).(Hidden)
		h.seed(seed, len(t.workers))
		t.workers = append(t.workers, h)
	}
	return t.workers[i]
}

func (h *worker[G]) seed(seed uint64, i int) {
	h.rand = Rand((seed + uint64(i)*0x9e3779b97f4a7c15) | 1)
}

// Len returns the number of nodes.
func (t *Tree[G, P]) Len() int { return len(t.nodes) }

// Proof is what is certain for the side to move at the root.
func (t *Tree[G, P]) Proof() Proof { return t.nodes[0].proof.reverse() }

// Rounds returns how many rounds went through the root.
func (t *Tree[G, P]) Rounds() int64 { return int64(t.nodes[0].n) }

// expand gives a node its answers; g is the position after its move. Without room
// nothing happens.
func (t *Tree[G, P]) expand(i int32, g *G) {
	side := P(g).Side()
	if i > 0 && !t.samples {
		if proof := P(g).Judge(); proof != Open {
			t.nodes[i].proof = proof.seen(side, t.nodes[i].side)
			return
		}
	}
	list := P(g).Moves(t.list[:0])
	t.list = list
	if len(list) == 0 || i > 0 && len(t.nodes)+len(list) > t.limit {
		return
	}
	first := len(t.nodes)
	t.room(first + len(list))
	for _, c := range list {
		t.nodes = append(t.nodes, node{side: side, move: c.Move, on: t.opts.Prior, ow: t.opts.Prior * c.Prior})
	}
	t.count()
	t.nodes[i].first, t.nodes[i].count = int32(first), uint16(len(list))
}

// room makes the slice large enough for n nodes, and not larger than the limit.
func (t *Tree[G, P]) room(n int) {
	if n <= cap(t.nodes) {
		return
	}
	const fewest = 1 << 12
	fresh := make([]node, len(t.nodes), max(n, min(t.limit, max(fewest, 2*cap(t.nodes)))))
	copy(fresh, t.nodes)
	t.nodes = fresh
}

// seen turns a proof for one side into that for another.
func (p Proof) seen(from, to uint8) Proof {
	if from == to {
		return p
	}
	return p.reverse()
}

func (t *Tree[G, P]) children(x *node) []node {
	if x.first == 0 {
		return nil
	}
	return t.nodes[x.first : x.first+int32(x.count)]
}

// value returns what a node promises, between its own rounds on the one side and RAVE
// and the prior on the other. The share of the latter is the one of Gelly and Silver,
// Monte-Carlo tree search and rapid action value estimation in computer Go, 2011.
func (t *Tree[G, P]) value(x *node) float32 {
	if x.on == 0 {
		if x.n == 0 {
			return untried
		}
		return x.won / x.n
	}
	if x.n == 0 {
		return x.ow / x.on
	}
	beta := x.on / (x.on + x.n + x.on*x.n/t.opts.Trust)
	return beta*x.ow/x.on + (1-beta)*x.won/x.n
}

// untried is more than any value: what nothing is known about is tried first.
const untried = 8

// selectChild returns the answer to follow. Proved losses are followed only if there is
// nothing else.
func (t *Tree[G, P]) selectChild(x *node) int32 {
	extra := t.opts.Explore * float32(math.Sqrt(math.Log(float64(x.n)+1)))
	best, most := x.first, float32(-2)
	for j := range t.children(x) {
		c := &t.nodes[int(x.first)+j]
		v := float32(-1)
		switch c.proof {
		case Open:
			v = t.value(c) + extra/float32(math.Sqrt(float64(c.n)+1))
		case Win:
			return x.first + int32(j)
		case Draw:
			v = 0.5
		}
		if v > most {
			best, most = x.first+int32(j), v
		}
	}
	return best
}
