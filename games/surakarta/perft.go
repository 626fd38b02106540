package surakarta

// Perft counts the leaves at a depth in plies, the last one in bulk. A game in
// which a side has no piece left counts nothing at greater depth; repetitions and
// plies without capture are not regarded. The board is unchanged afterwards.
func (b *Board) Perft(depth int) uint64 {
	switch {
	case depth <= 0:
		return 1
	case b.pieces[0] == 0 || b.pieces[1] == 0:
		return 0
	case depth == 1:
		return uint64(b.CountMoves())
	}
	var n uint64
	var buf [MaxMoves]Step
	for _, m := range b.Moves(buf[:0]) {
		took := b.Move(m)
		n += b.Perft(depth - 1)
		b.Unmove(m, took)
	}
	return n
}

// MaxMoves is a bound for the number of legal moves.
const MaxMoves = 8*Pieces + MaxCaptures
