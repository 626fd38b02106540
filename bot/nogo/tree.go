package nogo

import (
	"math"

	"kibitz/games/nogo"
)

// node is a stone and what is known about the games that go on from it. All
// values are those of the side that places the stone.
type node struct {
	first  int32 // first of the nodes of the answers, 0 if not expanded
	count  int16 // of answers
	at     int16 // the point
	proof  proof
	n, won float32 // games
	on, ow float32 // games in which the side took the point later (RAVE), and the guess
}

const nodeBytes = 28

// proof is what is known for certain about a node.
type proof int8

const (
	open proof = iota
	wins       // the side that places the stone wins
	loses
)

// style is how a tree grows and chooses.
type style struct {
	expandAfter float32 // games after which a node gets its answers
	guess       float32 // games that the guess counts as
	trust       float32 // own games at which RAVE does not count for more any more
	explore     float32 // how much the less played choices are preferred
}

var standard = style{expandAfter: 4, guess: 30, trust: 2000, explore: 0.05}

// tree is a search tree over positions of one game.
type tree struct {
	style style
	nodes []node
	limit int
	path  [nogo.MaxSize*nogo.MaxSize + 1]int32
	game  playout
	rand  random
	board nogo.Board // of the root
	side  uint8      // to move at the root
}

// begin forgets the tree and starts one at a position.
func (t *tree) begin(b *nogo.Board, side uint8) {
	t.board.Copy(b)
	t.side = side
	t.nodes = append(t.nodes[:0], node{})
	t.expand(0, b, side)
}

// expand gives a node its answers; the board is the one after its stone, and the
// colour the one to answer. Without room nothing happens.
func (t *tree) expand(i int32, b *nogo.Board, colour uint8) {
	n := b.Count(colour)
	if n == 0 {
		t.nodes[i].proof = wins
		return
	}
	if len(t.nodes)+n > t.limit {
		return
	}
	first := int32(len(t.nodes))
	for p := b.At(0, 0); p < b.Bound(); p++ {
		if b.Harmless(p, colour) {
			g := guess(b, p, colour)
			t.nodes = append(t.nodes, node{at: int16(p), on: t.style.guess, ow: t.style.guess * g})
		}
	}
	x := &t.nodes[i]
	x.first, x.count = first, int16(n)
	if i == 0 {
		return // a turn is wanted, not a verdict
	}
	switch decided(b, colour) {
	case colour:
		x.proof = loses
	case 3 - colour:
		x.proof = wins
	}
}

// value returns what a node promises, between its own games and RAVE.
func (t *tree) value(x *node) float32 {
	beta := float32(1)
	if x.n > 0 {
		beta = x.on / (x.on + x.n + x.on*x.n/t.style.trust)
	}
	v := beta * x.ow / x.on
	if x.n > 0 {
		v += (1 - beta) * x.won / x.n
	}
	return v
}

// choose returns the answer to follow. Proved losses are followed only if there
// is nothing else.
func (t *tree) choose(i int32) int32 {
	x := &t.nodes[i]
	extra := t.style.explore * float32(math.Sqrt(math.Log(float64(x.n)+2)))
	best, most := int32(0), float32(-2)
	for j := x.first; j < x.first+int32(x.count); j++ {
		c := &t.nodes[j]
		v := float32(-1)
		if c.proof == open {
			v = t.value(c) + extra/float32(math.Sqrt(float64(c.n)+1))
		}
		if v > most {
			best, most = j, v
		}
	}
	return best
}

// play plays one game through the tree.
func (t *tree) play() {
	g := &t.game
	g.board.Copy(&t.board)
	clear(g.first[:g.board.Bound()])
	colour := t.side
	length := 0
	i := int32(0)
	t.path[0] = 0
	for {
		x := &t.nodes[i]
		if x.first == 0 && x.n >= t.style.expandAfter && x.proof == open {
			t.expand(i, &g.board, colour)
			x = &t.nodes[i]
		}
		if x.proof != open && i != 0 || x.first == 0 {
			break
		}
		i = t.choose(i)
		p := int(t.nodes[i].at)
		g.board.Place(p, colour)
		g.first[p] = colour
		colour = 3 - colour
		length++
		t.path[length] = i
	}
	var winner uint8
	switch x := &t.nodes[i]; x.proof {
	case wins:
		winner = 3 - colour
	case loses:
		winner = colour
	default:
		winner = g.run(&t.rand, colour)
	}
	t.learn(length, winner, colour)
}

// learn takes over what a game says about the nodes of its path; colour is to
// move after the last of them.
func (t *tree) learn(length int, winner, colour uint8) {
	proved := true
	for k := length; k >= 0; k-- {
		x := &t.nodes[t.path[k]]
		x.n++
		if winner != colour {
			x.won++
		}
		kids := t.nodes[x.first : x.first+int32(x.count)]
		if x.first == 0 {
			kids = nil
		}
		gain := float32(0)
		if winner == colour {
			gain = 1
		}
		for j := range kids {
			if c := &kids[j]; t.game.first[c.at] == colour {
				c.on++
				c.ow += gain
			}
		}
		if proved && k < length {
			if x.proof == open {
				x.proof = prove(kids)
			}
			proved = x.proof != open
		} else if k == length {
			proved = x.proof != open
		}
		colour = 3 - colour
	}
}

// prove returns what the answers say about a node.
func prove(kids []node) proof {
	all := len(kids) > 0
	for j := range kids {
		switch kids[j].proof {
		case wins:
			return loses
		case open:
			all = false
		}
	}
	if all {
		return wins
	}
	return open
}

// follow makes the answer at a point the root and keeps what hangs on it. It
// reports whether the point was known.
func (t *tree) follow(p int) bool {
	if len(t.nodes) == 0 {
		return false
	}
	root := t.nodes[0]
	for j := root.first; root.first > 0 && j < root.first+int32(root.count); j++ {
		if int(t.nodes[j].at) != p {
			continue
		}
		t.keep(j)
		t.board.Place(p, t.side)
		t.side = 3 - t.side
		r := &t.nodes[0]
		r.proof = open
		if r.first == 0 {
			t.expand(0, &t.board, t.side)
		} else {
			r.proof = prove(t.nodes[r.first : r.first+int32(r.count)])
		}
		return true
	}
	return false
}

// keep moves the subtree of a node to the front. Answers always lie behind their
// node and keep their order, so nothing is overwritten before it has moved.
func (t *tree) keep(i int32) {
	old := t.nodes
	fresh := make([]node, 1, max(1, min(len(old), t.limit)))
	fresh[0] = old[i]
	for k := 0; k < len(fresh); k++ {
		x := &fresh[k]
		if x.first == 0 {
			continue
		}
		from := x.first
		x.first = int32(len(fresh))
		fresh = append(fresh, old[from:from+int32(x.count)]...)
	}
	t.nodes = fresh
}
