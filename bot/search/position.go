package search

// Move is a move as the game numbers it. 0 is none.
type Move uint32

// Ranked is a move of a list.
type Ranked struct {
	Move Move
	// HistoryIndex is 0 for a noisy move: a capture, a threat. A quiet move has its index
	// of history, below Options.HistorySize: the same whenever the same side does the same.
	HistoryIndex int32
	// Order is what the game thinks of the move; the largest is searched first.
	// History and killers are added to it, and it must stay below 1<<29.
	Order int32
}

// Node is a position under search.
type Node struct {
	// Ply is the number of moves since the root, Depth the number of plies to search.
	Ply, Depth int
	// PV says that the node is of the principal variation: the window is open.
	PV bool
	// Meter counts positions that the game looks at on its own.
	Meter *Meter

	// Key is the number by which the table knows the position, set by Enter.
	Key uint64
	// Value is what Enter and ProveWin know of the position, and after Moves what a
	// position without a move is worth; always for the side on turn.
	Value int
	// Moves is the list that Moves appends to; it is empty then.
	Moves []Ranked
	// Floor is set by Moves if it left moves out on which a loss would not be
	// believed: the position is then worth no less. -Inf leaves none out.
	Floor int
	// Outcomes is the list that ListOutcomes appends to; it is empty then. Least and Most, which
	// ListOutcomes may set, bound what an outcome is worth to the side that has moved: what is
	// beyond counts as these. They are -Win and Win before.
	Outcomes    []Outcome
	Least, Most int

	killers [2]Move
	line    []Move
}

// Position is a game's fast board. The search moves it about and asks it; it belongs
// to one goroutine. All values are those for the side on turn.
type Position interface {
	// Enter looks at the position that a move led to, or the root, where the result
	// is ignored. It sets n.Key, and returns true if the game is over here, or as
	// good as over, by n.Value. It may change n.Depth to extend the search or to cut it.
	Enter(n *Node) bool
	// Evaluate returns the value without search.
	Evaluate() int
	// Moves appends the moves to n.Moves.
	Moves(n *Node)
	// Play makes a move, Undo takes back the last one, which it was.
	Play(m Move)
	Undo(m Move)
}

// Quiescence is a position that has noisy moves: captures and threats.
type Quiescence interface {
	// Noisy appends the moves that must be looked at before the value of the position
	// can be believed. Its side may always make another.
	Noisy(n *Node)
}

// NullMover is a position in which the null move says something: if the other side
// gains nothing by moving twice, the position is good.
type NullMover interface {
	// CanNull reports whether being on turn is certainly no disadvantage.
	CanNull() bool
	// MakeNull hands over the turn, UnmakeNull takes that back.
	MakeNull()
	UnmakeNull()
}

// WinProver is a position that can be settled by a search of its own, of threats for
// example.
type WinProver interface {
	// ProveWin returns true if the value is at least n.Value whatever follows. move is
	// what to begin with. It is asked where the table knows nothing, before Moves, and
	// at the leaves, where n.Depth is 0 or less, unless Evaluate is good enough there.
	ProveWin(n *Node) (move Move, ok bool)
}

// Frontier is a position that looks at the last ply on its own: where there are many moves
// and their values are those of the evaluation, that costs less than to play them.
type Frontier interface {
	// SearchFrontier looks at the moves of a position that has one ply left. It sets n.Value to
	// the value of the best and returns that; what is outside of the window from alpha to
	// beta need not be more than a bound on the same side of it. Without a move it returns
	// 0, and n.Value is what the position is worth then. It may use n.Moves, which is empty,
	// and counts by n.Meter the positions that it evaluates; when that says so it gives up.
	SearchFrontier(n *Node, alpha, beta int) Move
}

// RootVerifier is a position with a search of its own that is too dear for every node and
// looks at the first moves only. It belongs to the goroutine of the task.
type RootVerifier interface {
	// ProveRoot is asked at the root before each iteration but the first. It returns true
	// if a move is worth n.Value at least, and the search ends with it.
	ProveRoot(n *Node) (move Move, ok bool)
	// VerifyRoot is told, at the root, a first move that would be the best of its iteration
	// so far with the value v. It returns what the move is worth, at most v.
	VerifyRoot(n *Node, m Move, v int) int
}
