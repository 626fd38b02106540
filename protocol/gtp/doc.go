// Package gtp speaks the Go Text Protocol, version 2, with engines for games on a
// board of points: half of the world's Othello and five-in-a-row engines use it.
//
// A command is one line, "[id] name arguments"; a reply starts with "=" or "?",
// may have several lines and ends with an empty one. Connections skip empty
// lines, so the host takes the start of the next reply for the end of the one
// before it: replies come in the order of the commands, and a reply of several
// lines is always followed by a question of one.
//
// What differs from game to game is a form: a row of a table that says how a turn
// is written. Go boards have no column i and count rows from the bottom; Othello
// has all letters and row 1 at the top. The switches letters and rows exchange
// both for an engine that does otherwise.
package gtp
