package search

// What comes before everything that the game orders.
const hinted = 1 << 30

// most bounds what is remembered of a quiet move.
const most = 1 << 27

// order adds to what the game thinks of its moves what the search has learned.
func (w *worker[P]) order(n *Node, hint Move) {
	var counter Move
	if w.counters != nil && n.Ply > 0 {
		counter = w.counters[w.stack[n.Ply-1].made.History]
	}
	for i := range n.Moves {
		m := &n.Moves[i]
		if m.Move == hint {
			m.Order = hinted
			continue
		}
		switch {
		case m.History == 0:
		case m.Move == n.killers[0]:
			m.Order += w.o.Killers[0]
		case m.Move == n.killers[1]:
			m.Order += w.o.Killers[1]
		case m.Move == counter:
			m.Order += w.o.Counter
		case w.history != nil:
			m.Order += w.history[m.History] >> w.o.HistoryShift
		}
	}
}

// next brings the most promising of the moves from i on to i.
func (n *Node) next(i int) Ranked {
	list := n.Moves
	k := i
	best := list[i].Order
	for j := i + 1; j < len(list); j++ {
		if o := list[j].Order; o > best {
			k, best = j, o
		}
	}
	list[i], list[k] = list[k], list[i]
	return list[i]
}

// refuted remembers a quiet move that was good enough.
func (w *worker[P]) refuted(n *Node, m Ranked, depth int) {
	if w.o.Killers[0] > 0 && n.killers[0] != m.Move {
		n.killers[1], n.killers[0] = n.killers[0], m.Move
	}
	if w.history != nil {
		h := &w.history[m.History]
		*h = min(*h+int32(depth*depth), most)
	}
	if w.counters != nil && n.Ply > 0 {
		w.counters[w.stack[n.Ply-1].made.History] = m.Move
	}
}
