// Package othello is the built-in Othello player: an alpha-beta search with
// learned patterns, and an exact solver for the end.
//
// The search deepens by one ply at a time with principal variations, a table of
// positions and moves ordered by shallower searches; where a shallow search is
// far outside the window the deep one is left out. When the end is near enough for
// the limits of time and depth, the position is solved: first who wins
// (game.WinLoss), then by how much (game.Exact).
//
// Solver is the second half by itself. Player has an opening book, which is learned
// from games or expanded by searches; at the strongest level it lies over one that
// comes with the program.
package othello
