package main

import "testing"

// A name is no move, also where a part of it reads like a pass.
func TestNamesAreNoMoves(t *testing.T) {
	const board = "BO[8 ---------------------------O*------*O--------------------------- *]"
	for game, want := range map[string]string{
		"(;GM[Othello]PB[scan]PW[panic-3]TY[8]" + board + ";)":               "D3",
		"(;GM[Othello]PB[d3]PW[C4]TY[8]" + board + ";)":                      "D3",
		"(;GM[Othello]PB[scan]PW[panic-3]TY[8]" + board + "B[d3//1]W[c3];)":  "B3",
		"(;GM[Othello]PB[scan]PW[panic-3]TY[8]" + board + "B[d3]W[c3]B[C4])": "E3",
	} {
		n := newNBoard(&faults{})
		n.setGame(game)
		if got := n.first(); got != want {
			t.Errorf("%s: %s, want %s", game, got, want)
		}
	}
}
