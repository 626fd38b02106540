package field

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"kibitz/internal/plain"
	"kibitz/rating"
	"kibitz/rating/results"
)

const maxCross = 30

// Print shows the ratings, the cross table and the residuals to people.
func (l *Ratings) Print(w io.Writer) {
	l.table(w)
	switch n := len(l.Players); {
	case n > maxCross:
		fmt.Fprintf(w, "no cross table of %d players; --json has all pairings\n", n)
	case n > 2:
		fmt.Fprintln(w)
		l.crossTable(w)
	}
	for _, p := range l.Pairings {
		if len(l.Players) == 2 {
			fmt.Fprintf(w, "%s - %s: Elo %s, nElo %s, LOS %.2f%% (by %s)\n", p.First, p.Second,
				rating.Text(p.number(p.Elo), number0(p.Error), 2), rating.Text(p.number(p.NElo), number0(p.NError), 2), 100*p.LOS, p.Unit)
		}
	}
	s := l.FirstSeat
	fmt.Fprintf(w, "first seat: +%d =%d -%d, %.1f%% of the points", s.Wins, s.Draws, s.Losses, 100*s.Score)
	if s.Elo != nil {
		fmt.Fprintf(w, ", worth %s Elo", rating.Text(*s.Elo, number0(s.Error), 1))
	}
	if l.DrawElo != nil {
		fmt.Fprintf(w, "; a draw below %.1f Elo", *l.DrawElo)
	}
	fmt.Fprintf(w, "; %s\n", plain.Count(l.Games, "game"))
	if n := l.pool.Halves(); n > 0 {
		fmt.Fprintf(w, "%s without the other half of the pair\n", plain.Count(n, "game"))
	}
}

// table prints the players, the best first.
func (l *Ratings) table(w io.Writer) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	last := "LOS next"
	if l.System == Glicko2 {
		last = "volatility"
	}
	fmt.Fprintf(tw, "rank\tplayer\tgames\twins\tdraws\tlosses\tpoints\tElo\t%s\t\n", last)
	for i, p := range l.Players {
		text := "-"
		switch {
		case p.Volatility > 0:
			text = fmt.Sprintf("%.6f", p.Volatility)
		case p.LOS != nil:
			text = fmt.Sprintf("%.1f%%", 100**p.LOS)
		}
		fmt.Fprintf(tw, "%d\t%s\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t\n",
			i+1, p.Name, p.Games, p.Wins, p.Draws, p.Losses, plain.Number(p.Score), p.elo(), text)
	}
	tw.Flush()
}

// number0 is a number that may be missing.
func number0(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}

// number is a difference that may be infinite.
func (p *Pairing) number(x *float64) float64 {
	switch {
	case x != nil:
		return *x
	case p.Score == 1:
		return math.Inf(1)
	case p.Score == 0:
		return math.Inf(-1)
	}
	return math.NaN()
}

func (p *Player) elo() string {
	switch p.Bound {
	case "+":
		return "+∞"
	case "-":
		return "-∞"
	}
	return rating.Text(number0(p.Elo), number0(p.Error), 1)
}

// crossTable prints what everyone made against everyone.
func (l *Ratings) crossTable(w io.Writer) {
	r := l.pool
	duels := r.Duels()
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(tw, "\tagainst\t")
	for i := range l.Players {
		fmt.Fprintf(tw, "%d\t", i+1)
	}
	fmt.Fprintln(tw)
	for i, a := range l.Players {
		fmt.Fprintf(tw, "%d\t%s\t", i+1, a.Name)
		for _, b := range l.Players {
			switch c := results.Between(duels, r.Number(a.Name), r.Number(b.Name)); {
			case a.Name == b.Name:
				fmt.Fprint(tw, "x\t")
			case c.Total() == 0:
				fmt.Fprint(tw, "-\t")
			default:
				fmt.Fprintf(tw, "+%g =%g -%g\t", c.N[2], c.N[1], c.N[0])
			}
		}
		fmt.Fprintln(tw)
	}
	tw.Flush()
}
