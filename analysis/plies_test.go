package analysis

import "testing"

func TestParsePlies(t *testing.T) {
	const bad = -9
	for text, want := range map[string][2]int{
		"": {0, -1}, "3..7": {3, 7}, "3..": {3, -1}, "..7": {0, 7}, "4": {4, 4}, "0": {0, 0}, "5..5": {5, 5},
		"..": {bad}, "7..3": {bad}, "-1": {bad}, "a": {bad}, "1..b": {bad}, "1..-2": {bad}, "1...3": {bad}, "1..2..3": {bad},
	} {
		from, to, err := ParsePlies(text)
		if (err != nil) != (want[0] == bad) || err == nil && (from != want[0] || to != want[1]) {
			t.Errorf("%q: %d..%d, %v", text, from, to, err)
		}
	}
}
