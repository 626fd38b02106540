package nogo

import "kibitz/games/nogo"

// reserve bounds the turns that a side still has: at least low, whatever the other
// side does, and at most high.
type reserve struct{ low, high int }

// reserves counts for both colours. Eyes that hang together over their chains can
// all be filled but one, and the last one too while the chains breathe elsewhere.
// No side can have more turns than harmless points, and where the eyes are all
// that chains have, one of them is none.
func reserves(b *nogo.Board) (r [2]reserve) {
	for colour := nogo.Black; colour <= nogo.White; colour++ {
		r[colour-1] = count(b, colour)
	}
	return r
}

// Decided returns the colour that wins however the other plays, Empty if counting
// eyes and harmless points does not tell. The colour to move must have a turn left.
func Decided(b *nogo.Board, toMove uint8) uint8 {
	r := reserves(b)
	own, other := r[toMove-1], r[2-toMove]
	switch {
	case own.low > other.high:
		return toMove
	case other.low >= own.high:
		return 3 - toMove
	}
	return nogo.Empty
}

func count(b *nogo.Board, colour uint8) (r reserve) {
	var eyes [nogo.MaxSize * nogo.MaxSize]int16
	n := 0
	for p := b.At(0, 0); p < b.Bound(); p++ {
		if b.Cell(p) != nogo.Empty {
			continue
		}
		if b.Harmless(p, colour) {
			r.high++
		}
		if eye(b, p, colour) {
			eyes[n] = int16(p)
			n++
		}
	}
	if n < 2 {
		return r
	}
	// Chains that share an eye are tied together: tie leads to the chain that
	// stands for them, 0 stands for itself.
	var tie [nogo.Points]int16
	find := func(h int16) int16 {
		for tie[h] != 0 {
			h = tie[h]
		}
		return h
	}
	for _, p := range eyes[:n] {
		one := int16(0)
		for _, d := range b.Sides() {
			if q := int(p) + d; b.Cell(q) == colour {
				switch h := find(int16(b.Head(q))); {
				case one == 0:
					one = h
				case h != one:
					tie[h] = one
				}
			}
		}
	}
	// Per group of chains: eyes, and how many liberties besides.
	var group, loose [nogo.Points]int16
	for _, p := range eyes[:n] {
		seen := int16(0)
		for _, d := range b.Sides() {
			if q := int(p) + d; b.Cell(q) == colour {
				seen = find(int16(b.Head(q)))
				loose[seen]--
			}
		}
		if group[seen]++; group[seen] > 1 {
			r.low++
		}
	}
	for p := b.At(0, 0); p < b.Bound(); p++ {
		if b.Cell(p) == colour && b.Head(p) == p {
			loose[find(int16(p))] += int16(b.Loose(p))
		}
	}
	for _, p := range eyes[:n] {
		for _, d := range b.Sides() {
			if q := int(p) + d; b.Cell(q) == colour {
				if h := find(int16(b.Head(q))); group[h] > 1 && loose[h] == 0 {
					group[h] = 0
					r.high--
				}
				break
			}
		}
	}
	return r
}
