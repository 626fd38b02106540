package twin

import (
	"fmt"
	"strings"
)

// near is how much of two lines is shown before and behind the byte in which they differ.
const near = 200

// Difference tells the first line in which two texts differ, and what stands there in
// each, near the first byte that is another one.
func Difference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] == y[i] {
			continue
		}
		n := 0
		for n < len(x[i]) && n < len(y[i]) && x[i][n] == y[i][n] {
			n++
		}
		cut := func(s string) string { return s[max(0, n-near):min(len(s), n+near)] }
		return fmt.Sprintf("line %d\n%s\n%s", i+1, cut(x[i]), cut(y[i]))
	}
	longer := x
	if len(y) > len(x) {
		longer = y
	}
	return fmt.Sprintf("%d and %d lines\n%.500s", len(x), len(y), strings.Join(longer[min(len(x), len(y)):], "\n"))
}
