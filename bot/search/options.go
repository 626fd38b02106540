package search

import "kibitz/game"

// Inf is beyond every value.
const Inf = 1<<21 - 1

// MaxPly is the longest line.
const MaxPly = 128

// Options says what a game wants of the search. The zero value of what is not
// described as necessary turns it off; what is then left is exact, which means that it
// finds the value of plain minimax.
type Options[P Position] struct {
	// Win is the value of having won at the root, below Inf-MaxPly: a win in n plies is
	// worth Win-n. Necessary.
	Win int
	// MateThreshold is the least mate score: values of at least that, on either side of 0,
	// count plies from the root like Win. Other values are below. Necessary.
	MateThreshold int
	// Enough is a value that ends the search at once, on either side of 0; 0 is none,
	// and it ends when the game is over within the depth.
	Enough int
	// MaxDepth is the deepest iteration, at most MaxPly; 0 is MaxPly/2.
	MaxDepth int
	// ChanceReduction is how many plies less is searched below a chance node: there are
	// many outcomes.
	ChanceReduction int
	// Limit returns how long lines may become in an iteration because of extensions;
	// nil is MaxPly.
	Limit func(depth int) int
	// TableBytes is the size of the transposition table while no limit of memory asks for less; 0 is
	// the least there is.
	TableBytes int64
	// PollEvery is after how many positions the task is asked whether to go on, a power
	// of two; 0 is 256. That is to take less than half a millisecond.
	PollEvery int64

	// HistorySize is the number of quiet moves that history tells apart; 0 does without history.
	HistorySize int
	// HistoryShift divides what history adds to the order of a move by a power of two.
	HistoryShift uint
	// Killers is what is added, instead of history, to the order of the two quiet moves
	// that last refuted something at the same ply; 0 does without them.
	Killers [2]int32

	// Aspiration is the half of the aspiration window: how far the value may be from that of the iteration before until
	// the root is searched again; 0 searches with an open window.
	Aspiration int
	// LateMoves is late move pruning. It returns how many moves of a position below the root are searched to a depth,
	// the first in their order, and at least one. If all of them lose the others are looked
	// at too: what was left out is no proof. nil searches all.
	LateMoves func(depth int) int
	// InternalReduction is the least depth of internal iterative reduction: a position of
	// which the table knows nothing is searched a ply less, because the order of its moves
	// is a guess; 0 does without. (E. Schröder, in Rebel.)
	InternalReduction int
	// Reduce is the late move reduction. It returns how many plies less the i-th move, from 0, is searched if it is
	// quiet and no killer. What turns out to be good is searched again in full.
	Reduce func(depth, i int) int
	// ReduceRoot has the first moves reduced too.
	ReduceRoot bool
	// NullReduction is how many plies less is searched after a null move, that of the
	// move itself included; 0 does without. NullDepth is from which depth on.
	NullReduction, NullDepth int
	// Futility holds the margins of futility pruning for the depths from 1 on: how much a
	// quiet move can gain at most. Where that does not come above alpha quiet moves are
	// left out.
	Futility []int
	// ReverseFutilityMargin is how much, for each ply of depth, the evaluation must be above
	// beta to be returned without search, up to ReverseFutilityDepth.
	ReverseFutilityMargin, ReverseFutilityDepth int

	// Fork returns a copy of a position for another goroutine. old is what it returned
	// the last time or P's zero value; its memory may be used again. nil searches with
	// one goroutine.
	Fork func(p, old P) P
	// Describe returns value and moves of a line for the outside: Eval, Bound and PV.
	// nil streams nothing.
	Describe func(l *Line) game.Info
}

// CarefulReduction is a late move reduction of one ply, and of two for the last of many
// moves in deep positions: see Options.Reduce.
func CarefulReduction(depth, i int) int {
	switch {
	case depth < 3 || i < 4:
		return 0
	case depth >= 6 && i >= 12:
		return 2
	}
	return 1
}
