// Package gamebase keeps finished games in one file and answers what was played in
// a position: how often, with what result, by whom and when.
//
// A base is an SQLite database. Each game is one row with its moves packed into a
// few hundred bytes. For each position and each move played there one more row
// counts the games, their results and their scores on the board, and lists their
// numbers; so a look-up reads a handful of rows however large the base is, and
// games can be found by a position.
//
// Positions are known by a number (Keyer) that is the same for all images of a
// position under the symmetries of its board, however the position was reached. It
// is made from what the arbiter sees of the board, who is on turn by colour, and
// within a turn the legal decisions; counters of repetition, of moves without a
// capture and the like are no part of it. It has 64 bits: among thirty million
// positions two have the same number with a probability of 1 in 40,000.
//
// The package knows no rules: whoever adds a game replays it and passes the
// positions in.
package gamebase
