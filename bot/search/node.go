package search

// worker is the search of one goroutine.
type worker[P Position] struct {
	pos      P
	o        *Options[P]
	noisy    Quiescence // nil, as the next four, if the game does not implement it
	null     NullMover
	prover   WinProver
	frontier Frontier
	verify   RootVerifier
	table    *table
	// chance is asked for outcomes, chanceDepth is how many moves of the line were drawn.
	chance      ChanceNode
	chanceDepth int
	meter       Meter
	limit       int // ply at which lines end
	// reduce is what Options.Reduce says of depths and moves up to 63.
	reduce *[64][64]uint8
	// lateMoveCounts is what Options.LateMoves says of depths up to 63, or nil.
	lateMoveCounts *[64]uint8
	history        []int32
	rootMoves      []Line
	stack          [MaxPly + 2]Node
}

// node returns the value of the position to a depth; the best line of an open window
// is in the node of the ply. null says whether a null move may be tried.
func (w *worker[P]) node(depth, ply, alpha, beta int, null bool) int {
	n := &w.stack[ply]
	n.line = n.line[:0]
	if w.meter.Visit() {
		return 0
	}
	n.Depth, n.PV = depth, beta-alpha > 1
	if w.pos.Enter(n) {
		return n.Value
	}
	depth = n.Depth
	leaf := depth <= 0 || ply >= w.limit
	if leaf && w.prover == nil {
		return w.quiesce(n, w.pos.Evaluate(), alpha, beta)
	}
	if top := w.o.Win - ply; beta > top { // no value is above that
		if beta = top; alpha >= beta {
			return beta
		}
	}
	pv := beta-alpha > 1 && w.chanceDepth == 0 // nobody asks for the line chanceDepth
	e := w.table.get(n.Key)
	if !pv && e.depth() >= depth && e != 0 {
		if v := w.fromTable(e.value(), ply); e.decides(v, alpha, beta) {
			return v
		}
	}
	if leaf {
		return w.leaf(n, alpha, beta, pv)
	}
	if w.prover != nil && w.proveWin(n, pv) {
		return n.Value
	}
	if depth == 1 && w.frontier != nil {
		return w.searchFrontier(n, alpha, beta, pv)
	}
	if w.o.InternalReduction > 0 && depth >= w.o.InternalReduction && e == 0 {
		depth--
	}
	return w.inner(n, e.move(), depth, alpha, beta, pv, null)
}

// inner returns the value of a position that neither the table nor a proof decides: of itself, if its static
// evaluation is far enough from the window, or else of its moves, the table's first.
func (w *worker[P]) inner(n *Node, first Move, depth, alpha, beta int, pv, null bool) int {
	futilityValue := Inf
	if static, known := w.staticEval(n, depth, pv, null); known {
		if !pv && null && static >= beta {
			if depth <= w.o.ReverseFutilityDepth && static-w.o.ReverseFutilityMargin*depth >= beta {
				return static - w.o.ReverseFutilityMargin*depth
			}
			if w.null != nil && depth >= w.o.NullDepth && w.null.CanNull() {
				if v := w.nullMove(n, depth, beta); w.meter.stopped || v >= beta {
					return v
				}
			}
		}
		if depth <= len(w.o.Futility) && alpha > -w.o.MateThreshold {
			futilityValue = static + w.o.Futility[depth-1]
		}
	}
	n.Moves, n.Floor = n.Moves[:0], -Inf
	if futilityValue <= alpha && w.noisy != nil {
		n.Value, n.Floor = futilityValue, futilityValue
		w.noisy.Noisy(n)
	} else {
		w.pos.Moves(n)
	}
	if len(n.Moves) == 0 || w.meter.stopped {
		return n.Value
	}
	w.order(n, first)
	return w.searchMoves(n, depth, alpha, beta, futilityValue)
}

// leaf returns the value where depth ends, for a game with a search of its own for wins.
func (w *worker[P]) leaf(n *Node, alpha, beta int, pv bool) int {
	stands := w.pos.Evaluate()
	if !pv && stands >= beta {
		return stands // what is good enough as it is needs no proof
	}
	if w.proveWin(n, pv) {
		return n.Value
	}
	return w.quiesce(n, stands, alpha, beta)
}

// staticEval evaluates a position where pruning needs that.
func (w *worker[P]) staticEval(n *Node, depth int, pv, null bool) (v int, known bool) {
	prunes := !pv && null && (depth <= w.o.ReverseFutilityDepth || w.null != nil && depth >= w.o.NullDepth)
	if !prunes && depth > len(w.o.Futility) {
		return 0, false
	}
	return w.pos.Evaluate(), true
}

// searchMoves is the move loop. Quiet moves do not come above futilityValue.
func (w *worker[P]) searchMoves(n *Node, depth, alpha, beta, futilityValue int) int {
	ply, key, floor, pv := n.Ply, n.Key, n.Floor, beta-alpha > 1
	low, best := alpha, -Inf
	var bestMove Move
	most := w.lateMoves(n, depth)
	for i := range n.Moves {
		if i >= most && best > -w.o.MateThreshold {
			break
		}
		m := n.next(i)
		if futilityValue <= low && i > 0 && m.HistoryIndex != 0 {
			best = max(best, futilityValue)
			continue
		}
		less := w.reduction(m, n, depth, i)
		v := w.searchMove(n, m.Move, depth-1, low, beta, i == 0, less)
		if w.meter.stopped {
			return 0
		}
		if v > best {
			best = v
			if v > low || i == 0 {
				bestMove = m.Move
				if pv {
					n.line = append(append(n.line[:0], m.Move), w.stack[ply+1].line...)
				}
			}
			if low = max(low, v); low >= beta {
				if m.HistoryIndex != 0 {
					w.updateHistory(n, m, depth)
				}
				break
			}
		}
	}
	best = max(best, floor)
	w.table.put(key, pack(bestMove, w.toTable(best, ply), depth, boundOf(best, alpha, beta)))
	return best
}

