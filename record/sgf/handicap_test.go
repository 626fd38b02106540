package sgf_test

import (
	"strings"
	"testing"

	"kibitz/record/sgf"
)

// TestHandicap finds who is to move after a set-up: PL says it, else the first move,
// else a handicap; without all of them it is Black.
func TestHandicap(t *testing.T) {
	for text, want := range map[string]string{
		"(;GM[1]RU[nogo]SZ[9]AB[cc][gg];W[ee])":           " w",
		"(;GM[1]RU[nogo]SZ[9]AB[cc][gg];B[ee])":           " b",
		"(;GM[1]RU[nogo]SZ[9]HA[2]AB[cc][gg])":            " w",
		"(;GM[1]RU[nogo]SZ[9]HA[0]AB[cc][gg])":            " b",
		"(;GM[1]RU[nogo]SZ[9]AB[cc][gg])":                 " b",
		"(;GM[1]RU[nogo]SZ[9]HA[2]AB[cc][gg]PL[B])":       " b",
		"(;GM[1]RU[phantomgo]SZ[9]HA[2]AB[cc][gg];W[ee])": " w",
		"(;GM[4]SZ[15]AB[hh][ii]AW[hi];W[ih])":            " white",
	} {
		list, err := sgf.Read([]byte(text))
		if err != nil || len(list) != 1 || !strings.HasSuffix(list[0].Start, want) {
			t.Errorf("%s: %+v, %v", text, list, err)
		}
	}
}
