package nogo

// Perft counts sequences of harmless stones by alternate colours. The last stone
// is counted, not placed.
func (b *Board) Perft(colour uint8, depth int) uint64 {
	switch depth {
	case 0:
		return 1
	case 1:
		return uint64(b.Count(colour))
	}
	var n uint64
	next := Board{size: b.size, stride: b.stride, cell: b.cell}
	for y := range b.Size() {
		for p := b.At(0, y); p < b.At(b.Size(), y); p++ {
			if b.Harmless(p, colour) {
				next.Copy(b)
				next.Place(p, colour)
				n += next.Perft(3-colour, depth-1)
			}
		}
	}
	return n
}
