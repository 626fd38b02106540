// Package nogo plays NoGo by Monte Carlo tree search. In the tree, choices are
// compared by their own games and by those in which the same point was taken later
// (RAVE), to begin with by what they do to eyes nearby. What is proved about the
// end, by counting turns that nobody can take away and by playing out all that is
// left, is a fact and no longer a chance.
//
// Everything rests on one property of the game: nothing is ever removed, so a
// point that is harmful to a side stays so. A random game need not look at a point
// twice, and an eye is a turn in hand.
package nogo
