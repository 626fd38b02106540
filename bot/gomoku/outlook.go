package gomoku

// An outlook is what both sides threaten together: how many threes and fours each of them
// can make. What the points are worth one by one does not say that a four in reserve
// answers a three, or that two sides with threes are not as equal as two without.

// menaces is how many kinds of threats of one side an outlook tells apart.
const menaces = 4 * 3 * 2 * 2

// Outlooks is how many outlooks there are.
const Outlooks = menaces * menaces * 2

// outlook numbers the outlook with colour c on turn. An open four of the other side, which
// must be met, counts too; one of the own has won.
func (f *field) outlook(c int) int {
	own, foe := &f.count[c], &f.count[1-c]
	return (menace(own)*menaces+menace(foe))*2 + int(min(foe[cWinFour], 1))
}

// menace numbers what a side can make: open threes, fours, two threes at once, and a four
// with a three.
func menace(n *[classes]int16) int {
	m := 0
	switch threes := n[cThree]; {
	case threes > 5:
		m = 3
	case threes > 2:
		m = 2
	case threes > 0:
		m = 1
	}
	m *= 3
	switch fours := n[cFour] + n[cFourOn]; {
	case fours > 2:
		m += 2
	case fours > 0:
		m++
	}
	m = 2*m + int(min(n[cTwoThrees], 1))
	return 2*m + int(min(n[cFourAnd], 1))
}
