package dotsandboxes

import (
	"math"
	"math/bits"

	"kibitz/bot"
	rule "kibitz/games/dotsandboxes"
)

// node is a quiet position in the tree, reached by a line and what the other side
// took after it. Its sums are over the continuations that were tried.
type node struct {
	drawn  rule.Lines
	first  int32 // the first of its children
	count  int32 // of children
	visits int32
	line   rule.Line
	what   outcome8
	worth  float32 // sum of the values for the side to move here
	score  float32 // sum of the scores for the side that drew the line
}

// outcome8 is an outcome in two bytes.
type outcome8 struct{ taken, hand int8 }

const nodeBytes = 48

// tree grows a tree of continuations.
type tree struct {
	settler
	size    int
	all     rule.Lines
	nodes   []node
	most    int
	task    *bot.Task
	seed    uint64
	work    int64 // positions not yet counted
	stopped bool
	list    []choice
	played  []outcome
}

func (t *tree) resize(size int) {
	t.size, t.all, t.board = size, rule.AllLines(size), boxesOf(size)
}

// begin plants the tree on a quiet position; at most is its size in bytes.
func (t *tree) begin(task *bot.Task, q quiet, seed uint64, most int64) {
	t.task, t.seed, t.stopped, t.work = task, seed|1, false, 0
	t.most = int(max(most/nodeBytes, 256))
	t.nodes = append(t.nodes[:0], node{drawn: q.drawn})
	t.expand(0)
}

func (t *tree) random(n int) int {
	t.seed ^= t.seed << 13
	t.seed ^= t.seed >> 7
	t.seed ^= t.seed << 17
	hi, _ := bits.Mul64(t.seed*0x9e3779b97f4a7c15, uint64(n))
	return int(hi)
}

func (t *tree) open(i int32) quiet {
	d := t.nodes[i].drawn
	return quiet{d, t.all.Without(d)}
}

// expand gives a node its children, unless the tree is full.
func (t *tree) expand(i int32) {
	q := t.open(i)
	t.list = q.choices(t.list[:0], t.size, t.board)
	if i > 0 && len(t.nodes)+len(t.list) > t.most {
		return
	}
	t.nodes[i].first, t.nodes[i].count = int32(len(t.nodes)), int32(len(t.list))
	for k := len(t.list) - 1; k > 0; k-- { // no preference among those not tried yet
		j := t.random(k + 1)
		t.list[k], t.list[j] = t.list[j], t.list[k]
	}
	for _, c := range t.list {
		next := q
		next.draw(c.line)
		o := t.settle(&next)
		t.nodes = append(t.nodes, node{drawn: next.drawn, line: c.line, what: outcome8{int8(o.taken), int8(o.hand)}})
	}
}

// explore weighs what was tried little against what was good.
const explore = 0.5

// pick returns the child to try next.
func (t *tree) pick(n *node) int32 {
	best, at := math.Inf(-1), n.first
	root := explore * math.Sqrt(math.Log(float64(n.visits)+1))
	for i := n.first; i < n.first+n.count; i++ {
		c := &t.nodes[i]
		if c.visits == 0 {
			return i
		}
		v := float64(c.score)/float64(c.visits) + root/math.Sqrt(float64(c.visits))
		if v > best {
			best, at = v, i
		}
	}
	return at
}

// try plays one continuation from a node and returns its value for the side to move
// there, whose boxes are lead more than those of the other side.
func (t *tree) try(i int32, lead int) int {
	n := &t.nodes[i]
	n.visits++
	t.work++
	q := t.open(i)
	if q.open.Empty() {
		return 0
	}
	if n.count == 0 {
		if n.visits > 1 {
			t.expand(i)
		}
		if n = &t.nodes[i]; n.count == 0 {
			return t.playout(q)
		}
	}
	at := t.pick(n)
	c := &t.nodes[at]
	taken, hand := int(c.what.taken), int(c.what.hand)
	var v, x int
	if float64(c.worth)+float64(hand)*float64(c.visits) >= 0 {
		x = t.try(at, taken+hand-lead)
		v = -(taken + hand + x)
	} else { // the other side leaves what it has in hand
		x = t.try(at, lead-taken+hand)
		v = hand + x - taken
	}
	c = &t.nodes[at]
	c.worth += float32(x)
	c.score += t.score(lead + v)
	return v
}

// score prefers to win, then to win by more.
func (t *tree) score(final int) float32 {
	v := 0.25 * float32(final) / float32(t.size*t.size)
	switch {
	case final > 0:
		v += 0.75
	case final < 0:
		v -= 0.75
	}
	return v
}

// playout draws safe lines by chance until there is none, then opens the smallest
// chains first, and returns the value for the side to move.
func (t *tree) playout(q quiet) int {
	t.played = t.played[:0]
	for !q.open.Empty() {
		t.work++
		if safe := q.safe(); !safe.Empty() {
			k := t.random(safe.Count())
			for ; k > 0; k-- {
				safe = safe.Rest()
			}
			q.draw(safe.First())
			t.played = append(t.played, outcome{})
			continue
		}
		t.list = q.chains(t.list[:0], t.board)
		least := t.list[0]
		for _, c := range t.list[1:] {
			if c.boxes < least.boxes {
				least = c
			}
		}
		q.draw(least.line)
		t.played = append(t.played, t.settle(&q))
	}
	w := 0
	for i := len(t.played) - 1; i >= 0; i-- {
		w = -t.played[i].worth(w)
	}
	return w
}

// grow tries n continuations and reports whether it was not stopped.
func (t *tree) grow(n, lead int) bool {
	for range n {
		t.try(0, lead)
		if t.work >= 1024 {
			if t.task.Poll(t.work) {
				t.stopped = true
			}
			t.work = 0
		}
		if t.stopped {
			return false
		}
	}
	return true
}

// flush counts what was not passed on.
func (t *tree) flush() {
	t.task.Poll(t.work)
	t.work = 0
}

// candidate is a line of the quiet position with its value for the side that draws
// it.
type candidate struct {
	line  rule.Line
	value float64 // boxes
	rank  float64 // by which candidates are sorted
	leave bool    // the line leaves what is in hand
}

// candidates appends the lines of the root, most often tried first.
func (t *tree) candidates(dst []candidate) []candidate {
	n := &t.nodes[0]
	for i := n.first; i < n.first+n.count; i++ {
		c := &t.nodes[i]
		w := float64(c.worth) / float64(max(c.visits, 1))
		h := float64(c.what.hand)
		v := w
		if h > 0 {
			v = math.Abs(w + h)
		}
		dst = append(dst, candidate{line: c.line, value: -float64(c.what.taken) - v, rank: float64(c.visits)})
	}
	return dst
}
