package engines

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseProcessors reads a list such as 0,2,4-7 of processors that are allowed.
func ParseProcessors(text string, allowed []int) ([]int, error) {
	var out []int
	ok, seen := map[int]bool{}, map[int]bool{}
	for _, n := range allowed {
		ok[n] = true
	}
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(strings.TrimSpace(part), "-")
		a, err := strconv.Atoi(low)
		b := a
		if err == nil && isRange {
			b, err = strconv.Atoi(high)
		}
		if err != nil || a < 0 || b < a || b-a > 1<<16 {
			return nil, fmt.Errorf("%q is no processor; write auto or a list such as 0,2,4-7", part)
		}
		for n := a; n <= b; n++ {
			switch {
			case !ok[n]:
				return nil, fmt.Errorf("processor %d is not there or not for us: those are %s", n, RangesText(allowed))
			case seen[n]:
				return nil, fmt.Errorf("processor %d is named twice", n)
			}
			seen[n] = true
			out = append(out, n)
		}
	}
	return out, nil
}

// RangesText prints numbers as they come: 0-3,6.
func RangesText(list []int) string {
	var parts []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		part := strconv.Itoa(list[i])
		if j > i {
			part += "-" + strconv.Itoa(list[j])
		}
		parts = append(parts, part)
		i = j + 1
	}
	return strings.Join(parts, ",")
}

// spread puts one thread of each core before the second of any: siblings names, for
// each processor, the core that it belongs to.
func spread(processors []int, core func(int) string) []int {
	var rounds [][]int
	nth := map[string]int{}
	for _, n := range processors {
		c := core(n)
		k := nth[c]
		nth[c]++
		if k == len(rounds) {
			rounds = append(rounds, nil)
		}
		rounds[k] = append(rounds[k], n)
	}
	var out []int
	for _, list := range rounds {
		out = append(out, list...)
	}
	return out
}
