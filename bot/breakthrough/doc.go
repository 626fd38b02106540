// Package breakthrough is the built-in player of Breakthrough.
//
// The search is the shared alpha-beta with null moves, late move reductions and a
// quiescence search over captures and men that come near the goal. A man that nobody can
// stop any more decides the game by counting steps (race.go). The evaluation is made of
// men, of how far they are, and of who holds the squares where men can take each other.
package breakthrough
