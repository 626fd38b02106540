package grid

import "math/bits"

// Bits is a set of points numbered 0 to 127. The zero value is empty. It is a
// plain value: copying it copies the set.
type Bits struct{ Lo, Hi uint64 }

// Bit returns the set that holds only i, which must be 0 to 127.
func Bit(i int) Bits {
	if i < 64 {
		return Bits{Lo: 1 << (i & 63)}
	}
	return Bits{Hi: 1 << (i & 63)}
}

// Has reports whether i is in the set.
func (b Bits) Has(i int) bool {
	if i < 64 {
		return b.Lo>>(i&63)&1 != 0
	}
	return b.Hi>>(i&63)&1 != 0
}

// Or returns the union.
func (b Bits) Or(c Bits) Bits { return Bits{b.Lo | c.Lo, b.Hi | c.Hi} }

// And returns the intersection.
func (b Bits) And(c Bits) Bits { return Bits{b.Lo & c.Lo, b.Hi & c.Hi} }

// AndNot returns b without the points of c.
func (b Bits) AndNot(c Bits) Bits { return Bits{b.Lo &^ c.Lo, b.Hi &^ c.Hi} }

// Xor returns the points that are in exactly one of the sets.
func (b Bits) Xor(c Bits) Bits { return Bits{b.Lo ^ c.Lo, b.Hi ^ c.Hi} }

// Shl adds n, 0 to 63, to the number of every point; those past 127 drop out.
func (b Bits) Shl(n uint) Bits {
	return Bits{b.Lo << n, b.Hi<<n | b.Lo>>(64-n)}
}

// Shr subtracts n, 0 to 63, from the number of every point; those below 0 drop out.
func (b Bits) Shr(n uint) Bits {
	return Bits{b.Lo>>n | b.Hi<<(64-n), b.Hi >> n}
}

// Empty reports whether no point is in the set.
func (b Bits) Empty() bool { return b.Lo|b.Hi == 0 }

// Count returns how many points are in the set.
func (b Bits) Count() int { return bits.OnesCount64(b.Lo) + bits.OnesCount64(b.Hi) }

// First returns the lowest point, 128 if the set is empty.
func (b Bits) First() int {
	if b.Lo != 0 {
		return bits.TrailingZeros64(b.Lo)
	}
	return 64 + bits.TrailingZeros64(b.Hi)
}

// Pop removes the lowest point and returns it, 128 if the set is empty. It serves
// loops of the form: for s := set; !s.Empty(); { i := s.Pop() ... }
func (b *Bits) Pop() int {
	if b.Lo != 0 {
		i := bits.TrailingZeros64(b.Lo)
		b.Lo &= b.Lo - 1
		return i
	}
	i := 64 + bits.TrailingZeros64(b.Hi)
	b.Hi &= b.Hi - 1
	return i
}
