package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"kibitz/games"
	"kibitz/internal/plain"
	"kibitz/rating"
	"kibitz/rating/field"
	"kibitz/rating/results"
	"kibitz/record"
	"kibitz/run"
)

type rateCmd struct {
	Files      []string `arg:"" optional:"" name:"file" help:"Records in any format, or the folder of a run; - reads stdin."`
	WLD        string   `name:"wld" help:"Bare counts instead: wins, losses, draws." placeholder:"W,L,D"`
	Penta      string   `help:"Bare counts of pairs of games: LL, LD, DD+WL, WD, WW." placeholder:"a,b,c,d,e"`
	SPRT       string   `name:"sprt" help:"Sequential test: elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic|normalized|bayesian|cutechess|bayeselo|approximate." placeholder:"S"`
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
		"          kibitz rate --wld 136,96,111\n          kibitz rate --residuals opening run\n          kibitz rate --penta 34,54,63,64,75 " +
		"--sprt 'elo0=0 elo1=5 model=normalized'"
}

// Run rates players by their games, or a bare count.
func (c rateCmd) Run(a *app) error {
	if err := c.check(); err != nil {
		return err
	}
	var test *rating.Test
	if c.SPRT != "" {
		var err error
		if test, err = rating.ParseTest(c.SPRT); err != nil {
			return fmt.Errorf("--sprt: %w", err)
		}
	}
	if c.WLD != "" || c.Penta != "" {
		return c.bare(a, test)
	}
	return c.field(a, test)
}

// check returns which flags do not go together.
func (c *rateCmd) check() error {
	given := 0
	for _, x := range []bool{len(c.Files) > 0, c.WLD != "", c.Penta != ""} {
		if x {
			given++
		}
	}
	ways := []rating.Convention{rating.Usual, rating.CutechessWay, rating.OpenBenchWay}
	system, bare := field.System(c.System), len(c.Files) == 0
	switch {
	case given != 1:
		return fmt.Errorf("give either records or folders of runs, or --wld W,L,D, or --penta a,b,c,d,e")
	case !slices.Contains(ways, rating.Convention(c.Convention)):
		return fmt.Errorf("--convention %s: known are %s", c.Convention, words(ways))
	case !slices.Contains(field.Systems(), system):
		return fmt.Errorf("--system %s: known are %s", c.System, words(field.Systems()))
	case bare && (system != field.Elo || len(c.Anchor) > 0 || c.FirstSeat+c.DrawElo+c.Player+c.Residuals != "" || c.Pairs):
		return fmt.Errorf("--system, --anchor, --first-seat, --player, --pairs and --residuals need records; " +
			"bare counts are of two players and say no more")
	case c.Residuals != "" && !slices.Contains(results.Groups(), results.Group(c.Residuals)):
		return fmt.Errorf("--residuals %s: known are %s", c.Residuals, words(results.Groups()))
	case c.Residuals != "" && system != field.Elo && system != field.Ordo:
		return fmt.Errorf("--residuals: the expected scores are those of --system elo or ordo, not of %s", c.System)
	case system == field.Glicko2 && (len(c.Anchor) > 0 || c.FirstSeat != ""):
		return fmt.Errorf("--system glicko2 knows neither anchors nor seats: leave --anchor and --first-seat away")
	case !(c.Tau > 0 && c.Tau <= 10):
		return fmt.Errorf("--tau %v: must be above 0; usual is 0.2 to 1.2", c.Tau)
	case c.Player != "" && c.SPRT == "":
		return fmt.Errorf("--player says whose test --sprt is: give both")
	case c.DrawElo != "" && system != field.BayesElo:
		return fmt.Errorf("--draw-elo: only --system bayeselo has it")
	}
	return nil
}

func words[T ~string](list []T) string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = string(x)
	}
	return strings.Join(out, " ")
}

