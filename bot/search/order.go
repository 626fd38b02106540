package search

// tableMoveOrder puts the move of the table before everything that the game orders.
const tableMoveOrder = 1 << 30

// historyLimit bounds what is remembered of a quiet move.
const historyLimit = 1 << 27

// order adds to what the game thinks of its moves what the search has learned.
func (w *worker[P]) order(n *Node, tableMove Move) {
	for i := range n.Moves {
		m := &n.Moves[i]
		if m.Move == tableMove {
			m.Order = tableMoveOrder
			continue
		}
		switch {
		case m.HistoryIndex == 0:
		case m.Move == n.killers[0]:
			m.Order += w.o.Killers[0]
		case m.Move == n.killers[1]:
			m.Order += w.o.Killers[1]
		case w.history != nil:
			m.Order += w.history[m.HistoryIndex] >> w.o.HistoryShift
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

// updateHistory remembers a quiet move that caused a cutoff.
func (w *worker[P]) updateHistory(n *Node, m Ranked, depth int) {
	if w.o.Killers[0] > 0 && n.killers[0] != m.Move {
		n.killers[1], n.killers[0] = n.killers[0], m.Move
	}
	if w.history != nil {
		h := &w.history[m.HistoryIndex]
		*h = min(*h+int32(depth*depth), historyLimit)
	}
}
