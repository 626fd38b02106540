package search

import (
	"testing"

	"kibitz/bot"
)

// lots is a tree in which the moves 4 and 5 are drawn in every other position: they
// turn out to be a move from 1 to 3, or 6.
type lots struct {
	*tree
	narrow bool // outcomes are bounded by the evaluation
}

func (p *lots) fair() bool { return p.hash(9)&1 == 0 }

func (p *lots) numberOf(m int8) Move {
	if m >= 4 && p.fair() {
		return Move(m) | Chance
	}
	return Move(m)
}

// Enter keeps depths apart: drawn moves lead to the same position at different ones.
func (p *lots) Enter(n *Node) bool {
	over := p.tree.Enter(n)
	n.Key ^= uint64(n.Depth) << 40
	return over
}

func (p *lots) Moves(n *Node) {
	p.tree.Moves(n)
	for i := range n.Moves {
		m := &n.Moves[i]
		m.Move = p.numberOf(int8(m.Move))
		m.Order = int32(p.hash(uint64(i)) & 7)
	}
}

func (p *lots) ListOutcomes(m Move, n *Node) {
	n.Outcomes = p.outcomes(n.Outcomes, m)
	n.Least, n.Most = p.bounds()
}

func (p *lots) outcomes(list []Outcome, m Move) []Outcome {
	for _, to := range [...]Move{1, 2, 3, 6} {
		if k := int32(p.hash(uint64(m&7)<<20+uint64(to)) % 5); k > 0 || to == 1 {
			list = append(list, Outcome{Move: to, Weight: k + 1})
		}
	}
	return list
}

func (p *lots) bounds() (least, most int) {
	if v := p.Evaluate(); p.narrow {
		return v - 60, v + 60
	}
	return -testWin, testWin
}

// Noisy hides that of the tree, which lists nothing that is drawn, and all else too.
func (p *lots) Noisy(n *Node) { n.Moves = append(n.Moves, Ranked{Move: 1}) }

// expectiminimax is the value of a tree by trying everything.
func expectiminimax(p *lots, depth, less int) int {
	if v, over := p.over(); over && p.ply > 0 {
		return v
	}
	if p.extended() && p.ply > 0 && depth >= 0 {
		depth++
	}
	best := -Inf
	list := p.moves()
	if depth <= 0 {
		best = p.Evaluate()
		list = []int8{1}
	}
	for _, m := range list {
		var v int
		if x := p.numberOf(m); x&Chance != 0 {
			v = mean(p, x, depth-1-less, less)
		} else {
			p.Play(x)
			v = -expectiminimax(p, depth-1, less)
			p.Undo(x)
		}
		best = max(best, v)
	}
	return best
}

func mean(p *lots, m Move, depth, less int) int {
	sum, total := 0, 0
	least, most := p.bounds()
	for _, o := range p.outcomes(nil, m) {
		p.Play(o.Move)
		sum += int(o.Weight) * min(max(-expectiminimax(p, depth, less), least), most)
		total += int(o.Weight)
		p.Undo(o.Move)
	}
	for sum%total != 0 { // rounded down
		sum--
	}
	return sum / total
}

// The value is that of plain expectiminimax, whatever the options are that only order
// moves and choose windows.
func TestValueOfExpectiminimax(t *testing.T) {
	chances := 0
	for name, o := range exactOptions() {
		of := chanceOptions(o)
		for less := range 3 {
			of.ChanceReduction = less
			s := New(of)
			for i, p := range trees(9) {
				for _, narrow := range []bool{false, true} {
					s.Forget()
					for depth := 1; depth <= 4; depth++ {
						q := &lots{p, narrow}
						r := s.Run(&bot.Task{Depth: depth}, q, 1, 0)
						want := expectiminimax(q, depth, less)
						if v := r.Lines[0].Value; r.Depth == depth && v != want {
							t.Fatalf("%s: tree %d at depth %d is worth %d, want %d", name, i, depth, v, want)
						}
						if r.Lines[0].Move&Chance != 0 {
							chances++
						}
						if p.ply != 0 || p.sum != 0 {
							t.Fatalf("%s: the position has moved", name)
						}
					}
				}
			}
		}
	}
	if chances < 100 {
		t.Errorf("a drawn move was the best only %d times", chances)
	}
}

func chanceOptions(o Options[noisyTree]) Options[*lots] {
	return Options[*lots]{
		Win: o.Win, MateThreshold: o.MateThreshold, PollEvery: o.PollEvery, TableBytes: o.TableBytes,
		HistorySize: o.HistorySize, Killers: o.Killers, Aspiration: o.Aspiration,
	}
}

// Beneath what is drawn nothing is allocated either.
func TestDrawsAllocate(t *testing.T) {
	s, p := New(chanceOptions(sharp())), &lots{&tree{seed: 5, length: 200}, true}
	task := bot.Task{}
	run := func() {
		task = bot.Task{Depth: 6}
		s.Forget()
		s.Run(&task, p, 2, 0)
	}
	run()
	if n := testing.AllocsPerRun(5, run); n > 1 {
		t.Errorf("%v allocations for %d positions", n, task.Count())
	}
}

func TestFloor(t *testing.T) {
	for n := -30; n <= 30; n++ {
		for k := 1; k <= 7; k++ {
			if q := floor(n, k); q*k > n || q*k+k <= n {
				t.Errorf("%d / %d is %d", n, k, q)
			}
		}
	}
}
