// Package dotsandboxes is the built-in player of Dots and Boxes.
//
// Boxes that can be taken leave one decision at most: whoever takes them may leave
// the last two of a chain or the last four of a loop to the other side, which then
// has to move elsewhere. So a position is settled first: what can be taken is taken
// but for one such remainder, and what is left is a quiet position. If w is its
// value for the side to move, then having d boxes of a remainder in hand is worth
// |w+d|.
//
// Towards the end quiet positions are solved by alpha-beta with a table, in which
// lines that come to the same are tried once. Before that a Monte Carlo tree is grown,
// in which what to do with a remainder is a move too. Its random games draw safe lines
// by chance until none is left, then open the smallest chains first, with the decisions
// about remainders made right.
package dotsandboxes
