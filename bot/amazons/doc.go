// Package amazons is the built-in player of the Game of the Amazons.
//
// The evaluation compares how many queen moves and how many king steps each side
// needs to every square; its weights glide from freedom of movement to bare
// territory as the areas part. The search is an iterative alpha-beta over whole
// turns that looks at the most promising turns only: amazon moves are ranked
// before their arrows, then turns by evaluation. Once no square can be reached by
// both sides, the areas are filled by a search for the longest sequence of own
// turns.
package amazons
