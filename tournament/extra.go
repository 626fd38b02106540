package tournament

import "slices"

// extraGames are the games that orders have added to those of the format: of pairs that
// an organiser made, and of engines that came late.
type extraGames struct {
	plan   *Plan
	blocks []*block
	before int // games of each pair before that of the next block: its openings
}

// block is games that were added for pairs of engines.
type block struct {
	start, games, before int
	// number is that of the first match among all that were added.
	number  int
	matches [][2]int
	next    int // how many have been handed out
	// opening is the number, from 1, of the opening of all its games, 0 for those of
	// the plan in turn.
	opening int
	// late ones wait until nothing else is to start.
	late bool
}

func (b *block) len() int { return len(b.matches) * b.games }

// add takes in a block of games, whose numbers reserve gives.
func (x *extraGames) add(b *block, reserve func(n int) int) {
	if n := len(x.blocks); n > 0 {
		b.number = x.blocks[n-1].number + len(x.blocks[n-1].matches)
	}
	if x.plan.Repeat {
		x.before += x.before % 2
		b.games += b.games % 2
	}
	b.before = x.before
	x.before += b.games
	b.start = reserve(b.len())
	x.blocks = append(x.blocks, b)
}

func (x *extraGames) len() (n int) {
	for _, b := range x.blocks {
		n += b.len()
	}
	return n
}

// take hands out the next game.
func (x *extraGames) take(late bool) (Pairing, bool) {
	for _, b := range x.blocks {
		if b.late == late && b.next < b.len() {
			b.next++
			return x.game(b, b.start+b.next-1), true
		}
	}
	return Pairing{}, false
}

// has reports whether a game was added.
func (x *extraGames) has(index int) bool { return x.block(index) != nil }

func (x *extraGames) block(index int) *block {
	i := slices.IndexFunc(x.blocks, func(b *block) bool { return index >= b.start && index < b.start+b.len() })
	if i < 0 {
		return nil
	}
	return x.blocks[i]
}

// find returns a game by its number, false if it was not added.
func (x *extraGames) find(index int) (Pairing, bool) {
	b := x.block(index)
	if b == nil {
		return Pairing{}, false
	}
	return x.game(b, index), true
}

// game returns a game of a block by its number.
func (x *extraGames) game(b *block, index int) Pairing {
	w := wave{start: b.start, before: b.before, matches: len(b.matches), games: b.games, match: func(k int) (int, int) {
		return b.matches[k][0], b.matches[k][1]
	}}
	p := x.plan.at(&w, index)
	k := p.Pair - 1
	p.Pair += b.number
	if b.opening > 0 {
		p.Opening = b.opening - 1
	}
	if x.plan.Repeat {
		// A couple is two games that follow each other (see Plan.at).
		p.Shuffle = -(b.start + (index-b.start)/(2*len(b.matches))*len(b.matches) + k) - 1
	}
	return p
}
