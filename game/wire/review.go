package wire

import "kibitz/game"

// Review is what an analysis of a whole game comes to.
type Review struct {
	// Accuracy is that of each seat, -1 if none of its turns was judged.
	Accuracy [2]float64 `json:"accuracy"`
	// Marks count the turns of each seat that were inexact, mistakes, blunders.
	Marks [2][3]int `json:"marks"`
	// Turns are those with a mark, and the costliest of each seat.
	Turns []ReviewedTurn `json:"turns"`
	// Slope makes chances to win of values: 1/(1+exp(-slope·value)); 0 if values are chances.
	Slope float64 `json:"slope,omitempty"`
}

// ReviewedTurn is a turn that lost something.
type ReviewedTurn struct {
	// Ply is the number of decisions before it.
	Ply  int       `json:"ply"`
	Seat game.Seat `json:"seat"`
	// Lost is what it lost of the chance to win, in percent; Points what of the game's own score, where it
	// has one.
	Lost   float64 `json:"lost"`
	Points float64 `json:"points,omitempty"`
	Mark   string  `json:"mark,omitempty"`
	// Rank is its place among the costliest of the seat, from 1, 0 for others.
	Rank int `json:"rank,omitempty"`
	// Best is the best turn, Good are first moves as good as its; in the journal's form.
	Best []string `json:"best"`
	Good []string `json:"good"`
}
