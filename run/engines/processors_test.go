package engines

import (
	"fmt"
	"testing"
)

func TestParseProcessors(t *testing.T) {
	allowed := []int{0, 1, 2, 3, 6}
	for _, c := range []struct{ text, want, fault string }{
		{"0", "[0]", ""},
		{"3,0-1, 6", "[3 0 1 6]", ""},
		{"4", "", "processor 4 is not there or not for us: those are 0-3,6"},
		{"0,0", "", "processor 0 is named twice"},
		{"1-0", "", `"1-0" is no processor`},
		{"0-x", "", `"0-x" is no processor`},
		{"", "", `"" is no processor`},
		{"-1", "", `"-1" is no processor`},
		{"0-99999999", "", `"0-99999999" is no processor`},
	} {
		got, err := ParseProcessors(c.text, allowed)
		if c.fault == "" && (err != nil || fmt.Sprint(got) != c.want) {
			t.Errorf("%q: %v, %v", c.text, got, err)
		}
		if c.fault != "" && (err == nil || len(err.Error()) < len(c.fault) || err.Error()[:len(c.fault)] != c.fault) {
			t.Errorf("%q: %v instead of %q", c.text, err, c.fault)
		}
	}
}

// Every core is used before one is used twice.
func TestSpread(t *testing.T) {
	pairs := func(n int) string { return fmt.Sprint(n / 2) }
	halves := func(n int) string { return fmt.Sprint(n % 3) }
	for _, c := range []struct {
		core func(int) string
		want string
	}{{pairs, "[0 2 4 1 3 5]"}, {halves, "[0 1 2 3 4 5]"}} {
		if got := fmt.Sprint(spread([]int{0, 1, 2, 3, 4, 5}, c.core)); got != c.want {
			t.Errorf("%s instead of %s", got, c.want)
		}
	}
}
