package grid

// Chain sums up a chain of stones. Its empty neighbours are counted once for every stone
// that they adjoin; they are all the same point p exactly if their sum is N*p and the sum
// of their squares N*p*p. Points are numbers from 1 to 1023.
type Chain struct {
	N       int16 // empty neighbours
	Stones  int16
	sum     int32 // of the numbers of the empty neighbours
	squares int32 // of the squares of these numbers
}

// Open counts an empty neighbour of one more stone.
func (c *Chain) Open(p int) {
	c.N++
	c.sum += int32(p)
	c.squares += int32(p) * int32(p)
}

// Close counts it no more.
func (c *Chain) Close(p int) {
	c.N--
	c.sum -= int32(p)
	c.squares -= int32(p) * int32(p)
}

// Only reports whether p is the only liberty of the chain. It must be a liberty of a
// chain that has any, so that a chain without one is not said to have it.
func (c *Chain) Only(p int) bool {
	n, at := int32(c.N), int32(p)
	return c.sum == n*at && c.squares == n*at*at
}

// Last returns the only liberty of the chain, 0 if it has more or none.
func (c *Chain) Last() int {
	if c.N == 0 {
		return 0
	}
	at := int(c.sum / int32(c.N))
	if !c.Only(at) {
		return 0
	}
	return at
}

// Join makes one chain of two, which x and y stand for. By point, head is the stone that
// stands for a chain, next the stones of a chain in a ring, and chains the sums of a head.
func Join(head, next []int16, chains []Chain, x, y int16) {
	if chains[x].Stones < chains[y].Stones {
		x, y = y, x
	}
	for s := y; ; {
		head[s] = x
		if s = next[s]; s == y {
			break
		}
	}
	next[x], next[y] = next[y], next[x]
	c, d := &chains[x], &chains[y]
	c.N += d.N
	c.Stones += d.Stones
	c.sum += d.sum
	c.squares += d.squares
}
