// Package gomoku is five in a row: freestyle, standard, renju and caro, on any
// board from 5 to 127 points a side, with the swap2 opening and the continuous
// game of the Gomocup manager.
//
// Points are written as a column letter counted from the left and a row number
// counted from the top (h8); columns after z are aa, ab and so on. The choices of
// swap2 are the words stay, swap and two. A position is the list of its decisions
// ("h8i9g7 swap i8"), or a diagram of rows, see State.Text.
//
// Board is the judge without turns and results: a padded board that says what a
// stone on a point would be. It serves players as well as the rules.
package gomoku
