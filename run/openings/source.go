// Package openings reads, picks or makes what the games of a run begin from, and orders it.
package openings

// Source says from where games begin.
type Source struct {
	// One of File, Suite and Random says where the openings come from: a file, a
	// suite of our own, or so many made by chance.
	File, Suite string
	Random      int
	// Level and Within go with Random; 0 and nil are what is usual.
	Level  int
	Within *float64
	// Plies cuts the openings of a file, or is how long those made are.
	Plies int
	// Shuffled plays them by lot; Start is the first to play, from 1; Turned turns and
	// mirrors them.
	Shuffled bool
	Start    int
	Turned   bool
}
