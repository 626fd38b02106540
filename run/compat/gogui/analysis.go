package gogui

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// Analysis is what can be said of a table. Failed games and duplicates count for nothing
// but their numbers.
type Analysis struct {
	Games, Failed, Duplicates, Used int
	Moves                           Sample
	Time, CPU                       [2]Sample // of black and white
	// Black, White and Referee are what each says of the results.
	Black, White, Referee Results
	// Odd are results that are none, one line each.
	Odd []string
}

// Results are those of one who tells them.
type Results struct {
	// Wins counts black's: 1 for a win and half for a draw. Draws counts 1 for a draw.
	Wins, Draws Sample
	// Scores are black's leads, where they are known.
	Scores Sample
	// Unknown and NoScore count 1 for a game without result and without score.
	Unknown, NoScore Sample
	// Tens counts scores by tens, rounded down.
	Tens map[int]int
}

// Sample is a series of numbers.
type Sample []float64

// Add adds a number.
func (s *Sample) Add(x float64) { *s = append(*s, x) }

// Estimate returns mean and standard error, 0 of no numbers.
func (s Sample) Estimate() (mean, err float64) {
	if len(s) == 0 {
		return 0, 0
	}
	mean, deviation := stat.PopMeanStdDev(s, nil)
	return mean, stat.StdErr(deviation, float64(len(s)))
}

// Analyze counts a table.
func Analyze(t *Table) *Analysis {
	a := &Analysis{Games: len(t.Games)}
	for i := range t.Games {
		g := &t.Games[i]
		switch {
		case g.Failed:
			a.Failed++
			continue
		case g.Duplicate != "" && g.Duplicate != "-":
			a.Duplicates++
			continue
		}
		a.Used++
		for _, x := range []struct {
			to   *Results
			text string
		}{{&a.Black, g.Black}, {&a.White, g.White}, {&a.Referee, g.Referee}} {
			if err := x.to.add(strings.TrimSpace(x.text)); err != nil {
				a.Odd = append(a.Odd, fmt.Sprintf("game %d: %v", g.Number, err))
			}
		}
		a.Moves.Add(float64(g.Moves))
		for k := range 2 {
			a.Time[k].Add(g.Time[k])
			a.CPU[k].Add(g.CPU[k])
		}
	}
	return a
}

func (r *Results) add(text string) error {
	const most = 1000 // a lead that is believed
	var err error
	score, scored, known := 0.0, false, true
	side, lead, win := strings.Cut(text, "+")
	switch {
	case win && (side == "B" || side == "W"):
		if lead != "" && lead != "R" {
			score, err = strconv.ParseFloat(lead, 64)
			if scored = err == nil && math.Abs(score) <= most; !scored {
				err = fmt.Errorf("%q has no score that is a number", text)
			}
		}
		point := 1.0
		if side == "W" {
			point, score = 0, -score
		}
		r.Wins.Add(point)
		r.Draws.Add(0)
	case strings.HasPrefix(text, "0"):
		scored = true
		r.Wins.Add(0.5)
		r.Draws.Add(1)
	default:
		if known = false; text != "" && text != "?" {
			err = fmt.Errorf("%q is no result", text)
		}
	}
	r.Unknown.Add(one(!known))
	r.NoScore.Add(one(!scored))
	if scored {
		if r.Tens == nil {
			r.Tens = map[int]int{}
		}
		r.Scores.Add(score)
		r.Tens[10*int(math.Floor(score/10))]++
	}
	return err
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// AppendSummary writes the figures as a table of one row.
func (a *Analysis) AppendSummary(dst []byte) []byte {
	titles := []string{"GAMES", "ERR", "DUP", "USED"}
	cells := []string{strconv.Itoa(a.Games), strconv.Itoa(a.Failed), strconv.Itoa(a.Duplicates), strconv.Itoa(a.Used)}
	for _, who := range []struct {
		letter string
		r      *Results
	}{{"B", &a.Black}, {"W", &a.White}, {"R", &a.Referee}} {
		for _, title := range []string{"RES_", "ERR_", "WIN_", "DRAW_", "ERRW_", "UNKN_"} {
			titles = append(titles, title+who.letter)
		}
		// As gogui-twogtp orders the values: the error of the wins stands below DRAW, the
		// draws below ERRW, their error below UNKN; one value more than titles follows.
		r := who.r
		score, scoreError := r.Scores.Estimate()
		wins, winsError := r.Wins.Estimate()
		draws, drawsError := r.Draws.Estimate()
		without, _ := r.NoScore.Estimate()
		cells = append(cells, decimals(score, 1), decimals(scoreError, 1), decimals(wins, 3), decimals(winsError, 3),
			decimals(draws, 3), decimals(drawsError, 3), decimals(without, 3))
	}
	return append(dst, "#"+strings.Join(titles, "\t")+"\n"+strings.Join(cells, "\t")+"\n"...)
}
