// Package field rates the players of records, and says it as tables and as JSON.
package field

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"kibitz/rating"
	"kibitz/rating/results"
	"kibitz/tournament"
)

// System is how a field is rated.
type System string

// The systems.
const (
	Elo      System = "elo" // Bradley-Terry
	Ordo     System = "ordo"
	BayesElo System = "bayeselo"
	Glicko2  System = "glicko2"
)

// Systems returns all systems.
func Systems() []System { return []System{Elo, Ordo, BayesElo, Glicko2} }

// Param is a parameter of a model: Elo, or found from the results. The zero value is
// what the system has.
type Param struct {
	Given, Fit bool
	Elo        float64
}

// ParseParam reads Elo from least to rating.MaxElo, or auto to find it; nothing leaves the
// parameter as it is.
func ParseParam(text string, least float64) (Param, error) {
	switch text {
	case "":
		return Param{}, nil
	case "auto":
		return Param{Fit: true}, nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= least && x <= rating.MaxElo) {
		return Param{}, errors.New("write Elo, for example 30, or auto")
	}
	return Param{Given: true, Elo: x}, nil
}

// set puts the parameter into a model.
func (p Param) set(elo *float64, fit *bool) {
	if p.Given {
		*elo = p.Elo
	}
	*fit = *fit || p.Fit
}

// Anchor is a rating that is given.
type Anchor struct {
	Name string
	Elo  float64
}

// ParseAnchor reads NAME=ELO.
func ParseAnchor(text string) (a Anchor, err error) {
	i := strings.LastIndexByte(text, '=')
	if i < 0 {
		return a, errors.New("write NAME=ELO")
	}
	elo, err := strconv.ParseFloat(text[i+1:], 64)
	if err != nil || !(math.Abs(elo) <= 1e5) {
		return a, fmt.Errorf("%q is no rating; write NAME=ELO", text[i+1:])
	}
	return Anchor{text[:i], elo}, nil
}

// Options say how a field is rated.
type Options struct {
	System System
	// FirstSeat is what the first seat is worth, DrawElo how much better a side must be to
	// win, which only BayesElo has.
	FirstSeat, DrawElo Param
	Anchors            []Anchor
	// Tau is how fast volatility changes in Glicko2.
	Tau        float64
	Convention rating.Convention
	Points     tournament.Points
	// Residuals is what games are grouped by, "" for no residuals.
	Residuals results.Group
}

// UnknownPlayer is the error of a name that no game has.
type UnknownPlayer struct {
	Name    string
	Players []string
}

func (e *UnknownPlayer) Error() string {
	return fmt.Sprintf("no game of %q among the records; players are %s", e.Name, SomeNames(e.Players))
}

// LooseAnchor is the error of an anchor from which nobody's rating follows.
type LooseAnchor struct{ Name string }

func (e *LooseAnchor) Error() string {
	return e.Name + " won or lost everything against the others, or never met them"
}

