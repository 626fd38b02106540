package cutechess

import "kibitz/run/compat"

// order hands out openings.
type order struct {
	list   []int
	at     int
	repeat int
	policy string
	round  int // of the last opening, with policy=round
	kept   int // the opening to play again, -1 for none
	times  int // how often it was played
}

func newOrder(o Openings, repeat int, rng *twister) *order {
	c := &order{repeat: repeat, policy: "default", kept: -1}
	if o.N == 0 {
		return c
	}
	c.list = compat.Order(o.N, o.Random, func(n int) int { return int(rng.next() % uint32(n)) })
	if c.policy = o.Policy; c.policy != "default" {
		c.repeat = 1<<31 - 1
	}
	c.at = (o.Start - 1) % o.N
	return c
}

// renew gives the opening up that would be played again.
func (c *order) renew(round int) { c.kept, c.times, c.round = -1, 1, round }

// take returns the opening of the next game, -1 for none.
func (c *order) take() int {
	if len(c.list) == 0 {
		return -1
	}
	now := c.kept
	if now >= 0 {
		c.times++
	} else {
		c.times = 1
		now = c.list[c.at]
		c.at = (c.at + 1) % len(c.list)
	}
	if c.kept = -1; c.times < c.repeat {
		c.kept = now
	}
	return now
}

// twister is the generator of cutechess-cli: the Mersenne Twister, but with the
// lowest bit of each word where the usual one takes the highest.
type twister struct {
	state [624]uint32
	at    int
}

func newTwister(seed uint32) *twister {
	t := &twister{}
	t.state[0] = seed
	for i := 1; i < len(t.state); i++ {
		before := t.state[i-1]
		t.state[i] = 0x6c078965*(before^before>>30) + uint32(i)
	}
	return t
}

func (t *twister) next() uint32 {
	const n = len(t.state)
	if t.at == 0 {
		for i := range t.state {
			y := t.state[i]&1 + t.state[(i+1)%n]&0x7fffffff
			t.state[i] = t.state[(i+397)%n] ^ y>>1
			if y%2 == 1 {
				t.state[i] ^= 0x9908b0df
			}
		}
	}
	y := t.state[t.at]
	t.at = (t.at + 1) % n
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}
