package rating

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

func TestEstimate(t *testing.T) {
	data, err := os.ReadFile("testdata/elo.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		t.Run(line, func(t *testing.T) {
			f := strings.Split(line, "|")
			e := Counts{numbers(t, f[0])}.Estimate()
			elo, nelo := numbers(t, f[2]), numbers(t, f[3])
			near(t, "score", e.Score, numbers(t, f[1])[0], 5e-5)
			near(t, "elo", e.Elo, elo[0], 5e-5)
			near(t, "error", e.Error, elo[1], 5e-5)
			near(t, "nelo", e.NElo, nelo[0], 5e-5)
			near(t, "nelo error", e.NError, nelo[1], 5e-5)
			near(t, "los", 100*e.LOS, numbers(t, f[4])[0], 5e-3)
		})
	}
}

func numbers(t *testing.T, s string) []float64 {
	t.Helper()
	var out []float64
	for w := range strings.FieldsSeq(s) {
		x, err := strconv.ParseFloat(w, 64)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, x)
	}
	return out
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.IsNaN(got) && math.IsNaN(want) || got == want {
		return
	}
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func TestNoGames(t *testing.T) {
	if e := Trinomial(0, 0, 0).Estimate(); !math.IsNaN(e.Elo) || e.LOS != 0.5 {
		t.Errorf("without games: %+v", e)
	}
}

func TestEloInvertsScore(t *testing.T) {
	for _, e := range []float64{-800, -100, 0, 3.5, 400} {
		near(t, "elo", Elo(Score(e)), e, 1e-9)
	}
}
