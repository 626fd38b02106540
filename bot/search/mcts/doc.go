// Package mcts is Monte Carlo tree search for any game of two sides: the tree, its
// growth and what is read from it. A game brings a fast board with seven methods:
//
//	type position struct{ ... }
//
//	func (p *position) Copy(from *position)  { *p = *from }
//	func (p *position) Side() uint8          { return p.side }
//	func (p *position) Play(m mcts.Move)     { ... }
//	func (p *position) Judge() mcts.Proof    { ... }
//	func (p *position) Moves(dst []mcts.Choice) []mcts.Choice { ... }
//	func (p *position) Playout(r *mcts.Rand, first []uint8) (value, points float32) { ... }
//
// and its engine keeps a tree of it:
//
//	tree := mcts.New[position](mcts.Options{Expand: 4, Explore: 0.5})
//	tree.Begin(&at, 1_000_000, seed)
//	tree.Search(task, nil)
//	best := tree.Line(0, 8)
//
// A round goes down the tree, where the choice is between what the rounds through a
// move were worth and what was expected of it before (the prior), plays a random game
// from there and takes its value back up. Three things make this good beyond UCT
// (Kocsis and Szepesvári, Bandit based Monte-Carlo planning, 2006):
//
//   - priors, which count as rounds that were played already (progressive bias,
//     Chaslot and others 2008);
//   - RAVE: rounds in which the same side made the move later (Gelly and Silver 2007);
//   - proofs: what is certain about the end moves up, as in Winands, Björnsson and
//     Saito, Monte-Carlo tree search solver, 2008.
//
// Where a side does not see all of the game, a position can also be Hidden: then every
// round begins from another sample of what may be real.
//
// With several threads all of them grow one tree. They go down and up under a lock,
// and what a round has counted on its way down, before its value is known, makes the
// others go elsewhere (virtual loss). With one thread the same seed grows the same tree.
//
// The methods of the game are called a few times in a round. What runs over the nodes
// knows nothing of the game.
package mcts
