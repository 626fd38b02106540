package othello

// Flips returns the discs that a disc of the side to move on the square would
// turn over, 0 if none: then the move is illegal. The square must be empty and
// from 0 to 63.
//
// Each of the four lines through the square is gathered into a byte, bit x of it
// the square in column x (in a column, row x), and its flips are looked up.
func (b Board) Flips(square int) uint64 {
	s := uint(square) & 63
	x, y := s&7, s>>3
	own, opp := b.Own, b.Opp
	ends, runs := &lineEnds[x], &lineRuns[x]

	row := y * 8
	f := uint64(runs[ends[opp>>row&255]&uint8(own>>row)]) << row

	d := &diagonals[s]
	m := d[0]
	f |= uint64(runs[ends[opp&m*columnA>>56]&uint8(own&m*columnA>>56)]) * columnA & m
	m = d[1]
	f |= uint64(runs[ends[opp&m*columnA>>56]&uint8(own&m*columnA>>56)]) * columnA & m

	i := lineEnds[y][(opp>>x&columnA)*gather>>56] & uint8((own>>x&columnA)*gather>>56)
	return f | spread[lineRuns[y][i]]<<x
}

const (
	columnA = 0x0101010101010101 // a byte times it is in every row
	gather  = 0x0102040810204080 // moves column a into the top byte, row 1 lowest
)

// LastFlips returns the number of discs that a disc of one side on the only empty
// square would turn over, where own are all discs of that side.
func LastFlips(own uint64, square int) int {
	s := uint(square) & 63
	x, y := s&7, s>>3
	t, d := &lastRuns[x], &diagonals[s]
	return int(t[own>>(y*8)&255]) + int(t[own&d[0]*columnA>>56]) + int(t[own&d[1]*columnA>>56]) +
		int(lastRuns[y][(own>>x&columnA)*gather>>56])
}
