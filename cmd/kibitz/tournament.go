package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"kibitz/tournament"
)

// plan is the schedule that the flags describe, with what the format takes if
// nobody says.
func (c *matchCmd) plan(engines, openings int) tournament.Plan {
	p := tournament.Plan{
		Format: tournament.Format(c.Format), Engines: engines, Games: c.Games, Rounds: 1, Seeds: c.Seeds,
		Openings: openings, Repeat: c.Repeat, FixedSeats: c.FixedSeats,
	}
	switch {
	case c.Rounds != nil:
		p.Rounds = *c.Rounds
	case p.Format == tournament.SwissSystem:
		p.Rounds = tournament.SwissRounds(engines)
	}
	if p.Format == tournament.Gauntlet && p.Seeds == 0 {
		p.Seeds = 1
	}
	return p
}

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
	switch s := r.director.Format().(type) {
	case *tournament.Swiss:
		if r.cmd.TieBreaks != "" {
			r.rankingTable()
			return
		}
		swissTable(r.talk, r.names, r.standings, s.Table())
	case *tournament.Knockout:
		r.rankingTable()
		fmt.Fprintln(r.talk)
		bracket(r.talk, r.names, s.Bracket())
	case *tournament.Ladder:
		r.rankingTable()
		fmt.Fprintln(r.talk)
		for place, e := range s.Places() {
			fmt.Fprintf(r.talk, "place %d: %s\n", place+1, r.names[e])
		}
	default:
		r.rankingTable()
	}
}

// rankingTable prints the engines by points and tie-breaks. The tie-breaks are shown
// where they were asked for, and where they part somebody.
func (r *matchRun) rankingTable() {
	rows, st := r.director.Ranking(r.breaks), r.standings
	shown := r.cmd.TieBreaks != ""
	for i := 1; i < len(rows) && len(r.names) > 2; i++ {
		shown = shown || rows[i].Points == rows[i-1].Points && rows[i].Rank != rows[i-1].Rank
	}
	tw := tabwriter.NewWriter(r.talk, 0, 0, 2, ' ', tabwriter.AlignRight)
	head := "rank\tengine\tgames\twins\tdraws\tlosses\tpoints\t"
	if shown {
		for _, b := range r.breaks {
			head += string(b) + "\t"
		}
	}
	head += "Elo\tLOS\tforfeits\t"
	used := len(r.totals.used) > 0
	if used {
		head += "cpu/game\tmemory\t"
	}
	fmt.Fprintln(tw, head)
	for _, row := range rows {
		e, est := st.Entry(row.Engine), st.Estimate(row.Engine)
		fmt.Fprintf(tw, "%d\t%s\t%d\t%d\t%d\t%d\t%s\t", row.Rank, r.names[row.Engine], e.Games, e.Wins, e.Draws, e.Losses, number(e.Points))
		for i := range r.breaks {
			if shown {
				fmt.Fprint(tw, breakText(row.Values[i])+"\t")
			}
		}
		fmt.Fprintf(tw, "%s\t%.1f%%\t%s\t", eloText(est.Elo, est.Error), 100*est.LOS, forfeits(e))
		if used {
			cpu, memory := r.totals.used[row.Engine].columns()
			fmt.Fprintf(tw, "%s\t%s\t", cpu, memory)
		}
		fmt.Fprintln(tw)
	}
	tw.Flush()
}

// breakText prints the value of a tie-break; "-" where it was not asked.
func breakText(x float64) string {
	switch {
	case math.IsNaN(x):
		return "-"
	case math.IsInf(x, 1):
		return "∞"
	}
	return number(math.Round(x*100) / 100)
}

// swissTable prints the engines of a Swiss with the tie-breaks of the rounds that
// are over, the points among them.
func swissTable(w io.Writer, names []string, st *tournament.Standings, rows []tournament.SwissRow) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "rank\tengine\tgames\twins\tdraws\tlosses\tbyes\tpoints\tBuchholz\tmedian\tS-B\tdirect\tElo\tforfeits\t")
	for _, row := range rows {
		e, est := st.Entry(row.Engine), st.Estimate(row.Engine)
		fmt.Fprintf(tw, "%d\t%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", row.Rank, names[row.Engine], e.Games, e.Wins, e.Draws, e.Losses,
			row.Byes, number(row.Points), number(row.Buchholz), number(row.Median), number(row.SonnebornBerger), number(row.Direct),
			eloText(est.Elo, est.Error), forfeits(e))
	}
	tw.Flush()
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
	fmt.Fprintf(&b, "%s - %s %s-%s", names[m.First], names[m.Second], number(m.Points[0]), number(m.Points[1]))
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
