package player

// Limits bounds a player's resources beside the clock. Zero means no limit.
type Limits struct {
	Memory  int64 // bytes
	Depth   int   // plies
	Ordered bool  // Depth is an order: the player's own bounds, as of a level, shorten no search
	Nodes   int64 // positions per turn
	Threads int
}

// Within returns limits that hold both l and o.
func (l Limits) Within(o Limits) Limits {
	l.Memory, l.Depth, l.Nodes = Tighter(l.Memory, o.Memory), Tighter(l.Depth, o.Depth), Tighter(l.Nodes, o.Nodes)
	l.Threads = Tighter(l.Threads, o.Threads)
	return l
}

// Tighter returns the smaller of two limits of which 0 is none.
func Tighter[T int | int64](a, b T) T {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}
