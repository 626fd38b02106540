package mcts

// Follow makes the answer to the root the new root and keeps what hangs on it. It
// reports whether the move was known and the game goes on; if not, the tree is empty.
func (t *Tree[G, P]) Follow(m Move) bool {
	t.wait()
	if len(t.nodes) == 0 || t.samples {
		t.Clear()
		return false
	}
	x := &t.nodes[0]
	for j := range t.children(x) {
		i := x.first + int32(j)
		if t.nodes[i].move != m {
			continue
		}
		P(&t.root).Play(m)
		t.keep(i)
		r := &t.nodes[0]
		r.proof = Open
		r.side = 1 - P(&t.root).Side()
		if r.first == 0 {
			t.expand(0, &t.root)
			r = &t.nodes[0]
		}
		if children := t.children(r); len(children) > 0 {
			r.proof = prove(children).reverse()
			return true
		}
		break // nothing to decide
	}
	t.Clear()
	return false
}

// How a node is marked in its proof while a subtree moves.
const (
	kept Proof = 0x40 // belongs to the subtree
	head Proof = 0x80 // and is the first of its siblings
)

// keep moves the subtree of a node to the front, in place: everything moves towards
// the front and keeps its order. While the answers of a node have not moved, the node
// knows what the first of them had in its field first, and that one knows where the
// node is (pointer reversal, after Jonkers 1979).
func (t *Tree[G, P]) keep(at int32) {
	nodes := t.nodes
	free := int32(0)
	nodes[at].proof |= kept
	for i := at; i < int32(len(nodes)); i++ {
		x := nodes[i]
		if x.proof&kept == 0 {
			continue
		}
		if x.proof&head != 0 {
			parent := &nodes[x.first]
			x.first, parent.first = parent.first, free
		}
		x.proof &^= kept | head
		if first := x.first; first > 0 {
			for j := first; j < first+int32(x.count); j++ {
				nodes[j].proof |= kept
			}
			c := &nodes[first]
			c.proof |= head
			x.first, c.first = c.first, free
		}
		nodes[free] = x
		free++
	}
	t.nodes = nodes[:free]
}
