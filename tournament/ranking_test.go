package tournament

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kibitz/game"
)

// TestRankings holds rankings that were worked out by hand.
func TestRankings(t *testing.T) {
	data, err := os.ReadFile("testdata/ranking.txt")
	if err != nil {
		t.Fatal(err)
	}
	tables := 0
	for _, text := range strings.Split(string(data), "\n\n") {
		var want, ties []string
		results := map[[2]int]float64{}
		engines := 0
		for line := range strings.Lines(text) {
			w := strings.Fields(line)
			switch {
			case len(w) == 0 || w[0] == "#":
			case w[0] == "engines":
				fmt.Sscan(w[1], &engines)
			case w[0] == "ties":
				ties = w[1:]
			case w[1] == "-":
				a, b := int(w[0][0]-'A'), int(w[2][0]-'A')
				x := map[string]float64{"1-0": 1, "½-½": 0.5, "0-1": 0}[w[3]]
				results[[2]int{a, b}], results[[2]int{b, a}] = x, 1-x
			default:
				want = append(want, strings.Join(w, " "))
			}
		}
		if engines == 0 {
			continue
		}
		tables++
		d := NewDirector(Plan{Engines: engines, Games: 1, Rounds: 1}, DefaultPoints)
		simulate(d, func(p Pairing) game.Result {
			x := results[[2]int{p.First, p.Second}]
			return game.Result{Points: [2]float64{x, 1 - x}, Reason: "x"}
		})
		order, err := ParseTieBreaks(strings.Join(ties, ","))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range d.Ranking(order) {
			line := fmt.Sprintf("%d %c %v", r.Rank, 'A'+r.Engine, r.Points)
			for _, v := range r.Values {
				switch {
				case math.IsNaN(v):
					line += " -"
				case math.IsInf(v, 1):
					line += " ∞"
				default:
					line += fmt.Sprintf(" %v", v)
				}
			}
			got = append(got, line)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s\n got %s\nwant %s", text, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
	}
	if tables != 4 {
		t.Errorf("%d tables", tables)
	}
}

// A Swiss is ranked by its usual tie-breaks as its table has it.
func TestRankingOfSwiss(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Plan{
			Format: SwissSystem, Engines: rapid.IntRange(2, 9).Draw(t, "engines"), Games: rapid.IntRange(1, 2).Draw(t, "games"),
			Rounds: rapid.IntRange(1, 5).Draw(t, "rounds"),
		}
		d := NewDirector(p, DefaultPoints)
		simulate(d, byLabel)
		rows := d.Ranking(DefaultTieBreaks(SwissSystem))
		for i, want := range d.Format().(*Swiss).Table() {
			got := rows[i]
			if got.Engine != want.Engine || got.Rank != want.Rank || got.Points != want.Points || got.Values[0] != want.Buchholz ||
				got.Values[1] != want.Median || got.Values[2] != want.SonnebornBerger {
				t.Errorf("%+v, in the table %+v", got, want)
			}
		}
	})
}

func TestTieBreaksThatCannotBe(t *testing.T) {
	for text, want := range map[string]string{
		"sb,berger": `--tiebreaks sb,berger: "berger" is unknown; known are direct sb buchholz median wins ratio koya`,
		"sb,sb":     "--tiebreaks sb,sb: sb is there twice",
		"":          `--tiebreaks : "" is unknown; known are direct sb buchholz median wins ratio koya`,
	} {
		if _, err := ParseTieBreaks(text); err == nil || err.Error() != want {
			t.Errorf("%v", err)
		}
	}
}
