package field

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"kibitz/internal/plain"
	"kibitz/rating"
	"kibitz/rating/results"
)

// Residuals are what games grouped by something tell about ratings.
type Residuals struct {
	// By says what games are grouped by.
	By results.Group `json:"by"`
	// Chi2 is the test of all groups together, with DF degrees of freedom; P is null
	// if no group has enough games.
	Chi2 float64  `json:"chi2"`
	DF   int      `json:"df"`
	P    *float64 `json:"p"`
	// Dispersion is the variance in units of that of wins and losses.
	Dispersion float64 `json:"dispersion"`
	// Skipped are games of players without a rating.
	Skipped int        `json:"skipped"`
	Groups  []Residual `json:"groups"`
}

// Residual is one group.
type Residual struct {
	Group    string  `json:"group"`
	Games    int     `json:"games"`
	Points   float64 `json:"points"`
	Expected float64 `json:"expected"`
	// Residual is (points−expected)/√variance, null if there are too few games.
	Residual *float64 `json:"residual"`
	P        *float64 `json:"p"`
	// Outlier is the level at which the group stands out, 0.05 or 0.01, or 0.
	Outlier float64 `json:"outlier"`
}

// NoGroup is the error that no record says what games are to be grouped by.
type NoGroup struct{ By results.Group }

func (e *NoGroup) Error() string {
	return fmt.Sprintf("no record says its %s; it is %s", e.By, whereSaid[e.By])
}

// residuals compares groups of games with the ratings.
func residuals(r *results.Pool, f rating.Field, o Options) (*Residuals, error) {
	if o.FirstSeat == (Param{}) {
		f.FitAdvantage = true // else every engine's seats would stand out
	}
	games, groups := r.Observed(o.Residuals)
	if len(groups) == 0 {
		return nil, &NoGroup{o.Residuals}
	}
	table, err := rating.Residuals(f, len(r.Names()), games, len(groups))
	if errors.Is(err, rating.ErrNoMaximum) {
		return nil, fmt.Errorf("residuals by %s: %w", o.Residuals, err)
	}
	if err != nil {
		return nil, err
	}
	l := &Residuals{
		By: o.Residuals, Chi2: table.Chi2, DF: table.DF, P: whole(table.P), Dispersion: table.Dispersion, Skipped: table.Skipped,
	}
	for i, g := range table.Groups {
		l.Groups = append(l.Groups, Residual{groups[i], g.Games, g.Points, g.Expected, whole(g.Z), whole(g.P), g.Outlier})
	}
	slices.SortStableFunc(l.Groups, func(a, b Residual) int {
		return cmp.Compare(math.Abs(number0(b.Residual)), math.Abs(number0(a.Residual)))
	})
	return l, nil
}

// whereSaid tells where a record says what games are grouped by.
var whereSaid = map[results.Group]string{
	results.ByOpening: "the tag opening, or a position to start from",
	results.ByHost:    "the tag host, or the place of the game",
}

// mostResiduals is how many groups are shown to people.
const mostResiduals = 30

// Print shows residuals to people, the farthest off first.
func (l *Residuals) Print(w io.Writer) {
	fmt.Fprintf(w, "\nresiduals by %s: ", l.By)
	if l.P == nil {
		fmt.Fprintln(w, "no group has enough games to be judged")
	} else {
		fmt.Fprintf(w, "chi² %.2f, %d degrees of freedom, p %s\n", l.Chi2, l.DF, chance(*l.P))
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(tw, "%s\tgames\tpoints\texpected\tresidual\tp\tstands out\t\n", l.By)
	for i, g := range l.Groups {
		if i == mostResiduals {
			break
		}
		z, p, out := "-", "-", "-"
		if g.Residual != nil {
			z, p = fmt.Sprintf("%+.2f", *g.Residual), chance(*g.P)
		}
		if g.Outlier > 0 {
			out = fmt.Sprintf("at %g%%", 100*g.Outlier)
		}
		fmt.Fprintf(tw, "%s\t%d\t%s\t%.1f\t%s\t%s\t%s\t\n", g.Group, g.Games, plain.Number(g.Points), g.Expected, z, p, out)
	}
	tw.Flush()
	if n := len(l.Groups) - mostResiduals; n > 0 {
		fmt.Fprintf(w, "and %d more; --json has all\n", n)
	}
	if l.Skipped > 0 {
		fmt.Fprintf(w, "%s of players without a rating left out\n", plain.Count(l.Skipped, "game"))
	}
}

func chance(p float64) string {
	if p < 0.0001 {
		return fmt.Sprintf("%.1e", p)
	}
	return fmt.Sprintf("%.4f", p)
}
