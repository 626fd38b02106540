package phantomgo

// placements returns the number of legal placements of a colour.
func (b *Board) placements(colour uint8) int {
	n := 0
	for y := range b.Size() {
		for p := At(0, y); p < At(b.Size(), y); p++ {
			if b.cell[p] == Empty && b.Legal(p, colour) {
				n++
			}
		}
	}
	return n
}

// Perft counts sequences of placements and passes as the referee sees them, under
// simple ko. Two passes in a row end the game, and so does the limit: left is how
// many moves it still allows. passes says how many passes came just before.
func (b *Board) Perft(colour uint8, passes, left, depth int) uint64 {
	switch {
	case depth == 0:
		return 1
	case passes == 2 || left <= 0:
		return 0
	case depth == 1:
		return uint64(b.placements(colour)) + 1
	}
	var n uint64
	b.each(colour, func(next *Board) { n += next.Perft(3-colour, 0, left-1, depth-1) })
	next := *b
	next.Pass()
	return n + next.Perft(3-colour, passes+1, left-1, depth-1)
}

// each calls f with the board after each legal placement. The board belongs to f
// during the call.
func (b *Board) each(colour uint8, f func(next *Board)) {
	var next Board
	for y := range b.Size() {
		for p := At(0, y); p < At(b.Size(), y); p++ {
			if b.cell[p] == Empty && b.Legal(p, colour) {
				next = *b
				next.Place(p, colour)
				f(&next)
			}
		}
	}
}
