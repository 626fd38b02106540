// Package search is alpha-beta for any game of two sides, with chance or without:
// iterative deepening with principal variation search, a transposition table, history,
// and by choice killers, aspiration windows, null moves, late move reductions and
// pruning, internal iterative reduction, futility pruning and quiescence. A game brings a fast board with five methods:
//
//	type position struct{ ... } // without pointers into it from elsewhere
//
//	func (p *position) Enter(n *search.Node) bool {
//		if v, over := p.result(n.Ply); over {
//			n.Value = v // 0, or ±(win - n.Ply), for the side on turn
//			return true
//		}
//		n.Key = p.hash
//		return false
//	}
//	func (p *position) Evaluate() int { ... }
//	func (p *position) Moves(n *search.Node) {
//		for _, m := range p.moves() {
//			n.Moves = append(n.Moves, search.Ranked{Move: number(m), Order: promise(m)})
//		}
//	}
//	func (p *position) Play(m search.Move) { ... }
//	func (p *position) Undo(m search.Move) { ... }
//
// and an engine (see package bot) that holds a search and asks it:
//
//	e.search = search.New(search.Options[*position]{
//		Win: win, MateThreshold: win - search.MaxPly, TableBytes: 16 << 20, Describe: describe,
//	})
//
//	func (e *engine) Forget() { e.search.Forget() }
//
//	func (e *engine) Think(t *bot.Task) player.Answer {
//		r := e.search.Run(t, &e.pos, 1, e.memory)
//		if len(r.Lines) == 0 {
//			return player.Answer{}
//		}
//		best := &r.Lines[0]
//		return player.Answer{Steps: steps(best.Move), Info: e.search.Info(best, r.Depth, 0)}
//	}
//
// That plays, streams a line for each of "hint n", keeps to time, nodes, depth and
// memory, and stops. The rest makes it strong, and each piece is a field of Options or a
// method more, to be measured in matches:
//
//   - Order good moves first: captures and threats by Ranked.Order, quiet moves by
//     giving them a HistoryIndex, with Options.HistorySize and Killers.
//   - Do not stop in the middle of an exchange: Quiescence, or raise Node.Depth in Enter.
//   - Leave out what can hardly matter: Reduce, Futility, ReverseFutilityMargin,
//     NullReduction with NullMover. What is left without them is exact.
//   - Prove wins by a search of the game's own: WinProver, which counts its positions
//     by Node.Meter and gives up when that says so.
//   - Draw lots: a move with the mark Chance is never played, ChanceNode lists what it can
//     turn out to be. Its value is the mean; windows stay sound (Star1).
//   - List only good moves: Node.Floor says what the others are worth. Or have only the
//     first ones searched, in the order that is learned: LateMoves.
//   - With very many moves, look at those of the last ply without playing them: Frontier.
//   - Look behind the first moves by a search that is too dear elsewhere: RootVerifier.
//   - Repetitions: Enter looks for the position among those since the last capture. The
//     table does not know how a position was reached.
//
// A position is asked by bulk methods, a few for each node, because Go calls the methods
// of a type parameter through a dictionary, at the cost of an interface call; what is
// done for every move of a list is done here on plain numbers. The search of
// Surakarta that was written by hand took from nothing to 6 in a hundred less time for
// equal trees.
//
// With one goroutine (Task.Threads) a search is repeatable. With more, all search the
// same position with boards of their own (Options.Fork), different in that every other
// one is a ply ahead, and share the table without locks (Lazy SMP).
package search
