package main

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
	"kibitz/tournament"
)

// ratingsLine is what --json prints for records.
type ratingsLine struct {
	Type    string       `json:"type"`
	System  string       `json:"system"`
	Games   int          `json:"games"`
	Players []playerLine `json:"players"`
	// Pairings are those that met, the better player first.
	Pairings  []pairingLine `json:"pairings"`
	FirstSeat seatLine      `json:"first_seat"`
	// DrawElo is by how much a side must be better to win in BayesElo's model, in Elo;
	// null in the others.
	DrawElo *float64         `json:"draw_elo"`
	SPRT    *rating.Standing `json:"sprt"`
	// Residuals are there with --residuals.
	Residuals *residualsLine `json:"residuals,omitempty"`
}

type playerLine struct {
	Name   string  `json:"name"`
	Games  int     `json:"games"`
	Wins   int     `json:"wins"`
	Draws  int     `json:"draws"`
	Losses int     `json:"losses"`
	Score  float64 `json:"score"`
	// Elo is null for who won or lost everything; Bound then says "+" or "-".
	Elo   *float64 `json:"elo"`
	Error *float64 `json:"error"`
	Bound string   `json:"bound,omitempty"`
	// LOS is the likelihood of being better than the next player, null for the
	// last.
	LOS *float64 `json:"los"`
	// Deviation and Volatility are those of Glicko-2.
	Deviation  float64 `json:"deviation,omitempty"`
	Volatility float64 `json:"volatility,omitempty"`
}

type pairingLine struct {
	First  string    `json:"first"`
	Second string    `json:"second"`
	Wins   int       `json:"wins"`
	Draws  int       `json:"draws"`
	Losses int       `json:"losses"`
	Unit   string    `json:"unit"`
	Counts []float64 `json:"counts"`
	estimateLine
}

// seatLine is what the first seat is worth.
type seatLine struct {
	Wins   int      `json:"wins"`
	Draws  int      `json:"draws"`
	Losses int      `json:"losses"`
	Score  float64  `json:"score"`
	Elo    *float64 `json:"elo"`
	Error  *float64 `json:"error"`
}

// field rates the players of records.
func (c *rateCmd) field(a *app, test *rating.Test) error {
	points, err := parsePoints(c.Points)
	if err != nil {
		return err
	}
	r, faulty, err := c.collect(a)
	if err != nil {
		return err
	}
	q, player, err := c.test(r, test)
	if err != nil {
		return err
	}
	l, err := c.lines(r, points)
	if err != nil {
		return err
	}
	l.SPRT = rating.NewStanding(q, player)
	if l.Residuals, err = c.residuals(r); err != nil {
		return err
	}
	if c.JSON {
		err = plain.JSONLine(a.stdout, l)
	} else {
		c.tables(a.stdout, r, l)
		if q != nil {
			fmt.Fprintf(a.stdout, "%s: %s\n", player, q.Text())
		}
		l.Residuals.print(a.stdout)
	}
	if err == nil && faulty > 0 {
		return badVerdict("%s not read whole", plain.Count(faulty, "file"))
	}
	return err
}

// test makes the sequential test of --sprt on the records.
func (c *rateCmd) test(r *results.Pool, test *rating.Test) (*rating.Sequence, string, error) {
	if test == nil {
		return nil, "", nil
	}
	if len(r.Names()) != 2 {
		return nil, "", fmt.Errorf("--sprt tests one of two players, the records are of %d: %s", len(r.Names()), someNames(r.Names()))
	}
	p := 0
	if c.Player != "" {
		if p = slices.Index(r.Names(), c.Player); p < 0 {
			return nil, "", fmt.Errorf("--player %s: no such player; players are %s", c.Player, someNames(r.Names()))
		}
	}
	counts := results.Between(r.Duels(), p, 1-p)
	if pairs, ok := r.Pairs(p, 1-p); ok && test.Model.Pairs() {
		counts = pairs
	}
	q := test.Start(counts.Unit() == "pairs")
	q.Set(counts)
	return q, r.Names()[p], nil
}

// lines computes everything that is shown.
func (c *rateCmd) lines(r *results.Pool, w tournament.Points) (*ratingsLine, error) {
	f, err := c.model(r.Names())
	if err != nil {
		return nil, err
	}
	duels := r.Duels()
	l := &ratingsLine{Type: "ratings", System: c.System, Games: r.Len(), Pairings: []pairingLine{}}
	l.FirstSeat, err = firstSeat(f, r, duels)
	var alone *rating.AloneError
	if errors.As(err, &alone) {
		return nil, fmt.Errorf("--anchor %s: it won or lost everything against the others, or never met them; anchor another, or take --system bayeselo", r.Names()[alone.Player])
	}
	if err != nil {
		return nil, err
	}
	got, err := f.Rate(len(r.Names()), duels)
	if err != nil {
		return nil, err
	}
	if f.Draws == rating.ThresholdDraws {
		l.DrawElo = whole(got.Threshold)
	}
	if c.System == "glicko2" {
		l.Players = glickoPlayers(r.Names(), r.Glicko(c.Tau))
	} else {
		l.Players = eloPlayers(r.Names(), got)
	}
	sums, met := results.Made(duels)
	for i := range l.Players {
		p := &l.Players[i]
		sum := sums[r.Number(p.Name)]
		p.Wins, p.Draws, p.Losses, p.Score = tally(rating.Counts{N: sum[:]}, w)
		p.Games = p.Wins + p.Draws + p.Losses
	}
	for i, a := range l.Players {
		for _, b := range l.Players[i+1:] {
			if !met[[2]int{r.Number(a.Name), r.Number(b.Name)}] {
				continue
			}
			if p, ok := pairing(r, duels, r.Number(a.Name), r.Number(b.Name), rating.Convention(c.Convention)); ok {
				l.Pairings = append(l.Pairings, p)
			}
		}
	}
	return l, nil
}

