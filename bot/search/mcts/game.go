package mcts

// Move is a move as the game numbers it. Where RAVE is wanted the numbers are small,
// see Options.Moves.
type Move uint32

// Game is what a type of position must be able to do for the tree. Sides are 0 and 1,
// and a side may be on turn several times running.
type Game[G any] interface {
	*G
	// Copy makes the position equal to another one of the same game.
	Copy(from *G)
	// Side returns the side to move.
	Side() uint8
	// Play makes a move that Moves has listed.
	Play(m Move)
	// Judge says what is certain about the game for the side to move. It is not asked
	// at the root.
	Judge() Proof
	// Moves appends the moves of the side to move with what is expected of them: none
	// when the game is over.
	Moves(dst []Choice) []Choice
	// Playout plays to the end and returns what that is worth to side 0, from 0, a
	// loss, to 1, and by how much side 0 is ahead then, where a game has points; that
	// is for Line alone. The position may be left anywhere. In first, which has Options.Moves
	// places, it notes for each move that was not made before in this round who made
	// it: the side and 1.
	Playout(r *Rand, first []uint8) (value, points float32)
}

// Choice is a move with what is expected of it.
type Choice struct {
	Move Move
	// Prior is the expected value for the side that makes the move, from 0 to 1.
	Prior float32
}

// Proof is what is known for certain about a side's game.
type Proof uint8

// The proofs.
const (
	Open Proof = iota
	Win
	Loss
	Draw
)

// reverse is the same proof for the other side.
func (p Proof) reverse() Proof {
	switch p {
	case Win:
		return Loss
	case Loss:
		return Win
	}
	return p
}

// Value is what a proof is worth to its side; of Open it is a half.
func (p Proof) Value() float32 {
	switch p {
	case Win:
		return 1
	case Loss:
		return 0
	}
	return 0.5
}

// Options says how a tree grows and chooses.
type Options struct {
	// Expand is how many rounds end at a node before it gets its moves.
	Expand float32
	// Explore is how much moves with few rounds are preferred, in units of value.
	Explore float32
	// Prior is how many rounds the prior counts as. If it is 0 there is no prior, and
	// every move is tried once before any is tried again.
	Prior float32
	// Trust is how many own rounds a move has when RAVE counts for no more than they
	// do. It matters only with Moves.
	Trust float32
	// Moves bounds the numbers of moves for RAVE: all are below it. 0 is no RAVE.
	Moves int
	// Cost is how many positions of the task a round counts as, 0 for 1.
	Cost int64
}

// Rand is a small generator of random numbers (xorshift64*). It must not be 0.
type Rand uint64

// Below returns a number from 0 to n-1; n is less than 2^32.
func (r *Rand) Below(n int) int {
	x := uint64(*r)
	x ^= x >> 12
	x ^= x << 25
	x ^= x >> 27
	*r = Rand(x)
	return int((x * 0x2545f4914f6cdd1d >> 32) * uint64(n) >> 32)
}
