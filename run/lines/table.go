// Package lines tells people how a run goes, a line at a time, and programs, a JSON object at a time.
package lines

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"kibitz/internal/plain"
	"kibitz/rating"
	"kibitz/run/standing"
	"kibitz/tournament"
)

// Table prints how a run stands.
type Table struct {
	*standing.Standing
	ShowBreaks bool // tie-breaks also where nobody needs them
}

// format prints how the run ended in the way of its format.
func (t *Table) format(w io.Writer) {
	t.ranking(w, 0)
	if s, ok := t.Director.Format().(*tournament.Knockout); ok {
		fmt.Fprintln(w)
		bracket(w, t.Names, s.Bracket())
	}
}

// ranking prints the engines in the order of the format, the first most of them
// (0 for all). Points are followed by the share of the points where engines have not
// played as many games, byes and tie-breaks where somebody has or needs them.
func (t *Table) ranking(w io.Writer, most int) {
	rows := slices.DeleteFunc(t.Ranking(), func(x tournament.Row) bool { return x.Rank == 0 })
	cols := t.columns(rows)
	left := 0
	if most > 0 && len(rows) > most {
		left = len(rows) - most
		rows = rows[:most]
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, strings.Join(cols.head, "\t")+"\t")
	for i := range rows {
		fmt.Fprintln(tw, strings.Join(cols.cells(&rows[i]), "\t")+"\t")
	}
	tw.Flush()
	if left > 0 {
		fmt.Fprintf(w, "and %d more\n", left)
	}
}

// standingsColumns are the columns of a table of standings.
type standingsColumns struct {
	head  []string
	cells func(row *tournament.Row) []string
}

// columns returns the columns that a table of these rows needs.
func (t *Table) columns(rows []tournament.Row) standingsColumns {
	st, byes := t.Table(), map[int]int{}
	s, swiss := t.Director.Format().(*tournament.Swiss)
	if swiss {
		for _, x := range s.Table() {
			byes[x.Engine] = x.Byes
		}
	}
	shares, breaks := false, swiss || t.ShowBreaks
	for i := 1; i < len(rows); i++ {
		a, b := &rows[i-1], &rows[i]
		shares = shares || st.Entry(a.Engine).Games+byes[a.Engine]*t.Plan.Games != st.Entry(b.Engine).Games+byes[b.Engine]*t.Plan.Games
		breaks = breaks || len(rows) > 2 && a.Share == b.Share && a.Rank != b.Rank
	}
	used := len(t.Totals.Used) > 0
	head := []string{"rank", "engine", "games", "wins", "draws", "losses"}
	add := func(shown bool, names ...string) {
		if shown {
			head = append(head, names...)
		}
	}
	add(swiss, "byes")
	add(true, "points")
	add(shares, "score")
	if breaks {
		for _, b := range t.Breaks {
			head = append(head, string(b))
		}
	}
	add(true, "Elo", "LOS", "forfeits")
	add(used, "cpu/game", "memory")
	return standingsColumns{head, func(row *tournament.Row) []string {
		e, est := st.Entry(row.Engine), t.Director.Estimate(row.Engine)
		out := []string{strconv.Itoa(row.Rank), t.Names[row.Engine]}
		for _, n := range []int{e.Games, e.Wins, e.Draws, e.Losses} {
			out = append(out, strconv.Itoa(n))
		}
		if swiss {
			out = append(out, strconv.Itoa(byes[row.Engine]))
		}
		out = append(out, plain.Number(row.Points))
		if shares {
			out = append(out, percent(row.Share))
		}
		for i := range t.Breaks {
			if breaks {
				out = append(out, breakText(row.Values[i]))
			}
		}
		out = append(out, rating.Text(est.Elo, est.Error, 1), percent(est.LOS), forfeits(e))
		if used {
			cpu, memory := usedText(t.Totals.Used[row.Engine])
			out = append(out, cpu, memory)
		}
		return out
	}}
}

// percent prints a share, "-" where there is none.
func percent(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return fmt.Sprintf("%.1f%%", 100*x)
}

// breakText prints the value of a tie-break; "-" where it was not asked.
func breakText(x float64) string {
	switch {
	case math.IsNaN(x):
		return "-"
	case math.IsInf(x, 1):
		return "∞"
	}
	return plain.Number(math.Round(x*100) / 100)
}

func forfeits(e tournament.Entry) string {
	var out []string
	for _, x := range []struct {
		n    int
		what string
	}{{e.Crashes, "crash"}, {e.Timeouts, "time"}, {e.Illegal, "illegal"}, {e.Starts, "start"}, {e.Other, "other"}} {
		if x.n > 0 {
			out = append(out, fmt.Sprintf("%d %s", x.n, x.what))
		}
	}
	if len(out) == 0 {
		return "-"
	}
	return strings.Join(out, ", ")
}

// usedText prints what an engine used, "-" for what is unknown.
func usedText(u *standing.Use) (cpu, memory string) {
	cpu, memory = "-", "-"
	if x := u.Mean(); x != nil {
		cpu = plain.Span(*x)
	}
	if x := u.Peak(); x != nil {
		memory = plain.Megabytes(*x)
	}
	return cpu, memory
}

// short is the score of the first of two engines, or of the leader of many, with its Elo.
func (t *Table) short() string {
	best := 0
	if len(t.Names) > 2 {
		best = t.Ranking()[0].Engine
	}
	e, est := t.Table().Entry(best), t.Director.Estimate(best)
	text := fmt.Sprintf("%s +%d -%d =%d, Elo %s", t.Names[best], e.Wins, e.Losses, e.Draws, rating.Text(est.Elo, est.Error, 1))
	if t.Test != nil {
		text += ", " + t.Test.Ratio()
	}
	return text
}

// detail is how the run stands in full: the figures of a match, or a table.
func (t *Table) detail() string {
	if len(t.Names) == 2 {
		return "  " + t.figures()
	}
	var out strings.Builder
	t.ranking(&out, shownWhilePlaying)
	return out.String()
}

// shownWhilePlaying is how many engines a table shows while a run goes on: as many as
// fit on a screen beside what was printed before.
const shownWhilePlaying = 20

// figures are those of a match of two engines, as the first sees them: normalized Elo,
// the likelihood of superiority, and draws, or pairs of games where each opening is
// played twice.
func (t *Table) figures() string {
	est := t.Director.Estimate(0)
	text := fmt.Sprintf("nElo %s, LOS %s", rating.Text(est.NElo, est.NError, 1), percent(est.LOS))
	c, pairs := t.Counts(0)
	if !pairs {
		return text + ", draws " + percent(c.DrawRatio())
	}
	return fmt.Sprintf("%s, pairs (LL LD even WD WW) %g %g %g %g %g, even %s, pair ratio %s",
		text, c.N[0], c.N[1], c.N[2], c.N[3], c.N[4], percent(c.DrawRatio()), breakText(c.Ratio()))
}
