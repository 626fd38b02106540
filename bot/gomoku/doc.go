// Package gomoku is the built-in player of five in a row, for every rule and
// every size of board.
//
// Each empty point knows, for both colours and four directions, what a stone on
// it would make of the line: a five, an open or a closed four, three, two or one.
// These patterns are looked up by the ten points around and kept up to date stone
// by stone. They give the evaluation and the order of the candidate moves, by weights
// that were learned from its own games (internal/train), and the threats to which a
// search must answer. The search is alpha-beta (package search) over
// candidates near the stones; where it ends, and before it begins, a search of fours
// alone looks for forced wins. The strongest level also looks for wins by threats, open
// threes among them: for itself between the iterations, and for the other side behind
// each first move that would be the best. A stone under an open three is then one of
// the few that can meet it.
//
// The continuous game is played without search, by the patterns of the moment.
package gomoku
