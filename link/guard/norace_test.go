//go:build !race

package guard_test

// raced tells that the test program, which is also the engine in the cell, has the
// race detector in it, whose own memory no limit allows.
const raced = false