// reduction is the late move reduction of the i-th move, in plies.
func (w *worker[P]) reduction(m Ranked, n *Node, depth, i int) int {
	if w.reduce == nil || m.HistoryIndex == 0 || m.Move == n.killers[0] || m.Move == n.killers[1] {
		return 0
	}
	return int(w.reduce[min(depth, 63)][min(i, 63)])
}

// lateMoves is after how many moves late move pruning leaves out the others.
func (w *worker[P]) lateMoves(n *Node, depth int) int {
	if w.lateMoveCounts == nil {
		return len(n.Moves)
	}
	return int(w.lateMoveCounts[min(depth, 63)])
}

// searchFrontier lets the game look at the last ply.
func (w *worker[P]) searchFrontier(n *Node, alpha, beta int, pv bool) int {
	n.Moves = n.Moves[:0]
	m := w.frontier.SearchFrontier(n, alpha, beta)
	if m == 0 || w.meter.stopped {
		return n.Value
	}
	if pv {
		n.line = append(n.line, m)
	}
	w.table.put(n.Key, pack(m, w.toTable(n.Value, n.Ply), 1, boundOf(n.Value, alpha, beta)))
	return n.Value
}

// searchMove is principal variation search of one move: the first has the full window, the
// others first a null window and perhaps a reduced depth.
func (w *worker[P]) searchMove(n *Node, m Move, depth, alpha, beta int, first bool, less int) int {
	if m&Chance != 0 {
		return w.searchChance(n, m, depth-w.o.ChanceReduction, alpha, beta, first)
	}
	ply := n.Ply + 1
	w.pos.Play(m)
	v := alpha + 1
	if !first {
		v = -w.node(depth-less, ply, -alpha-1, -alpha, true)
		if v > alpha && less > 0 && !w.meter.stopped {
			v = -w.node(depth, ply, -alpha-1, -alpha, true)
		}
	}
	if first || v > alpha && v < beta && !w.meter.stopped {
		v = -w.node(depth, ply, -beta, -alpha, true)
	}
	w.pos.Undo(m)
	return v
}

// nullMove searches behind a null move.
func (w *worker[P]) nullMove(n *Node, depth, beta int) int {
	w.null.MakeNull()
	v := -w.node(depth-w.o.NullReduction, n.Ply+1, -beta, 1-beta, false)
	w.null.UnmakeNull()
	return min(v, w.o.MateThreshold-1) // that is no proof of a win
}

// proveWin asks the game's own search, and returns true with its answer, or because the
// search must end.
func (w *worker[P]) proveWin(n *Node, pv bool) bool {
	m, ok := w.prover.ProveWin(n)
	if w.meter.stopped {
		n.Value = 0
		return true
	}
	if !ok {
		return false
	}
	if pv {
		n.line = append(n.line, m)
	}
	w.table.put(n.Key, pack(m, w.toTable(n.Value, n.Ply), MaxPly, atLeast))
	return true
}

// quiesce returns the value where depth ends, of a position that is evaluated as best:
// it makes noisy moves until none is worth it.
func (w *worker[P]) quiesce(n *Node, best, alpha, beta int) int {
	if w.noisy == nil || best >= beta || n.Ply >= MaxPly {
		return best
	}
	low := max(alpha, best)
	n.Moves = n.Moves[:0]
	w.noisy.Noisy(n)
	for i := range n.Moves {
		m := n.next(i).Move
		w.pos.Play(m)
		v := -w.quiesceNode(n.Ply+1, -beta, -low)
		w.pos.Undo(m)
		if w.meter.stopped {
			return 0
		}
		if v <= best {
			continue
		}
		best = v
		if beta-alpha > 1 {
			n.line = append(append(n.line[:0], m), w.stack[n.Ply+1].line...)
		}
		if low = max(low, v); low >= beta {
			break
		}
	}
	return best
}

// quiesceNode is quiesce for a position that a noisy move led to.
func (w *worker[P]) quiesceNode(ply, alpha, beta int) int {
	n := &w.stack[ply]
	n.line = n.line[:0]
	if w.meter.Visit() {
		return 0
	}
	n.Depth = 0
	if w.pos.Enter(n) {
		return n.Value
	}
	return w.quiesce(n, w.pos.Evaluate(), alpha, beta)
}

// toTable makes a mate score count plies from the position instead of from the root, for
// the table; fromTable is the way back.
func (w *worker[P]) toTable(v, ply int) int {
	switch {
	case v >= w.o.MateThreshold:
		return v + ply
	case v <= -w.o.MateThreshold:
		return v - ply
	}
	return v
}

func (w *worker[P]) fromTable(v, ply int) int {
	switch {
	case v >= w.o.MateThreshold:
		return v - ply
	case v <= -w.o.MateThreshold:
		return v + ply
	}
	return v
}
