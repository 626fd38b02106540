package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"kibitz/internal/plain"
	"kibitz/rating"
	"kibitz/tournament"
)

type rateCmd struct {
	Files      []string `arg:"" optional:"" name:"file" help:"Records in any format, or the folder of a run; - reads stdin."`
	WLD        string   `name:"wld" help:"Bare counts instead: wins, losses, draws." placeholder:"W,L,D"`
	Penta      string   `help:"Bare counts of pairs of games: LL, LD, DD+WL, WD, WW." placeholder:"a,b,c,d,e"`
	SPRT       string   `name:"sprt" help:"Sequential test: elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic|normalized|bayesian." placeholder:"S"`
	Player     string   `help:"Whose test --sprt is; else the player named first in the records." placeholder:"NAME"`
	Pairs      bool     `help:"Count pairs of games with seats exchanged and the same opening (runs with --repeat do so by themselves)."`
	System     string   `default:"elo" help:"elo (Bradley-Terry), ordo, bayeselo or glicko2."`
	Anchor     []string `sep:"none" help:"A rating that is given; the others follow. Repeatable." placeholder:"NAME=ELO"`
	FirstSeat  string   `help:"What the first seat is worth: Elo, or auto to find it; default: nothing, 32.8 for bayeselo." placeholder:"ELO"`
	Tau        float64  `default:"0.5" help:"How fast volatility changes (glicko2)."`
	DrawElo    string   `help:"How much better a side must be to win, in Elo, or auto to find it; bayeselo only, 97.3 unless said." placeholder:"ELO"`
	Convention string   `default:"usual" help:"Errors and LOS of counts as usual (fastchess, fishtest), cutechess or openbench."`
	Residuals  string   `help:"Which opening, seat, pair (of players) or host has results that the ratings do not explain." placeholder:"BY"`
	Points     string   `default:"1/0.5/0" help:"Points for win/draw/loss." placeholder:"W/D/L"`
	Game       string   `help:"Game with options, for formats that do not say them." placeholder:"G"`
	From       string   `help:"Format of the files, if the extension does not say." placeholder:"F"`
	JSON       bool     `name:"json" help:"One JSON object."`
}

// Help returns the example that --help shows.
func (rateCmd) Help() string {
	return "Examples: kibitz rate run\n          kibitz rate --anchor Old=2000 run1 run2 games.ggf\n" +
		"          kibitz rate --wld 136,96,111\n          kibitz rate --residuals opening run\n          kibitz rate --penta 34,54,63,64,75 --sprt 'elo0=0 elo1=5 model=normalized'"
}

// Run rates players by their games, or a bare count.
func (c rateCmd) Run(a *app) error {
	test, err := c.check()
	if err != nil {
		return err
	}
	if c.WLD == "" && c.Penta == "" {
		return c.field(a, test)
	}
	counts, err := c.counts()
	if err != nil {
		return err
	}
	if test != nil && counts.Unit() == "pairs" && !test.Model.Pairs() {
		return fmt.Errorf("--sprt: model=%s counts single games: give them with --wld, or take logistic or normalized", test.Model)
	}
	return c.bare(a, counts, test)
}

