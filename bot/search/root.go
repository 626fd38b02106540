package search

// aspireFrom is the depth from which on the window of the root is narrow.
const aspireFrom = 4

// list fills in the first moves.
func (w *worker[P]) list() {
	n := &w.stack[0]
	n.Depth = 1
	w.pos.Enter(n)
	n.Moves, n.Floor = n.Moves[:0], -Inf
	w.pos.Moves(n)
	w.order(n, 0)
	kept := w.roots[:cap(w.roots)] // with the memory of their lines
	w.roots = w.roots[:0]
	for i := range n.Moves {
		m := n.next(i)
		var pv []Move
		if i < len(kept) {
			pv = kept[i].PV[:0]
		}
		w.roots = append(w.roots, Line{Move: m.Move, PV: append(pv, m.Move), history: m.History})
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
	width := w.o.Aspiration
	if width > 0 && lines == 1 && depth >= aspireFrom {
		if v := w.roots[0].Value; v < w.o.MateThreshold && v > -w.o.MateThreshold {
			low, high = v-width, v+width
		}
	}
	for {
		v, ok := w.pass(depth, lines, low, high)
		switch {
		case !ok:
			return false
		case v <= low && low > -Inf:
			low = wider(low, -width)
		case v >= high && high < Inf:
			high = wider(high, width)
		default:
			return true
		}
		width *= 4
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
	for i < len(w.roots) && w.roots[i].Move != m {
		i++
	}
	if i == len(w.roots) { // the game did not list it
		w.roots = append(w.roots, Line{Move: m})
	}
	r := w.roots[i]
	r.Value, r.PV = n.Value, append(r.PV[:0], m)
	copy(w.roots[1:i+1], w.roots[:i])
	w.roots[0] = r
	return true
}

// wider moves a bound, or removes it where that was tried often.
func wider(bound, by int) int {
	if bound += by; bound > Inf/4 || bound < -Inf/4 || by > Inf/16 || by < -Inf/16 {
		if by < 0 {
			return -Inf
		}
		return Inf
	}
	return bound
}

// pass searches the first moves with a window. It returns the value of the best; if
// that is not within the window it returns at once.
func (w *worker[P]) pass(depth, lines, low, high int) (v int, ok bool) {
	n := &w.stack[0]
	for i := range w.roots {
		alpha := low
		if i >= lines {
			alpha = max(alpha, w.roots[lines-1].Value)
		}
		r := w.roots[i]
		n.made = Ranked{Move: r.Move, History: r.history}
		less := 0
		if w.o.ReduceRoot {
			less = w.reduction(n.made, n, depth, i)
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
			w.roots[i].Value = v
			continue
		}
		r.PV = append(append(r.PV[:0], r.Move), w.stack[1].line...)
		j := i
		for ; j > 0 && (j > lines || w.roots[j-1].Value < v); j-- {
			w.roots[j] = w.roots[j-1]
		}
		w.roots[j] = r
		if v >= high {
			return v, true
		}
	}
	return w.roots[0].Value, true
}
