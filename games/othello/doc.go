// Package othello implements Othello (Reversi with the fixed start) on 8x8.
//
// The first seat plays black and begins, the second plays white. Points have
// their column in X (a to h) and their row in Y (1 to 8 from the top), so that a1
// is the top left corner. A turn is one decision: a disc on an empty square that
// flips at least one opposing disc, or, where there is none, the pass, which is
// then the only legal move. The game is over when neither side can move.
//
// The board score counts discs, with empty squares given to the winner and split
// when both have equally many, so that it always adds up to 64.
//
// The text of a position is a board line as in OBF files: 64 cells from a1 row by
// row, X black, O white, - empty, a blank and the side to move. Any arrangement is
// accepted, also one with fewer than four discs or that no game can reach; who
// needs a reachable one checks it. The text of a move is its square ("f5"), a pass
// is "pa".
//
// Rules and scoring follow the World Othello Federation; the perft
// convention is that of the usual tables.
//
// Board is the same game without seats and history: it is what a search uses.
package othello
