package tournament

import "slices"

// cheapest pairs n people, n even, so that the sum of the costs is as small as it
// can be: a perfect matching of least weight in a complete graph. Costs are from
// 0 to 2^58. The method is that of Edmonds (blossoms, primal and dual) in its
// dense form, O(n³). It returns everybody's partner.
func cheapest(n int, cost func(a, b int) int64) []int {
	var top int64
	for a := range n {
		for b := range a {
			top = max(top, cost(a, b))
		}
	}
	m := newMatcher(n)
	for a := range n {
		for b := range n {
			if a != b {
				// Positive for every pair, so that the heaviest matching is perfect.
				m.edge[a+1][b+1].weight = top + 1 - cost(a, b)
			}
		}
	}
	for m.phase(top + 1) {
	}
	out := make([]int, n)
	for i := range out {
		out[i] = int(m.mate[i+1]) - 1
	}
	return out
}

// link is an edge between two vertices of the graph; between blossoms it is the
// one that stands for all.
type link struct {
	u, v   int32
	weight int64
}

// The sides a blossom may have in the forest of a phase.
const (
	outside = -1
	even    = 0
	odd     = 1
)

// matcher works on vertices 1 to n and on blossoms n+1 to last; 0 is nobody.
type matcher struct {
	n, last int
	edge    [][]link
	dual    []int64
	mate    []int32   // the vertex at the other end
	slack   []int32   // the even vertex that is nearest
	outer   []int32   // the outermost blossom, 0 for a number not in use
	parent  []int32   // the vertex in the tree above
	side    []int8    //
	seen    []int32   // the search that came by
	petals  [][]int32 // the blossoms in a blossom, from its base
	holds   [][]int32 // the petal that holds a vertex
	queue   []int32
	search  int32
	started bool
}

func newMatcher(n int) *matcher {
	size := 2*n + 1
	m := &matcher{n: n, last: n}
	m.edge = make([][]link, size)
	m.holds = make([][]int32, size)
	for i := range m.edge {
		m.edge[i] = make([]link, size)
		m.holds[i] = make([]int32, n+1)
		for j := range m.edge[i] {
			m.edge[i][j].u, m.edge[i][j].v = int32(i), int32(j)
		}
	}
	m.dual = make([]int64, size)
	m.mate, m.slack, m.outer = make([]int32, size), make([]int32, size), make([]int32, size)
	m.parent, m.seen, m.side = make([]int32, size), make([]int32, size), make([]int8, size)
	m.petals = make([][]int32, size)
	for v := 1; v <= n; v++ {
		m.outer[v] = int32(v)
		m.holds[v][v] = int32(v)
	}
	return m
}

// reduced is how far an edge is from being tight.
func (m *matcher) reduced(e *link) int64 {
	return m.dual[e.u] + m.dual[e.v] - 2*m.edge[e.u][e.v].weight
}

func (m *matcher) nearer(u, x int32) {
	if s := m.slack[x]; s == 0 || m.reduced(&m.edge[u][x]) < m.reduced(&m.edge[s][x]) {
		m.slack[x] = u
	}
}

func (m *matcher) findSlack(x int32) {
	m.slack[x] = 0
	for u := int32(1); u <= int32(m.n); u++ {
		if m.edge[u][x].weight > 0 && m.outer[u] != x && m.side[m.outer[u]] == even {
			m.nearer(u, x)
		}
	}
}

func (m *matcher) push(x int32) {
	if x <= int32(m.n) {
		m.queue = append(m.queue, x)
		return
	}
	for _, p := range m.petals[x] {
		m.push(p)
	}
}

func (m *matcher) setOuter(x, b int32) {
	m.outer[x] = b
	if x > int32(m.n) {
		for _, p := range m.petals[x] {
			m.setOuter(p, b)
		}
	}
}

// evenWay returns the place of a petal in its blossom, which is turned so that the
// way to it from the base has an even length.
func (m *matcher) evenWay(b, petal int32) int {
	list := m.petals[b]
	i := slices.Index(list, petal)
	if i%2 == 0 {
		return i
	}
	slices.Reverse(list[1:])
	return len(list) - i
}

// join makes v the partner of u, and of what is in u where that is a blossom.
func (m *matcher) join(u, v int32) {
	e := m.edge[u][v]
	m.mate[u] = e.v
	if u <= int32(m.n) {
		return
	}
	petal := m.holds[u][e.u]
	at := m.evenWay(u, petal)
	list := m.petals[u]
	for i := range at {
		m.join(list[i], list[i^1])
	}
	m.join(petal, v)
	m.petals[u] = append(slices.Clone(list[at:]), list[:at]...)
}

func (m *matcher) augment(u, v int32) {
	for {
		next := m.outer[m.mate[u]]
		m.join(u, v)
		if next == 0 {
			return
		}
		up := m.outer[m.parent[next]]
		m.join(next, up)
		u, v = up, next
	}
}

// meeting returns where the ways of two even blossoms to their roots meet, 0 if
// they are in different trees.
func (m *matcher) meeting(u, v int32) int32 {
	m.search++
	for u != 0 || v != 0 {
		if u != 0 {
			if m.seen[u] == m.search {
				return u
			}
			m.seen[u] = m.search
			if u = m.outer[m.mate[u]]; u != 0 {
				u = m.outer[m.parent[u]]
			}
		}
		u, v = v, u
	}
	return 0
}

