package gomoku

import "kibitz/games/gomoku"

// What a stone on a point makes of its four lines together.
const (
	cQuiet uint8 = iota
	cThree       // an open three
	cTwoThrees
	cFour    // a four that must be answered
	cFourOn  // a four, and in another line a three that is not open
	cFourAnd // a four and an open three
	cWinFour // an open four, or two fours
	cFive
	cFoul
	classes
	classMask = 15
	// suspect marks points whose legality only the judge of renju knows.
	suspect = 0x80
)

// card is what the four patterns of a point amount to for a colour. Weights are those
// of Weights.
type card struct {
	class uint8
	force int16 // for the order of threats
	turn  int16 // for the evaluation, if the colour is on turn
	wait  int16 // and if it is not
	own   int16 // for the order of moves, if the colour is on turn
	other int16 // and if it is not
}

var (
	forceOf = [patterns]int16{
		pClosed1: 1, pOpen1: 3, pWide1: 3, pClosed2: 5, pOpen2: 16, pWide2: 16, pClosed3: 20, pOpen3: 90, pWide3: 90,
		pClosed4: 95, pOpen4: 1200, pFive: 6000,
	}
	classForce = [classes]int16{cTwoThrees: 150, cFourAnd: 500, cWinFour: 800}
)

// cards are those of a colour by the patterns of a point, four bits for each line.
type cards [1 << 16]card

// deck is what a field knows of the worth of things.
type deck struct {
	cards    [2]*cards        // what four patterns amount to, by colour: black, white
	outlooks *[Outlooks]int16 // of Weights
}

func deal(rule gomoku.Rule, w *Weights) deck {
	var all [2]*cards
	for c := range all {
		k := kindOf(rule, stone(c))
		if c == white && k == kindOf(rule, gomoku.Black) {
			all[c] = all[black]
			continue
		}
		all[c] = new(cards)
		turn, wait := setOf(k, 0), setOf(k, 1)
		var p [4]uint8
		for p[0] = range patterns {
			for p[1] = range patterns {
				for p[2] = range patterns {
					for p[3] = range patterns {
						n := combination(p)
						class, force := combine(k, p)
						all[c][packed(p)] = card{class, force, w.Value[turn+n], w.Value[wait+n], w.Order[turn+n], w.Order[wait+n]}
					}
				}
			}
		}
	}
	return deck{all, &w.Outlook}
}

// packed spells the patterns of four lines in four bits each.
func packed(p [4]uint8) uint16 {
	return uint16(p[0]) | uint16(p[1])<<4 | uint16(p[2])<<8 | uint16(p[3])<<12
}

// combine says what four patterns come to.
func combine(k kind, p [4]uint8) (class uint8, force int16) {
	var n [patterns]int
	for _, x := range p {
		n[x]++
		force += forceOf[x]
	}
	fours := n[pClosed4] + n[pOpen4]
	threes := n[pOpen3] + n[pWide3]
	switch {
	case n[pFive] > 0:
		class = cFive
	case k == blackRenju && (n[pFoul] > 0 || fours > 1):
		return cFoul, 0
	case n[pOpen4] > 0, fours > 1 && !k.caro():
		class = cWinFour
	case fours > 0 && threes > 0:
		class = cFourAnd
	case fours > 0 && n[pClosed3] > 0:
		class = cFourOn
	case fours > 0:
		class = cFour
	case threes > 1:
		class = cTwoThrees
	case threes > 0:
		class = cThree
	}
	force += classForce[class]
	if k == blackRenju && threes > 1 && class != cFive {
		class |= suspect
	}
	return class, force
}