// eloPlayers orders the players by rating; those that have none come last.
func eloPlayers(names []string, got *rating.Ratings) []playerLine {
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(got.Elo[b], got.Elo[a]) }) // NaN comes last
	out := make([]playerLine, len(names))
	for k, i := range order {
		out[k] = playerLine{Name: names[i], Elo: whole(got.Elo[i]), Error: whole(got.Error[i])}
		switch {
		case math.IsInf(got.Elo[i], 1):
			out[k].Bound = "+"
		case math.IsInf(got.Elo[i], -1):
			out[k].Bound = "-"
		}
		if k+1 < len(order) {
			out[k].LOS = whole(got.Superiority(i, order[k+1]))
		}
	}
	return out
}

// glickoPlayers orders the players by their Glicko-2 ratings.
func glickoPlayers(names []string, all []rating.Glicko2) []playerLine {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(all[b].Rating, all[a].Rating) })
	out := make([]playerLine, len(all))
	for k, i := range order {
		g := all[i]
		out[k] = playerLine{Name: names[i], Elo: whole(g.Rating), Error: whole(rating.Z95 * g.Deviation), Deviation: g.Deviation, Volatility: g.Volatility}
	}
	return out
}

// pairing is what player a made against player b; false if they did not meet.
func pairing(r *results.Pool, duels []rating.Duel, a, b int, way rating.Convention) (pairingLine, bool) {
	c := results.Between(duels, a, b)
	if c.Total() == 0 {
		return pairingLine{}, false
	}
	p := pairingLine{First: r.Names()[a], Second: r.Names()[b]}
	p.Wins, p.Draws, p.Losses, _ = tally(c, tournament.DefaultPoints)
	if pairs, ok := r.Pairs(a, b); ok && 2*pairs.Total() == c.Total() {
		c = pairs
	}
	p.Unit, p.Counts, p.estimateLine = c.Unit(), c.N, newEstimateLine(c.EstimateBy(way))
	return p, true
}

// firstSeat finds what the first seat is worth, by the model without what was
// given for it; where that is not possible, by the games of the first seat alone.
func firstSeat(f rating.Field, r *results.Pool, duels []rating.Duel) (seatLine, error) {
	var c [3]float64
	for _, d := range duels {
		c[0], c[1], c[2] = c[0]+d.Losses, c[1]+d.Draws, c[2]+d.Wins
	}
	counts := rating.Counts{N: c[:]}
	e := counts.Estimate()
	s := seatLine{Score: e.Score}
	s.Wins, s.Draws, s.Losses, _ = tally(counts, tournament.DefaultPoints)
	f.FitAdvantage = true
	got, err := f.Rate(len(r.Names()), duels)
	switch {
	case err != nil && !errors.Is(err, rating.ErrNoMaximum):
		return s, err
	case err == nil && got.AdvantageError > 0:
		s.Elo, s.Error = whole(got.Advantage), whole(got.AdvantageError)
	default:
		s.Elo, s.Error = whole(e.Elo), whole(e.Error)
	}
	return s, nil
}

// maxCross is the most players that a cross table for people shows.
const maxCross = 30

// tables prints the ratings and the cross table for people.
func (c *rateCmd) tables(w io.Writer, r *results.Pool, l *ratingsLine) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	last := "LOS next"
	if c.System == "glicko2" {
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
		fmt.Fprintf(tw, "%d\t%s\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t\n", i+1, p.Name, p.Games, p.Wins, p.Draws, p.Losses, plain.Number(p.Score), p.elo(), text)
	}
	tw.Flush()
	switch n := len(l.Players); {
	case n > maxCross:
		fmt.Fprintf(w, "no cross table of %d players; --json has all pairings\n", n)
	case n > 2:
		fmt.Fprintln(w)
		crossTable(w, r, l)
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
	if n := r.Halves(); n > 0 {
		fmt.Fprintf(w, "%s without the other half of the pair\n", plain.Count(n, "game"))
	}
}

// number0 is a number that may be missing.
func number0(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}

// number is a difference that may be infinite.
func (p *pairingLine) number(x *float64) float64 {
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

func (p *playerLine) elo() string {
	switch p.Bound {
	case "+":
		return "+∞"
	case "-":
		return "-∞"
	}
	return rating.Text(number0(p.Elo), number0(p.Error), 1)
}

// crossTable prints what everyone made against everyone.
func crossTable(w io.Writer, r *results.Pool, l *ratingsLine) {
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