// check returns which flags do not go together, and the test of --sprt.
func (c *rateCmd) check() (*rating.Test, error) {
	given := 0
	for _, x := range []bool{len(c.Files) > 0, c.WLD != "", c.Penta != ""} {
		if x {
			given++
		}
	}
	ways := []rating.Convention{rating.Usual, rating.CutechessWay, rating.OpenBenchWay}
	bare := len(c.Files) == 0
	switch {
	case given != 1:
		return nil, fmt.Errorf("give either records or folders of runs, or --wld W,L,D, or --penta a,b,c,d,e")
	case !slices.Contains(ways, rating.Convention(c.Convention)):
		return nil, fmt.Errorf("--convention %s: known are usual cutechess openbench", c.Convention)
	case !slices.Contains([]string{"elo", "ordo", "bayeselo", "glicko2"}, c.System):
		return nil, fmt.Errorf("--system %s: known are elo ordo bayeselo glicko2", c.System)
	case bare && (c.System != "elo" || len(c.Anchor) > 0 || c.FirstSeat != "" || c.DrawElo != "" || c.Player != "" || c.Pairs || c.Residuals != ""):
		return nil, fmt.Errorf("--system, --anchor, --first-seat, --player, --pairs and --residuals need records; bare counts are of two players and say no more")
	case c.Residuals != "" && !slices.Contains(residualKinds, c.Residuals):
		return nil, fmt.Errorf("--residuals %s: known are %s", c.Residuals, strings.Join(residualKinds, " "))
	case c.Residuals != "" && c.System != "elo" && c.System != "ordo":
		return nil, fmt.Errorf("--residuals: the expected scores are those of --system elo or ordo, not of %s", c.System)
	case c.System == "glicko2" && (len(c.Anchor) > 0 || c.FirstSeat != ""):
		return nil, fmt.Errorf("--system glicko2 knows neither anchors nor seats: leave --anchor and --first-seat away")
	case !(c.Tau > 0 && c.Tau <= 10):
		return nil, fmt.Errorf("--tau %v: must be above 0; usual is 0.2 to 1.2", c.Tau)
	case c.Player != "" && c.SPRT == "":
		return nil, fmt.Errorf("--player says whose test --sprt is: give both")
	case c.SPRT == "":
		return nil, nil
	}
	t, err := rating.ParseTest(c.SPRT)
	if err != nil {
		return nil, fmt.Errorf("--sprt: %w", err)
	}
	return t, nil
}

// counts reads --wld or --penta.
func (c *rateCmd) counts() (rating.Counts, error) {
	if c.WLD != "" {
		n, err := parseCounts("--wld", c.WLD, "W,L,D", 3)
		if err != nil {
			return rating.Counts{}, err
		}
		return rating.Trinomial(n[1], n[2], n[0]), nil
	}
	n, err := parseCounts("--penta", c.Penta, "LL,LD,DD+WL,WD,WW", 5)
	if err != nil {
		return rating.Counts{}, err
	}
	return rating.Pentanomial(n[0], n[1], n[2], n[3], n[4]), nil
}

func parseCounts(flag, text, want string, k int) ([]int, error) {
	var out []int
	total := 0
	for w := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(w))
		if err != nil || n < 0 || n > 1e12 {
			return nil, fmt.Errorf("%s %s: %q is no count; write %s", flag, text, w, want)
		}
		total += n
		out = append(out, n)
	}
	switch {
	case len(out) != k:
		return nil, fmt.Errorf("%s %s: %d numbers, not %d; write %s", flag, text, len(out), k, want)
	case total == 0:
		return nil, fmt.Errorf("%s %s: no games; give at least one", flag, text)
	}
	return out, nil
}

// estimateLine is a rating difference in JSON.
type estimateLine struct {
	// Score is the share of the points, LOS the likelihood of superiority.
	Score  float64  `json:"score"`
	Elo    *float64 `json:"elo"`
	Error  *float64 `json:"error"`
	NElo   *float64 `json:"nelo"`
	NError *float64 `json:"nelo_error"`
	LOS    float64  `json:"los"`
}

func newEstimateLine(e rating.Estimate) estimateLine {
	return estimateLine{Score: e.Score, Elo: whole(e.Elo), Error: whole(e.Error), NElo: whole(e.NElo), NError: whole(e.NError), LOS: e.LOS}
}

// whole is a number with all its digits, nil for what JSON cannot hold.
func whole(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	x = rating.Unsigned(x)
	return &x
}

// bareLine is what --json prints for bare counts.
type bareLine struct {
	Type string `json:"type"`
	// Unit says what was counted, games or pairs; Counts are those, worst first.
	Unit       string    `json:"unit"`
	Counts     []float64 `json:"counts"`
	Convention string    `json:"convention"`
	estimateLine
	SPRT *rating.Standing `json:"sprt"`
}

