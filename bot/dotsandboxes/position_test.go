package dotsandboxes

import (
	"math/rand/v2"
	"testing"

	"kibitz/bot/search/mcts"
	rule "kibitz/games/dotsandboxes"
)

// best tries every move of the tree and returns by how much side 0 is ahead in the end.
func best(p *position) int {
	list := p.Moves(nil)
	if len(list) == 0 {
		return p.lead
	}
	value, found := 0, false
	for _, c := range list {
		var next position
		next.Copy(p)
		next.Play(c.Move)
		if v := best(&next); !found || (v > value) == (p.Side() == 0) {
			value, found = v, true
		}
	}
	return value
}

// The moves of the tree come to what the solver says, and a random game to no more
// boxes than there are, whoever leads and whatever is in hand.
func TestTreeMovesAreTheGame(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	inHand := 0
	seed := mcts.Rand(1)
	for range 60 {
		b := rule.NewBoard(3)
		for b.Open().Count() > 8 {
			open := b.Open()
			for range r.IntN(open.Count()) {
				open = open.Rest()
			}
			b.Draw(open.First())
		}
		want, _, ok := NewSolver(1<<20).Solve(&b, 0)
		if !ok {
			t.Fatal("not solved")
		}
		p := position{settler: settler{board: boxesOf(3)}, size: 3, quiet: quiet{b.Drawn(), b.Open()}}
		left := 9 - b.Boxes(0) - b.Boxes(1)
		o := p.settle(&p.quiet)
		p.gain(o.taken)
		if p.hand = o.hand; o.hand > 0 {
			inHand++
		}
		if got := best(&p); got != want {
			t.Fatalf("%v in hand: the moves come to %d, the solver says %d", o, got, want)
		}
		value, points := p.Playout(&seed, nil)
		if n := int(points); n < -left || n > left || (n+left)%2 != 0 || (value > 0.5) != (n > 0) {
			t.Fatalf("a game about %d boxes ends with %v, worth %v", left, points, value)
		}
	}
	if inHand < 5 {
		t.Errorf("only %d positions with something in hand", inHand)
	}
}