// SomeNames lists names, not all of very many.
func SomeNames(names []string) string {
	const enough = 8
	if len(names) > enough {
		return strings.Join(names[:enough], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

// Ratings are the players of records with what was found of them, as JSON has it.
type Ratings struct {
	Type    string   `json:"type"`
	System  System   `json:"system"`
	Games   int      `json:"games"`
	Players []Player `json:"players"`
	// Pairings are those that met, the better player first.
	Pairings  []Pairing `json:"pairings"`
	FirstSeat Seat      `json:"first_seat"`
	// DrawElo is by how much a side must be better to win in BayesElo's model, in Elo;
	// null in the others.
	DrawElo *float64         `json:"draw_elo"`
	SPRT    *rating.Standing `json:"sprt"`
	// Residuals are there if they were asked for.
	Residuals *Residuals `json:"residuals,omitempty"`

	pool *results.Pool
}

// Player is one line of the table.
type Player struct {
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

// Pairing is what one player made against another.
type Pairing struct {
	First  string    `json:"first"`
	Second string    `json:"second"`
	Wins   int       `json:"wins"`
	Draws  int       `json:"draws"`
	Losses int       `json:"losses"`
	Unit   string    `json:"unit"`
	Counts []float64 `json:"counts"`
	Estimate
}

// Seat is what the first seat is worth.
type Seat struct {
	Wins   int      `json:"wins"`
	Draws  int      `json:"draws"`
	Losses int      `json:"losses"`
	Score  float64  `json:"score"`
	Elo    *float64 `json:"elo"`
	Error  *float64 `json:"error"`
}

// Test makes a sequential test of one of the two players of a pool; without a name of the
// one whom the records name first.
func Test(r *results.Pool, t *rating.Test, player string) (*rating.Sequence, string, error) {
	if len(r.Names()) != 2 {
		return nil, "", fmt.Errorf("a test is of one of two players, the records are of %d: %s", len(r.Names()), SomeNames(r.Names()))
	}
	p := 0
	if player != "" {
		if p = r.Number(player); p < 0 {
			return nil, "", &UnknownPlayer{player, r.Names()}
		}
	}
	counts := results.Between(r.Duels(), p, 1-p)
	if pairs, ok := r.Pairs(p, 1-p); ok && t.Model.Pairs() {
		counts = pairs
	}
	q := t.Start(counts.Unit() == "pairs")
	q.Set(counts)
	return q, r.Names()[p], nil
}

// model is the field that the options describe.
func (o *Options) model(r *results.Pool) (rating.Field, error) {
	f := rating.BradleyTerry()
	switch o.System {
	case Ordo:
		f.Scale = rating.OrdoScale
	case BayesElo:
		f = rating.BayesEloField()
	}
	o.FirstSeat.set(&f.Advantage, &f.FitAdvantage)
	o.DrawElo.set(&f.Threshold, &f.FitThreshold)
	for _, a := range o.Anchors {
		p := r.Number(a.Name)
		if p < 0 {
			return f, &UnknownPlayer{a.Name, r.Names()}
		}
		if f.Anchors == nil {
			f.Anchors = map[int]float64{}
		}
		f.Anchors[p] = a.Elo
	}
	return f, nil
}

// Rate computes everything that is shown of a field.
func Rate(r *results.Pool, o Options) (*Ratings, error) {
	f, err := o.model(r)
	if err != nil {
		return nil, err
	}
	duels := r.Duels()
	l := &Ratings{Type: "ratings", System: o.System, Games: r.Len(), Pairings: []Pairing{}, pool: r}
	l.FirstSeat, err = firstSeat(f, r, duels)
	if alone, ok := errors.AsType[*rating.AloneError](err); ok {
		return nil, &LooseAnchor{r.Names()[alone.Player]}
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
	if o.System == Glicko2 {
		l.Players = glickoPlayers(r.Names(), r.Glicko(o.Tau))
	} else {
		l.Players = eloPlayers(r.Names(), got, duels)
	}
	l.count(duels, o)
	if o.Residuals != "" {
		l.Residuals, err = residuals(r, f, o)
	}
	return l, err
}

// count fills in what everyone made, alone and against everyone.
func (l *Ratings) count(duels []rating.Duel, o Options) {
	r := l.pool
	sums, met := results.Made(duels)
	for i := range l.Players {
		p := &l.Players[i]
		sum := sums[r.Number(p.Name)]
		p.Wins, p.Draws, p.Losses, p.Score = tally(rating.Counts{N: sum[:]}, o.Points)
		p.Games = p.Wins + p.Draws + p.Losses
	}
	for i, a := range l.Players {
		for _, b := range l.Players[i+1:] {
			if !met[[2]int{r.Number(a.Name), r.Number(b.Name)}] {
				continue
			}
			if p, ok := pairing(r, duels, r.Number(a.Name), r.Number(b.Name), o.Convention); ok {
				l.Pairings = append(l.Pairings, p)
			}
		}
	}
}

func tally(c rating.Counts, w tournament.Points) (wins, draws, losses int, points float64) {
	losses, draws, wins = int(c.N[0]), int(c.N[1]), int(c.N[2])
	return wins, draws, losses, float64(wins)*w.Win + float64(draws)*w.Draw + float64(losses)*w.Loss
}

// ranked are the numbers of the players, the largest values first; later values part those with equal
// ones, and names those with equal values throughout. The order of the records has no say: the same
// games in another order give the same list.
func ranked(names []string, values ...func(i int) float64) []int {
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) (c int) {
		for _, value := range values {
			c = cmp.Or(c, cmp.Compare(value(b), value(a)))
		}
		return cmp.Or(c, cmp.Compare(names[a], names[b]))
	})
	return order
}

// settled is a fitted rating to a millionth of an Elo: what a fit leaves beyond that depends on the order
// of the records.
func settled(elo float64) float64 {
	return math.Round(elo*1e6)/1e6 + 0 // +0: no -0
}

// eloPlayers orders the players by their ratings. Those who cannot be compared with others stand by their
// share of the points, above who lost all.
func eloPlayers(names []string, got *rating.Ratings, duels []rating.Duel) []Player {
	sums, _ := results.Made(duels)
	order := ranked(names, func(i int) float64 {
		if math.IsNaN(got.Elo[i]) {
			return -math.MaxFloat64
		}
		return settled(got.Elo[i])
	}, func(i int) float64 {
		n := sums[i]
		return (n[2] + n[1]/2) / max(1, n[0]+n[1]+n[2])
	})
	out := make([]Player, len(names))
	for k, i := range order {
		out[k] = Player{Name: names[i], Elo: whole(settled(got.Elo[i])), Error: whole(got.Error[i])}
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
func glickoPlayers(names []string, all []rating.Glicko2) []Player {
	out := make([]Player, len(all))
	for k, i := range ranked(names, func(i int) float64 { return all[i].Rating }) {
		g := all[i]
		out[k] = Player{
			Name: names[i], Elo: whole(g.Rating), Error: whole(rating.Z95 * g.Deviation), Deviation: g.Deviation, Volatility: g.Volatility,
		}
	}
	return out
}

// pairing is what player a made against player b; false if they did not meet.
func pairing(r *results.Pool, duels []rating.Duel, a, b int, way rating.Convention) (Pairing, bool) {
	c := results.Between(duels, a, b)
	if c.Total() == 0 {
		return Pairing{}, false
	}
	p := Pairing{First: r.Names()[a], Second: r.Names()[b]}
	p.Wins, p.Draws, p.Losses, _ = tally(c, tournament.DefaultPoints)
	if pairs, ok := r.Pairs(a, b); ok && 2*pairs.Total() == c.Total() {
		c = pairs
	}
	p.Unit, p.Counts, p.Estimate = c.Unit(), c.N, NewEstimate(c.EstimateBy(way))
	return p, true
}

// firstSeat finds what the first seat is worth, by the model without what was
// given for it; where that is not possible, by the games of the first seat alone.
func firstSeat(f rating.Field, r *results.Pool, duels []rating.Duel) (Seat, error) {
	var c [3]float64
	for _, d := range duels {
		c[0], c[1], c[2] = c[0]+d.Losses, c[1]+d.Draws, c[2]+d.Wins
	}
	counts := rating.Counts{N: c[:]}
	e := counts.Estimate()
	s := Seat{Score: e.Score}
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
