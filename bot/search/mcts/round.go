package mcts

// round plays one round and reports whether another one is of no use, because the root
// is proved, has as many as can be counted, or the search has ended.
func (t *Tree[G, P]) round(h *worker[G]) bool {
	P(&h.game).Copy(&t.root)
	if h.hidden != nil {
		h.hidden.Draw(&h.rand)
	}
	clear(h.first)
	t.mu.Lock()
	if t.ended {
		t.mu.Unlock()
		return true
	}
	proof := t.selectLeaf(h)
	h.away = true
	t.mu.Unlock()
	v, points := proof.Value(), float32(0)
	if proof == Open {
		v, points = P(&h.game).Playout(&h.rand, h.first)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !h.away {
		return true // the search has ended without it
	}
	h.away = false
	t.backup(h, v, points)
	root := &t.nodes[0]
	return root.proof != Open || root.n >= mostRounds
}

// cancelRound makes a round that is under way count for nothing. It does not come back.
func (t *Tree[G, P]) cancelRound(h *worker[G]) {
	if !h.away {
		return
	}
	h.away = false
	for _, i := range h.path {
		t.nodes[i].n--
	}
}

// selectLeaf goes down to the end of the tree and counts the round on its way. It returns
// what is certain there, for side 0.
func (t *Tree[G, P]) selectLeaf(h *worker[G]) Proof {
	h.path = append(h.path[:0], 0)
	i := int32(0)
	for {
		x := &t.nodes[i]
		if x.first == 0 && x.n >= t.opts.Expand && x.proof == Open {
			t.expand(i, &h.game)
			x = &t.nodes[i]
		}
		x.n++
		if i > 0 && x.proof != Open {
			return x.proof.seen(x.side, 0)
		}
		if x.first == 0 {
			return Open
		}
		if h.hidden == nil {
			i = t.selectChild(x)
		} else if i = t.next(h, x); i == 0 {
			return Open
		}
		c := &t.nodes[i]
		P(&h.game).Play(c.move)
		if int(c.move) < len(h.first) && h.first[c.move] == 0 {
			h.first[c.move] = c.side + 1
		}
		h.path = append(h.path, i)
	}
}

// backup takes over what a round says about the nodes of its path: its value for side 0,
// and by how much that is ahead.
func (t *Tree[G, P]) backup(h *worker[G], v, points float32) {
	gain := [2]float32{v, 1 - v}
	proved := h.hidden == nil
	for k := len(h.path) - 1; k >= 0; k-- {
		x := &t.nodes[h.path[k]]
		x.won += gain[x.side]
		x.points += points
		children := t.children(x)
		if len(h.first) > 0 && len(children) > 0 {
			side := children[0].side
			for j := range children {
				if c := &children[j]; h.first[c.move] == side+1 {
					c.on++
					c.ow += gain[side]
				}
			}
		}
		if proved {
			if x.proof == Open && len(children) > 0 {
				x.proof = prove(children).seen(children[0].side, x.side)
			}
			proved = x.proof != Open
		}
	}
}

// prove returns what the answers say about the game of the side that chooses.
func prove(children []node) Proof {
	sum := Loss
	for j := range children {
		switch children[j].proof {
		case Win:
			return Win
		case Open:
			sum = Open
		case Draw:
			if sum == Loss {
				sum = Draw
			}
		}
	}
	return sum
}