// shrink makes a blossom of the cycle through u, v and the base.
func (m *matcher) shrink(u, base, v int32) {
	b := int32(m.n + 1)
	for b <= int32(m.last) && m.outer[b] != 0 {
		b++
	}
	m.last = max(m.last, int(b))
	m.dual[b], m.side[b], m.mate[b] = 0, even, m.mate[base]
	list := m.climb([]int32{base}, u, base)
	slices.Reverse(list[1:])
	m.petals[b] = m.climb(list, v, base)
	m.setOuter(b, b)
	for x := 1; x <= m.last; x++ {
		m.edge[b][x].weight, m.edge[x][b].weight = 0, 0
	}
	clear(m.holds[b])
	for _, p := range m.petals[b] {
		for x := 1; x <= m.last; x++ {
			if m.edge[b][x].weight == 0 || m.reduced(&m.edge[p][x]) < m.reduced(&m.edge[b][x]) {
				m.edge[b][x], m.edge[x][b] = m.edge[p][x], m.edge[x][p]
			}
		}
		for x := 1; x <= m.n; x++ {
			if m.holds[p][x] != 0 {
				m.holds[b][x] = p
			}
		}
	}
	m.findSlack(b)
}

// climb appends the blossoms from x up to the base; the odd ones become even.
func (m *matcher) climb(list []int32, x, base int32) []int32 {
	for x != base {
		y := m.outer[m.mate[x]]
		list = append(list, x, y)
		m.push(y)
		x = m.outer[m.parent[y]]
	}
	return list
}

// open dissolves an odd blossom whose dual has come down to 0.
func (m *matcher) open(b int32) {
	for _, p := range m.petals[b] {
		m.setOuter(p, p)
	}
	enter := m.holds[b][m.edge[b][m.parent[b]].u]
	at := m.evenWay(b, enter)
	list := m.petals[b]
	for i := 0; i < at; i += 2 {
		x, y := list[i], list[i+1]
		m.parent[x] = m.edge[y][x].u
		m.side[x], m.side[y] = odd, even
		m.slack[x] = 0
		m.findSlack(y)
		m.push(y)
	}
	m.side[enter], m.parent[enter] = odd, m.parent[b]
	for _, x := range list[at+1:] {
		m.side[x] = outside
		m.findSlack(x)
	}
	m.outer[b] = 0
}

// tight takes up an edge that has become tight and reports whether the matching
// grew by it.
func (m *matcher) tight(e link) bool {
	u, v := m.outer[e.u], m.outer[e.v]
	switch m.side[v] {
	case outside:
		m.parent[v], m.side[v] = e.u, odd
		w := m.outer[m.mate[v]]
		m.slack[v], m.slack[w] = 0, 0
		m.side[w] = even
		m.push(w)
	case even:
		base := m.meeting(u, v)
		if base == 0 {
			m.augment(u, v)
			m.augment(v, u)
			return true
		}
		m.shrink(u, base, v)
	}
	return false
}

// phase grows the matching by one pair; it returns false when it is the heaviest.
func (m *matcher) phase(heaviest int64) bool {
	if !m.started {
		m.started = true
		for v := 1; v <= m.n; v++ {
			m.dual[v] = heaviest
		}
	}
	m.queue = m.queue[:0]
	for x := 1; x <= m.last; x++ {
		m.side[x], m.slack[x] = outside, 0
	}
	for x := int32(1); x <= int32(m.last); x++ {
		if m.outer[x] == x && m.mate[x] == 0 {
			m.parent[x], m.side[x] = 0, even
			m.push(x)
		}
	}
	if len(m.queue) == 0 {
		return false
	}
	for {
		if m.grow() {
			return true
		}
		if !m.adjust() {
			return false
		}
		m.queue = m.queue[:0]
		for x := int32(1); x <= int32(m.last); x++ {
			s := m.slack[x]
			if m.outer[x] == x && s != 0 && m.outer[s] != x && m.reduced(&m.edge[s][x]) == 0 && m.tight(m.edge[s][x]) {
				return true
			}
		}
		for b := int32(m.n + 1); b <= int32(m.last); b++ {
			if m.outer[b] == b && m.side[b] == odd && m.dual[b] == 0 {
				m.open(b)
			}
		}
	}
}

// grow follows the tight edges of the vertices in the queue.
func (m *matcher) grow() bool {
	for at := 0; at < len(m.queue); at++ {
		u := m.queue[at]
		if m.side[m.outer[u]] == odd {
			continue
		}
		for v := int32(1); v <= int32(m.n); v++ {
			e := &m.edge[u][v]
			if e.weight == 0 || m.outer[u] == m.outer[v] {
				continue
			}
			if m.reduced(e) != 0 {
				m.nearer(u, m.outer[v])
			} else if m.tight(*e) {
				return true
			}
		}
	}
	return false
}

// adjust moves the duals until something becomes tight or flat; it returns false
// if the matching cannot become heavier.
func (m *matcher) adjust() bool {
	step := int64(1) << 62
	for b := m.n + 1; b <= m.last; b++ {
		if m.outer[b] == int32(b) && m.side[b] == odd {
			step = min(step, m.dual[b]/2)
		}
	}
	for x := int32(1); x <= int32(m.last); x++ {
		s := m.slack[x]
		if m.outer[x] != x || s == 0 {
			continue
		}
		switch d := m.reduced(&m.edge[s][x]); m.side[x] {
		case outside:
			step = min(step, d)
		case even:
			step = min(step, d/2)
		}
	}
	for u := 1; u <= m.n; u++ {
		switch m.side[m.outer[u]] {
		case even:
			if m.dual[u] <= step {
				return false
			}
			m.dual[u] -= step
		case odd:
			m.dual[u] += step
		}
	}
	for b := m.n + 1; b <= m.last; b++ {
		if m.outer[b] == int32(b) {
			switch m.side[b] {
			case even:
				m.dual[b] += 2 * step
			case odd:
				m.dual[b] -= 2 * step
			}
		}
	}
	return true
}
