package main

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
	"kibitz/tournament"
)

// addByes counts the byes of a Swiss in the standings, when all else is counted.
func (r *matchRun) addByes() {
	s, ok := r.director.Format().(*tournament.Swiss)
	if !ok {
		return
	}
	for _, row := range s.Table() {
		r.standings.AddByes(row.Engine, row.Byes, row.ByePoints)
	}
}

// formatTable prints how the run ended in the way of its format.
func (r *matchRun) formatTable() {
	r.rankingTable(r.talk, 0)
	if s, ok := r.director.Format().(*tournament.Knockout); ok {
		fmt.Fprintln(r.talk)
		bracket(r.talk, r.names, s.Bracket())
	}
}

// rankingTable prints the engines in the order of the format, the first most of them
// (0 for all). Points are followed by the share of the points where engines have not
// played as many games, byes and tie-breaks where somebody has or needs them.
func (r *matchRun) rankingTable(w io.Writer, most int) {
	rows := slices.DeleteFunc(r.director.Ranking(r.breaks), func(x tournament.Row) bool { return x.Rank == 0 })
	t := r.tableColumns(rows)
	left := 0
	if most > 0 && len(rows) > most {
		left = len(rows) - most
		rows = rows[:most]
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, strings.Join(t.head, "\t")+"\t")
	for i := range rows {
		fmt.Fprintln(tw, strings.Join(t.cells(&rows[i]), "\t")+"\t")
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

// tableColumns returns the columns that a table of these rows needs.
func (r *matchRun) tableColumns(rows []tournament.Row) standingsColumns {
	st, byes := r.standings, map[int]int{}
	s, swiss := r.director.Format().(*tournament.Swiss)
	if swiss {
		for _, x := range s.Table() {
			byes[x.Engine] = x.Byes
		}
	}
	shares, breaks := false, swiss || r.cmd.TieBreaks != nil
	for i := 1; i < len(rows); i++ {
		a, b := &rows[i-1], &rows[i]
		shares = shares || st.Entry(a.Engine).Games+byes[a.Engine]*r.plan.Games != st.Entry(b.Engine).Games+byes[b.Engine]*r.plan.Games
		breaks = breaks || len(rows) > 2 && a.Share == b.Share && a.Rank != b.Rank
	}
	used := len(r.totals.used) > 0
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
		for _, b := range r.breaks {
			head = append(head, string(b))
		}
	}
	add(true, "Elo", "LOS", "forfeits")
	add(used, "cpu/game", "memory")
	return standingsColumns{head, func(row *tournament.Row) []string {
		e, est := st.Entry(row.Engine), r.director.Estimate(row.Engine)
		out := []string{strconv.Itoa(row.Rank), r.names[row.Engine]}
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
		for i := range r.breaks {
			if breaks {
				out = append(out, breakText(row.Values[i]))
			}
		}
		out = append(out, rating.Text(est.Elo, est.Error, 1), percent(est.LOS), forfeits(e))
		if used {
			cpu, memory := r.totals.used[row.Engine].columns()
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

// bracket prints the matches of a knockout round by round.
func bracket(w io.Writer, names []string, matches []tournament.KnockoutMatch) {
	round := 0
	for _, m := range matches {
		if m.Round != round {
			round = m.Round
			fmt.Fprintln(w, knockoutRound(m))
		}
		fmt.Fprintln(w, "  "+knockoutText(m, names))
	}
}

// knockoutRound names a round by how many are left in it.
func knockoutRound(m tournament.KnockoutMatch) string {
	switch m.Of - m.Round {
	case 0:
		return "final"
	case 1:
		return "semifinals"
	case 2:
		return "quarterfinals"
	}
	return fmt.Sprintf("round %d, last %d", m.Round, 2<<(m.Of-m.Round))
}

// knockoutText prints a match: "A - B 2-1, after a rematch: A".
func knockoutText(m tournament.KnockoutMatch, names []string) string {
	if m.Second < 0 {
		return names[m.First] + " has a bye"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s - %s %s-%s", names[m.First], names[m.Second], plain.Number(m.Points[0]), plain.Number(m.Points[1]))
	switch m.Rematches {
	case 0:
	case 1:
		b.WriteString(" with a rematch")
	default:
		fmt.Fprintf(&b, " with %d rematches", m.Rematches)
	}
	switch {
	case m.Winner < 0:
		b.WriteString(", not decided")
	case m.Placed:
		b.WriteString(": " + names[m.Winner] + " goes on, placed higher")
	default:
		b.WriteString(": " + names[m.Winner])
	}
	return b.String()
}
