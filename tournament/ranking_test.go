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
	for text := range strings.SplitSeq(string(data), "\n\n") {
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
		"":          `--tiebreaks: "" is unknown; known are direct sb buchholz median wins ratio koya`,
	} {
		if _, err := ParseTieBreaks(text); err == nil || err.Error() != want {
			t.Errorf("%v", err)
		}
	}
}

// TestRankingByFormat holds that a format is ranked by what it means, not by points: the
// loser of many games may have more of them than the champion of few.
func TestRankingByFormat(t *testing.T) {
	for name, c := range map[string]struct {
		plan Plan
		// strength decides games; equal strengths draw.
		strength []int
		want     string
	}{
		// D beats everybody and C everybody else; the bracket is A-D, B-C. Two drawn
		// rematches would bring points, the rounds decide.
		"knockout": {Plan{Format: KnockoutSystem, Engines: 4, Games: 2, Rounds: 1}, []int{1, 1, 2, 3}, "1:D 2:C 3:A 3:B"},
		"five":     {Plan{Format: KnockoutSystem, Engines: 5, Games: 2, Rounds: 1}, []int{4, 1, 2, 3, 3}, "1:A 2:C 3:B 3:D 5:E"},
		"ladder":   {Plan{Format: LadderSystem, Engines: 4, Games: 2, Rounds: 1}, []int{3, 4, 1, 2}, "1:B 2:A 3:D 4:C"},
		// A plays three times as many games as the others and loses to one of them only.
		"gauntlet": {Plan{Format: Gauntlet, Engines: 4, Games: 2, Rounds: 1, Seeds: 1}, []int{2, 1, 3, 1}, "1:C 2:A 3:B 3:D"},
		"swiss":    {Plan{Format: SwissSystem, Engines: 3, Games: 1, Rounds: 3}, []int{3, 2, 1}, "1:A 2:B 3:C"},
	} {
		t.Run(name, func(t *testing.T) {
			d := NewDirector(c.plan, DefaultPoints)
			simulate(d, func(p Pairing) game.Result {
				switch a, b := c.strength[p.First], c.strength[p.Second]; {
				case a > b:
					return game.Win(game.First, "x", "")
				case a < b:
					return game.Win(game.Second, "x", "")
				}
				return game.Drawn("x", "")
			})
			if got := ranks(d.Ranking(DefaultTieBreaks(c.plan.Format))); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func ranks(rows []Row) string {
	var out []string
	for _, r := range rows {
		out = append(out, fmt.Sprintf("%d:%c", r.Rank, 'A'+r.Engine))
	}
	return strings.Join(out, " ")
}

// TestRankingOfAnnulled: an engine that withdrew early is out of the ranking.
func TestRankingOfAnnulled(t *testing.T) {
	d := NewDirector(Plan{Engines: 3, Games: 2, Rounds: 1}, DefaultPoints)
	if _, err := d.Apply(Order{Kind: Withdraw, Engine: 0}); err != nil {
		t.Fatal(err)
	}
	simulate(d, func(Pairing) game.Result { return game.Win(game.First, "x", "") })
	if got := ranks(d.Ranking(nil)); got != "1:B 1:C 0:A" {
		t.Error(got)
	}
}

// TestEstimateInField holds that an engine which met strong opponents is rated by them:
// A and B both scored one half, A against the best of the field.
func TestEstimateInField(t *testing.T) {
	d := NewDirector(Plan{Engines: 4, Games: 8, Rounds: 1}, DefaultPoints)
	add := func(a, b, wins, losses int) {
		for i := range wins + losses {
			w := game.First
			if i >= wins {
				w = game.Second
			}
			d.Count(Finished{Pairing: Pairing{First: a, Second: b}, Result: game.Win(w, "x", ""), Plies: 9})
		}
	}
	add(2, 3, 30, 10) // C is much better than D
	add(0, 2, 10, 10) // A holds C
	add(1, 3, 10, 10) // B holds D
	a, b := d.Estimate(0), d.Estimate(1)
	if math.Abs(a.Elo-b.Elo-400*math.Log10(3)) > 0.1 || !(a.Error > 0) || a.LOS < 0.7 || b.LOS > 0.3 {
		t.Errorf("%+v and %+v", a, b)
	}
	if !math.IsNaN(a.NElo) {
		t.Errorf("normalized Elo %v of a field", a.NElo)
	}
}
