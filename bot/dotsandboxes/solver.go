package dotsandboxes

import rule "kibitz/games/dotsandboxes"

// Solver finds the exact values of positions near the end. It is used by one
// goroutine.
type Solver struct {
	inner solver
	size  int
}

// NewSolver returns a solver whose table has about so many bytes, 64 MiB if 0.
func NewSolver(bytes int64) *Solver {
	if bytes <= 0 {
		bytes = tableBytes
	}
	s := &Solver{}
	s.inner.table.Resize(bytes)
	return s
}

// Forget empties the table.
func (s *Solver) Forget() { s.inner.table.Clear() }

// Solve returns how many of the boxes that are left the side to move gets more than
// the other one under best play. It looks at no more than most positions, 0 for no
// limit; if they do not suffice ok is false. Nodes is how many it looked at.
func (s *Solver) Solve(b *rule.Board, most int64) (value int, nodes int64, ok bool) {
	in := &s.inner
	if s.size != b.Size() {
		s.size = b.Size()
		in.resize(s.size)
		in.table.Clear()
	}
	in.begin(nil)
	in.most = most
	q := quiet{b.Drawn(), b.Open()}
	o := in.settle(&q)
	value = o.worth(in.value(&q, 0, -maxLines, maxLines))
	return value, in.nodes, !in.stopped
}
