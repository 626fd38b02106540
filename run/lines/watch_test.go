package lines

import (
	"testing"
)

func TestGameOfAll(t *testing.T) {
	for want, n := range map[string][2]int{"game 3 of 12": {3, 12}, "game 12 of 12": {12, 12}, "game 175": {175, 142}} {
		if got := gameOfAll(n[0], n[1]); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