func (c *rateCmd) bare(a *app, test *rating.Test) error {
	flag, text, want := "--wld", c.WLD, "W,L,D"
	if c.Penta != "" {
		flag, text, want = "--penta", c.Penta, "LL,LD,DD+WL,WD,WW"
	}
	n, err := field.ParseCounts(text, want)
	if err != nil {
		return fmt.Errorf("%s %s: %w", flag, text, err)
	}
	var counts rating.Counts
	if c.Penta != "" {
		counts = rating.Pentanomial(n[0], n[1], n[2], n[3], n[4])
	} else {
		counts = rating.Trinomial(n[1], n[2], n[0])
	}
	if test != nil && c.Penta != "" && !test.Model.Pairs() {
		return fmt.Errorf("--sprt: model=%s counts single games: give them with --wld, or take logistic or normalized", test.Model)
	}
	b := field.RateCounts(counts, rating.Convention(c.Convention), test)
	if c.JSON {
		return plain.JSONLine(a.stdout, b)
	}
	b.Print(a.stdout)
	return nil
}

// options are what the flags say of the field.
func (c *rateCmd) options() (o field.Options, err error) {
	o = field.Options{
		System: field.System(c.System), Tau: c.Tau, Convention: rating.Convention(c.Convention), Residuals: results.Group(c.Residuals),
	}
	if o.Points, err = run.ParsePoints(c.Points); err != nil {
		return o, err
	}
	if o.FirstSeat, err = field.ParseParam(c.FirstSeat, -rating.MaxElo); err != nil {
		return o, fmt.Errorf("--first-seat %s: %w", c.FirstSeat, err)
	}
	if o.DrawElo, err = field.ParseParam(c.DrawElo, 0); err != nil {
		return o, fmt.Errorf("--draw-elo %s: %w", c.DrawElo, err)
	}
	for _, text := range c.Anchor {
		x, err := field.ParseAnchor(text)
		if err != nil {
			return o, fmt.Errorf("--anchor %s: %w", text, err)
		}
		o.Anchors = append(o.Anchors, x)
	}
	return o, nil
}

func (c *rateCmd) field(a *app, test *rating.Test) error {
	o, err := c.options()
	if err != nil {
		return err
	}
	from := field.Sources{
		Load: func(file string) ([]*record.Game, error) { return loadRecords(a, file, c.Game, c.From) },
		Open: games.OpenSpec, Pairs: c.Pairs,
		Warn: a.warn,
	}
	pool, faulty, err := from.Collect(c.Files)
	if errors.Is(err, field.ErrUnread) {
		return errTold
	}
	if err != nil {
		return err
	}
	var q *rating.Sequence
	var player string
	if test != nil {
		if q, player, err = field.Test(pool, test, c.Player); err != nil {
			if _, ok := errors.AsType[*field.UnknownPlayer](err); ok {
				return fmt.Errorf("--player: %w", err)
			}
			return fmt.Errorf("--sprt: %w", err)
		}
	}
	l, err := field.Rate(pool, o)
	if err != nil {
		return flagOf(err)
	}
	l.SPRT = rating.NewStanding(q, player)
	if c.JSON {
		err = plain.JSONLine(a.stdout, l)
	} else {
		l.Print(a.stdout)
		if q != nil {
			fmt.Fprintf(a.stdout, "%s: %s\n", player, q.Text())
		}
		if l.Residuals != nil {
			l.Residuals.Print(a.stdout)
		}
	}
	if err == nil && faulty > 0 {
		return badVerdict("%s not read whole", plain.Count(faulty, "file"))
	}
	return err
}

// flagOf names the flag that an error of a field is about.
func flagOf(err error) error {
	var unknown *field.UnknownPlayer
	var loose *field.LooseAnchor
	var group *field.NoGroup
	switch {
	case errors.As(err, &unknown):
		return fmt.Errorf("--anchor: %w", err)
	case errors.As(err, &loose):
		return fmt.Errorf("--anchor: %w; anchor another, or take --system bayeselo", err)
	case errors.As(err, &group):
		return fmt.Errorf("--residuals %s: %w", group.By, err)
	}
	return err
}
