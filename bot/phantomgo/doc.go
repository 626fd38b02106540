// Package phantomgo is the built-in player of Phantom Go.
//
// It knows what its seat was told and nothing else: own stones, what was refused,
// what was taken and lost, and how often the other side has placed a stone. From
// that it draws boards that may be the real one, with as many opposing stones as
// there must be, one for each round of a Monte Carlo tree search that grows one tree
// of all of them (see mcts.Hidden). An attempt is worth what it brings on the boards
// on which it stands, because a refused one costs nothing and tells where a stone is.
//
// Where every decision was visible (analysis at a board, for example) there is
// one possible board, and the player sees it.
package phantomgo
