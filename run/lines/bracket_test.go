package lines

import (
	"bytes"
	"testing"

	"kibitz/tournament"
)

// A bracket as it is printed, with everything that a match can be.
func TestBracket(t *testing.T) {
	names := []string{"A", "B", "C", "D", "E", "F"}
	var out bytes.Buffer
	bracket(&out, names, []tournament.KnockoutMatch{
		{Round: 1, Of: 4, First: 0, Second: -1, Winner: 0},
		{Round: 1, Of: 4, First: 3, Second: 4, Points: [2]float64{1.5, 0.5}, Winner: 3},
		{Round: 2, Of: 4, First: 0, Second: 3, Points: [2]float64{2.5, 1.5}, Rematches: 1, Winner: 0},
		{Round: 3, Of: 4, First: 1, Second: 2, Points: [2]float64{6, 6}, Rematches: 5, Winner: 1, Placed: true},
		{Round: 4, Of: 4, First: 0, Second: 1, Points: [2]float64{1, 0}, Winner: -1},
	})
	want := `round 1, last 16
  A has a bye
  D - E 1.5-0.5: D
quarterfinals
  A - D 2.5-1.5 with a rematch: A
semifinals
  B - C 6-6 with 5 rematches: B goes on, placed higher
final
  A - B 1-0, not decided
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}
