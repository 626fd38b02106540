package grid

// Key returns the n-th of a fixed sequence of well-mixed 64-bit numbers. Exclusive
// or of the keys of what stands on a board is a hash of the position; the numbers
// are the same in every run and on every machine.
func Key(n uint64) uint64 {
	// The generator is SplitMix64 (Steele, Lea, Flood 2014) at position n+1.
	z := (n + 1) * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Keys returns the first n keys.
func Keys(n int) []uint64 {
	list := make([]uint64, n)
	for i := range list {
		list[i] = Key(uint64(i))
	}
	return list
}
