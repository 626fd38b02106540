package darkchess

import (
	"fmt"
	"math/bits"
	"math/rand/v2"

	"kibitz/game"
	"kibitz/rules"
)

// Shuffle returns the dealer that lays out the whole set from a seed before the
// game: whoever flips a square, and whenever, finds the same piece there.
//
// The layout can be checked by anybody who knows the seed. The 32 pieces in
// canonical order (K G G M M ... p p p p p) lie on the squares a8 b8 c8 d8 a7 ...
// d1; then for i from 31 down to 1 the pieces on squares i and j change places,
// j being the next number of the ChaCha8 generator of the seed modulo i+1, where
// numbers from the largest multiple of i+1 below 2^64 upwards are skipped.
//
// In a set-up position whose face-down pieces do not agree with that layout, the
// pieces that are face down are laid out in the same way over the squares that
// are face down.
func (r *ruleSet) Shuffle(seed [32]byte) rules.Dealer { return &dealer{seed: seed} }

type dealer struct {
	seed [32]byte
	laid bool
	on   [Squares]uint8
}

// Deal returns the piece on the square that is being turned over.
func (d *dealer) Deal(st rules.State) (game.Move, error) {
	s, ok := st.(*State)
	if !ok || s.pending == noSquare {
		return game.Move{}, fmt.Errorf("the dealer was asked although nothing is being turned over")
	}
	if !d.laid {
		d.lay(&s.board)
		d.laid = true
	}
	piece := d.on[s.pending]
	m := game.DealAt(point(int(s.pending)), int(piece))
	if err := s.checkDeal(m); err != nil {
		return game.Move{}, fmt.Errorf("the position does not belong to this shuffle: %w", err)
	}
	return m, nil
}

func (d *dealer) lay(b *Board) {
	layOut(d.seed, everywhere, FullSet, &d.on)
	var found [Pieces]uint8
	for set := b.at[Hidden]; set != 0; set &= set - 1 {
		found[d.on[bits.TrailingZeros32(set)]]++
	}
	if found != b.down {
		layOut(d.seed, b.at[Hidden], b.down, &d.on)
	}
}

// layOut lays pieces over a set of squares that has as many.
func layOut(seed [32]byte, squares uint32, count [Pieces]uint8, on *[Squares]uint8) {
	var at []int
	for ; squares != 0; squares &= squares - 1 {
		at = append(at, bits.TrailingZeros32(squares))
	}
	i := 0
	for p, n := range count {
		for range n {
			on[at[i]] = uint8(p)
			i++
		}
	}
	source := rand.NewChaCha8(seed)
	for i := len(at) - 1; i > 0; i-- {
		j := below64(source, uint64(i+1))
		on[at[i]], on[at[j]] = on[at[j]], on[at[i]]
	}
}

// below64 returns a number from 0 to n-1, all equally likely.
func below64(source *rand.ChaCha8, n uint64) uint64 {
	rest := -n % n // 2^64 modulo n
	for {
		if x := source.Uint64(); x <= ^uint64(0)-rest {
			return x % n
		}
	}
}
