package nogo

import "kibitz/games/nogo"

// worth is what a point without stones of the other side around it may become, by
// the number of own stones and border on its four sides: an eye in the end.
var worth = [5]float32{0, 0.04, 0.16, 0.5, 1.2}

// hope returns what an empty point is worth to a colour as an eye.
func hope(b *nogo.Board, p int, colour uint8) float32 {
	n := 0
	for _, d := range b.Sides() {
		switch b.Cell(p + d) {
		case nogo.Empty:
		case 3 - colour:
			return 0
		default:
			n++
		}
	}
	return worth[n]
}

// guess returns how good a harmless point looks, from 0 to 1, by what a stone
// there does to the hopes of both colours nearby.
func guess(b *nogo.Board, p int, colour uint8) float32 {
	v := hope(b, p, 3-colour) - hope(b, p, colour)
	for _, d := range b.Sides() {
		q := p + d
		if b.Cell(q) != nogo.Empty {
			continue
		}
		v += hope(b, q, 3-colour)
		if own := hope(b, q, colour); own > 0 || untouched(b, q, colour) {
			v += more(own) - own
		}
	}
	if !b.Harmless(p, 3-colour) {
		v -= 1 // there is time
	}
	return 0.5 + 0.5*v/(1+abs(v))
}

// untouched reports whether no stone of the other colour stands beside a point.
func untouched(b *nogo.Board, p int, colour uint8) bool {
	for _, d := range b.Sides() {
		if b.Cell(p+d) == 3-colour {
			return false
		}
	}
	return true
}

// more returns the hope with one more stone around the point.
func more(v float32) float32 {
	for i := range worth[:4] {
		if v <= worth[i] {
			return worth[i+1]
		}
	}
	return v
}

func abs(v float32) float32 {
	if v < 0 {
		return -v
	}
	return v
}
