// Package surakarta is the built-in player of Surakarta.
//
// The search is an iterative alpha-beta with a table of positions, null moves,
// reductions of late quiet moves and a quiescence search over captures. It knows
// the ends by counting pieces: who leads may repeat and wait, who does not must
// not. The evaluation is made of material, places, freedom to move and the arcs
// that a side holds from both ends.
package surakarta
