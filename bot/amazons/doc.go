// Package amazons is the built-in player of the Game of the Amazons.
//
// The evaluation compares how many queen moves and how many king steps each side needs to
// every square, and how hemmed in single amazons are; its weights, fitted to games of the
// engine, glide with the number of squares that both sides can reach. The search is the
// alpha-beta of package search over whole turns and looks at the most promising turns
// only: amazon moves are ranked before their shots, then turns by evaluation. The last
// turn of a line is looked at without playing it. Once no square can be reached by both
// sides, the areas are filled by a search for the longest sequence of own turns.
package amazons
