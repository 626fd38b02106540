package nogo

import "kibitz/games/nogo"

// solver finds out who wins by playing all that is left.
type solver struct {
	boards []nogo.Board // by depth; made with seen when they are first needed
	seen   []uint64     // hashes of decided positions; the lowest bit says who wins
	nodes  int64
	limit  int64
	poll   func(n int64) bool
	ended  bool
}

const (
	solverSlots = 1 << 17
	pollEvery   = 256
)

// solve looks for a winning turn of a colour. found is 0 if every turn loses;
// done says that the answer is certain.
func (s *solver) solve(b *nogo.Board, colour uint8, limit int64, poll func(n int64) bool) (found int, done bool) {
	if s.seen == nil {
		s.seen = make([]uint64, solverSlots)
		s.boards = make([]nogo.Board, nogo.MaxSize*nogo.MaxSize+2)
	}
	s.nodes, s.limit, s.poll, s.ended = 0, limit, poll, false
	s.boards[0].Copy(b)
	found = s.search(0, colour)
	return found, !s.ended
}

// search returns a winning point for the colour, 0 if there is none (or the
// search has ended).
func (s *solver) search(depth int, colour uint8) int {
	b, next := &s.boards[depth], &s.boards[depth+1]
	var at [nogo.MaxSize * nogo.MaxSize]int16
	var rank [nogo.MaxSize * nogo.MaxSize]float32
	n := 0
	for p := b.At(0, 0); p < b.Bound(); p++ {
		if !b.Harmless(p, colour) {
			continue
		}
		g := guess(b, p, colour)
		i := n
		for ; i > 0 && rank[i-1] < g; i-- {
			at[i], rank[i] = at[i-1], rank[i-1]
		}
		at[i], rank[i] = int16(p), g
		n++
	}
	for _, p := range at[:n] {
		next.Copy(b)
		next.Place(int(p), colour)
		if s.lost(depth+1, 3-colour) {
			return int(p)
		}
		if s.ended {
			break
		}
	}
	return 0
}

// lost reports whether the colour to move on a board has lost; false without
// meaning once the search has ended.
func (s *solver) lost(depth int, colour uint8) bool {
	b := &s.boards[depth]
	switch Decided(b, colour) {
	case colour:
		return false
	case 3 - colour:
		return true
	}
	key := b.Hash()
	if colour == nogo.White {
		key = ^key
	}
	slot := &s.seen[key>>1%solverSlots]
	if *slot>>1 == key>>1 {
		return *slot&1 == 1
	}
	if s.nodes++; s.nodes >= s.limit || s.nodes%pollEvery == 0 && s.poll(pollEvery) {
		s.ended = true
		return false
	}
	win := s.search(depth, colour)
	if s.ended {
		return false
	}
	*slot = key &^ 1
	if win == 0 {
		*slot |= 1
	}
	return win == 0
}
