// Package connect6 is six in a row with two stones a turn: black begins with one
// stone, then each turn places two, and six or more in a line win. It holds the
// rules, a fast board for engines, and the texts of moves and positions.
//
// Points are written as a column letter counted from the left and a row number
// counted from the top (j10), as in five in a row.
package connect6
