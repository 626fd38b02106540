package amazons

// Perft counts the leaves at a depth in turns, the last turn in bulk. A game that
// ended earlier counts nothing. The board is unchanged afterwards.
func (b *Board) Perft(depth int, rulings Rulings) uint64 {
	switch {
	case depth <= 0:
		return 1
	case b.over(rulings):
		return 0
	case depth == 1:
		return uint64(b.CountTurns())
	}
	if sq, ok := b.Shooter(); ok {
		return b.perftShots(sq, depth, rulings)
	}
	var n uint64
	var buf [4 * Size]uint8
	for i := range b.count[b.side] {
		from := int(b.queens[b.side][i])
		for _, to := range b.Reach(from, buf[:0]) {
			b.Shift(from, int(to))
			n += b.perftShots(int(to), depth, rulings)
			b.Unshift(from, int(to))
		}
	}
	return n
}

func (b *Board) perftShots(sq, depth int, rulings Rulings) uint64 {
	var n uint64
	var buf [4 * Size]uint8
	for _, at := range b.Reach(sq, buf[:0]) {
		b.Shoot(int(at))
		n += b.Perft(depth-1, rulings)
		b.Unshoot(int(at), sq)
	}
	return n
}
