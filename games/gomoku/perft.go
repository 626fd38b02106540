package gomoku

import (
	"kibitz/game"
	"kibitz/rules"
)

// Perft counts the leaves at a depth in turns. The last two stones of a plain
// game are not placed one by one: below the last turn every empty point is a
// leaf, whatever its verdict.
func (s *State) Perft(depth int) uint64 {
	switch {
	case depth <= 0:
		return 1
	case s.over:
		return 0
	}
	c := s.Clone().(*State)
	return c.turns(depth)
}

// turns counts the turns of the seat on turn, which may have begun.
func (s *State) turns(depth int) uint64 {
	n := uint64(s.empty)
	switch s.stage {
	case stageOpen:
		if depth == 1 {
			return falling(n, 3-int(s.step))
		}
	case stageMore:
		if depth == 1 {
			return falling(n, 3-int(s.step))
		}
	case stageChoose:
		if depth == 1 {
			total := 1 + n
			if s.Stones() == 3 {
				total += n * (n - 1)
			}
			return total
		}
	default:
		if !s.rules.continuous && !s.rules.passes {
			return s.stonesBelow(depth)
		}
		if depth == 1 {
			if s.mayPass() {
				n++
			}
			return n
		}
	}
	return s.stepwise(depth)
}

// falling returns n(n-1)... with k factors.
func falling(n uint64, k int) uint64 {
	total := uint64(1)
	for range k {
		total *= n
		n--
	}
	return total
}

// stepwise makes every decision on a copy.
func (s *State) stepwise(depth int) uint64 {
	var total uint64
	for _, m := range s.Legal(nil) {
		c := s.Clone().(*State)
		if _, err := c.Apply(m, nil); err != nil {
			continue
		}
		switch {
		case c.over && (depth > 1 || c.step > 0):
			// Over before the horizon. A turn that ends the game ends with it.
			if depth == 1 {
				total++
			}
		case c.step > 0:
			total += c.turns(depth)
		case depth == 1:
			total++
		default:
			total += c.turns(depth - 1)
		}
	}
	return total
}

// stonesBelow counts stone by stone in a plain game, on the board itself.
func (s *State) stonesBelow(depth int) uint64 {
	left := int(s.empty - s.fullAt) // stones until the board counts as full
	if depth > left || left <= 0 {
		return 0
	}
	if depth == 1 {
		return uint64(s.empty)
	}
	cells, board, c := s.board.cells, &s.board, s.colour
	var total uint64
	for y := range s.rules.height {
		row := board.Index(game.Pt(0, y))
		for i := row; i < row+s.rules.width; i++ {
			if cells[i] != Empty || board.Judge(i, c) != Quiet {
				continue
			}
			if depth == 2 {
				total += uint64(s.empty - 1)
				continue
			}
			cells[i] = c
			s.empty--
			s.colour = c.Other()
			total += s.stonesBelow(depth - 1)
			s.colour = c
			s.empty++
			cells[i] = Empty
		}
	}
	return total
}

var _ rules.Perfter = (*State)(nil)
