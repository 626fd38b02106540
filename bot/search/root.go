package search

// aspirationDepth is the least depth with an aspiration window.
const aspirationDepth = 4

// listRootMoves fills in the first moves.
func (w *worker[P]) listRootMoves() {
	n := &w.stack[0]
	n.Depth = 1
	w.pos.Enter(n)
	n.Moves, n.Floor = n.Moves[:0], -Inf
	w.pos.Moves(n)
	w.order(n, 0)
	kept := w.rootMoves[:cap(w.rootMoves)] // with the memory of their lines
	w.rootMoves = w.rootMoves[:0]
	for i := range n.Moves {
		m := n.next(i)
		var pv []Move
		if i < len(kept) {
			pv = kept[i].PV[:0]
		}
		w.rootMoves = append(w.rootMoves, Line{Move: m.Move, PV: append(pv, m.Move), historyIndex: m.HistoryIndex})
	}
}

// iterate searches the first moves to a depth and brings the best lines to the front.
// If it is stopped half-way the best move stands if it was searched to the new depth,
// and false is returned.
func (w *worker[P]) iterate(depth, lines int) bool {
	if w.o.Limit != nil {
		w.limit = min(w.o.Limit(depth), MaxPly)
	}
	low, high := -Inf, Inf
	window := w.o.Aspiration
	if window > 0 && lines == 1 && depth >= aspirationDepth {
		if v := w.rootMoves[0].Value; v < w.o.MateThreshold && v > -w.o.MateThreshold {
			low, high = v-window, v+window
		}
	}
	for {
		v, ok := w.searchRoot(depth, lines, low, high)
		switch {
		case !ok:
			return false
		case v <= low && low > -Inf:
			low = widen(low, -window)
		case v >= high && high < Inf:
			high = widen(high, window)
		default:
			return true
		}
		window *= 4
	}
}

// proveRoot asks the game's own search for a first move that ends the search, and brings it
// to the front.
func (w *worker[P]) proveRoot() bool {
	if w.verify == nil {
		return false
	}
	n := &w.stack[0]
	m, ok := w.verify.ProveRoot(n)
	if !ok || w.meter.stopped {
		return false
	}
	i := 0
	for i < len(w.rootMoves) && w.rootMoves[i].Move != m {
		i++
	}
	if i == len(w.rootMoves) { // the game did not list it
		w.rootMoves = append(w.rootMoves, Line{Move: m})
	}
	r := w.rootMoves[i]
	r.Value, r.PV = n.Value, append(r.PV[:0], m)
	copy(w.rootMoves[1:i+1], w.rootMoves[:i])
	w.rootMoves[0] = r
	return true
}

// widen moves a bound, or removes it where that was tried often.
func widen(bound, by int) int {
	if bound += by; bound > Inf/4 || bound < -Inf/4 || by > Inf/16 || by < -Inf/16 {
		if by < 0 {
			return -Inf
		}
		return Inf
	}
	return bound
}

// searchRoot searches the first moves with a window. It returns the value of the best; if
// that is not within the window it returns at once.
func (w *worker[P]) searchRoot(depth, lines, low, high int) (v int, ok bool) {
	n := &w.stack[0]
	for i := range w.rootMoves {
		alpha := low
		if i >= lines {
			alpha = max(alpha, w.rootMoves[lines-1].Value)
		}
		r := w.rootMoves[i]
		less := 0
		if w.o.ReduceRoot {
			less = w.reduction(Ranked{Move: r.Move, HistoryIndex: r.historyIndex}, n, depth, i)
		}
		w.stack[1].line = w.stack[1].line[:0]
		v = w.searchMove(n, r.Move, depth-1, alpha, high, i < lines, less)
		if w.verify != nil && v > alpha && !w.meter.stopped {
			v = w.verify.VerifyRoot(n, r.Move, v)
		}
		if w.meter.stopped {
			return 0, false
		}
		r.Value = v
		if i == 0 && v <= low {
			return v, true
		}
		if i >= lines && v <= alpha {
			w.rootMoves[i].Value = v
			continue
		}
		r.PV = append(append(r.PV[:0], r.Move), w.stack[1].line...)
		j := i
		for ; j > 0 && (j > lines || w.rootMoves[j-1].Value < v); j-- {
			w.rootMoves[j] = w.rootMoves[j-1]
		}
		w.rootMoves[j] = r
		if v >= high {
			return v, true
		}
	}
	return w.rootMoves[0].Value, true
}