// bare rates a bare count.
func (c *rateCmd) bare(a *app, counts rating.Counts, test *rating.Test) error {
	e := counts.EstimateBy(rating.Convention(c.Convention))
	var q *rating.Sequence
	if test != nil {
		q = test.Start(counts.Unit() == "pairs")
		q.Set(counts)
	}
	if c.JSON {
		return plain.JSONLine(a.stdout, bareLine{
			Type: "counts", Unit: counts.Unit(), Counts: counts.N, Convention: c.Convention, estimateLine: newEstimateLine(e), SPRT: rating.NewStanding(q, ""),
		})
	}
	fmt.Fprintf(a.stdout, "%g %s, %.2f%% of the points\n", counts.Total(), counts.Unit(), 100*e.Score)
	fmt.Fprintf(a.stdout, "Elo %s\nnElo %s\nLOS %.2f%%\n", rating.Text(e.Elo, e.Error, 2), rating.Text(e.NElo, e.NError, 2), 100*e.LOS)
	if c.Convention != string(rating.Usual) {
		fmt.Fprintf(a.stdout, "errors and LOS as %s computes them\n", c.Convention)
	}
	if q != nil {
		fmt.Fprintln(a.stdout, q.Text())
	}
	return nil
}

// eloOrAuto reads a parameter of a model: Elo from least to rating.MaxElo, or auto to find
// it from the results; nothing leaves it as it is.
func eloOrAuto(flag, text string, least float64, elo *float64, fit *bool) error {
	switch text {
	case "":
		return nil
	case "auto":
		*fit = true
		return nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= least && x <= rating.MaxElo) {
		return fmt.Errorf("%s %s: write Elo, for example 30, or auto", flag, text)
	}
	*elo = x
	return nil
}

// model is the field that --system, --first-seat, --draw-elo and --anchor
// describe.
func (c *rateCmd) model(names []string) (rating.Field, error) {
	f := rating.BradleyTerry()
	switch c.System {
	case "ordo":
		f.Scale = rating.OrdoScale
	case "bayeselo":
		f = rating.BayesEloField()
	}
	if err := eloOrAuto("--first-seat", c.FirstSeat, -rating.MaxElo, &f.Advantage, &f.FitAdvantage); err != nil {
		return f, err
	}
	if c.DrawElo != "" && c.System != "bayeselo" {
		return f, fmt.Errorf("--draw-elo: only --system bayeselo has it")
	}
	if err := eloOrAuto("--draw-elo", c.DrawElo, 0, &f.Threshold, &f.FitThreshold); err != nil {
		return f, err
	}
	for _, text := range c.Anchor {
		i := strings.LastIndexByte(text, '=')
		if i < 0 {
			return f, fmt.Errorf("--anchor %s: write NAME=ELO", text)
		}
		elo, err := strconv.ParseFloat(text[i+1:], 64)
		if err != nil || !(math.Abs(elo) <= 1e5) {
			return f, fmt.Errorf("--anchor %s: %q is no rating; write NAME=ELO", text, text[i+1:])
		}
		p := slices.Index(names, text[:i])
		if p < 0 {
			return f, fmt.Errorf("--anchor %s: no game of %q among the records; players are %s", text, text[:i], someNames(names))
		}
		if f.Anchors == nil {
			f.Anchors = map[int]float64{}
		}
		f.Anchors[p] = elo
	}
	return f, nil
}

// someNames lists names, not all of very many.
func someNames(names []string) string {
	const enough = 8
	if len(names) > enough {
		return strings.Join(names[:enough], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

// tally counts a player's games with points.
func tally(c rating.Counts, w tournament.Points) (wins, draws, losses int, points float64) {
	losses, draws, wins = int(c.N[0]), int(c.N[1]), int(c.N[2])
	return wins, draws, losses, float64(wins)*w.Win + float64(draws)*w.Draw + float64(losses)*w.Loss
}
