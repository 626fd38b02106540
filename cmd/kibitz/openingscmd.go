package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"kibitz/catalog"
	"kibitz/game"
	"kibitz/games"
	"kibitz/internal/plain"
	openings "kibitz/opening"
	"kibitz/rules"
	"kibitz/tournament"
)

type openingsCmd struct {
	Game        string   `arg:"" help:"Game with options, for example othello or gomoku:rule=renju."`
	Count       int      `default:"50" help:"How many openings to make."`
	Plies       *int     `help:"Decisions of each; the turn under way is completed. Default: the game's own." placeholder:"N"`
	Level       *int     `help:"Level of the built-in engine that evaluates, 1 to 8. Default: the game's own." placeholder:"L"`
	Within      *float64 `help:"How far from even, in the unit of the game's engine. Default: the game's own." placeholder:"SCORE"`
	Seed        uint64   `default:"1" help:"Seed: the same one makes the same openings."`
	Concurrency *int     `help:"Engines that evaluate side by side; changes nothing in the openings. Default: one for each processor." placeholder:"N"`
	Out         string   `help:"File to write; default: stdout." placeholder:"FILE"`
	JSON        bool     `name:"json" help:"One JSON object for each opening, then a summary."`
	Quiet       bool     `help:"No progress."`
}

// Help returns the example that --help shows.
func (openingsCmd) Help() string {
	return "Makes random openings that the built-in engine takes for even, no two the same but for a symmetry.\n\n" +
		"Examples:\n  kibitz openings othello --count 100 --plies 8 --within 1 --out even.txt\n  kibitz match --game othello --engine bot=5 --engine bot=6 --openings 'file=even.txt order=random' --repeat --games 40"
}

// order is what openings to make: the recipe, how many, and with which seed.
type order struct {
	rules rules.Rules
	openings.Usual
	level int
	count int
	seed  uint64
}

// newOrder completes an order with what is usual in the game; zero values and a nil
// window ask for that.
func newOrder(r rules.Rules, count, plies, level int, within *float64, seed uint64) (*order, error) {
	u, ok := catalog.Of(r).Openings.Get()
	if !ok {
		return nil, errNoOpenings(r)
	}
	if plies > 0 {
		u.Plies = plies
	}
	level = cmp.Or(level, openings.JudgeLevel)
	if within != nil {
		u.Within = *within
	}
	switch {
	case count < 1 || count > 1_000_000:
		return nil, fmt.Errorf("%d openings: must be from 1 to 1000000", count)
	case plies < 0 || plies > 1000:
		return nil, fmt.Errorf("%d plies: must be from 1 to 1000", plies)
	case level < 1 || level > 8:
		return nil, fmt.Errorf("level %d: must be from 1 to 8 (9 is bounded by a clock alone)", level)
	case !(u.Within >= 0):
		return nil, fmt.Errorf("a window of %g: must be 0 or more", u.Within)
	}
	return &order{r, u, level, count, seed}, nil
}

// errNoOpenings says why a game has no openings to choose from.
func errNoOpenings(r rules.Rules) error {
	return fmt.Errorf("%s has no openings to choose from: %s", r.Doc().Title, catalog.Of(r).Openings.Why())
}

// command is the command that makes the openings again.
func (o *order) command() string {
	return fmt.Sprintf("kibitz openings %s --count %d --plies %d --level %d --within %s --seed %d",
		o.rules.Spec(), o.count, o.Plies, o.level, plain.Number(o.Within), o.seed)
}

// comment is the head of a file of the openings.
func (o *order) comment() []string {
	return []string{
		fmt.Sprintf("%s: random openings of %d plies that the built-in engine takes for even", o.rules.Doc().Title, o.Plies),
		"game: " + string(o.rules.Spec()),
		"made by: " + o.command(),
		fmt.Sprintf("eval is %s for the side to move, at level %d and at most %s from even; candidate is the number of the random line", unitName(o.Unit), o.level, plain.Number(o.Within)),
	}
}

func unitName(u game.Unit) string {
	switch u {
	case game.Discs:
		return "the difference in discs"
	case game.WinChance:
		return "the chance to win"
	}
	return "the engine's own points"
}

// evalText writes an evaluation as an operation of a list.
func evalText(e game.Eval) string { return strconv.FormatFloat(e.Mid(), 'f', 3, 64) }

// operations are what a list says of an opening beside its decisions.
func operations(b *openings.Balanced) []string {
	return []string{"eval " + evalText(b.Eval), "candidate " + strconv.Itoa(b.Candidate)}
}

// make makes the openings and calls f for each as it is found.
func (o *order) make(ctx context.Context, a *app, workers int, progress func(openings.Counts), f func(*openings.Balanced) error) (openings.Counts, error) {
	if workers < 1 {
		workers = max(1, min(runtime.GOMAXPROCS(0), 64))
	}
	judges, release, err := newJudges(a, o.rules, o.level, workers)
	if err != nil {
		return openings.Counts{}, err
	}
	defer release()
	s := &openings.Search{
		Turner: openings.NewTurner(o.rules), Recipe: o.Recipe, Evaluators: judges, Progress: progress,
		Seed: tournament.Seeds{Seed: o.seed}.At("openings/" + string(o.rules.Spec())),
	}
	return s.Run(ctx, o.count, f)
}

// Run makes openings.
func (c openingsCmd) Run(a *app) error {
	r, err := games.Open(c.Game)
	if err != nil {
		return err
	}
	var plies, level, workers int
	for _, x := range []struct {
		flag  string
		given *int
		dst   *int
	}{{"--plies", c.Plies, &plies}, {"--level", c.Level, &level}, {"--concurrency", c.Concurrency, &workers}} {
		if *x.dst, err = fromOne(x.flag, x.given); err != nil {
			return err
		}
	}
	o, err := newOrder(r, c.Count, plies, level, c.Within, c.Seed)
	if err != nil {
		return err
	}
	out := a.stdout
	if c.Out != "" {
		file, err := os.Create(c.Out)
		if err != nil {
			return err
		}
		defer file.Close() //nolint:errcheck // what is written is checked below
		out = file
	}
	w, err := openings.NewWriter(listOutput(out, c), r, o.comment()...)
	if err != nil {
		return err
	}
	ctx, stop := untilDrained(a)
	defer stop()
	began := a.now()
	show := newOpeningProgress(a.stderr, c.Count, c.Quiet, a.now)
	counts, err := o.make(ctx, a, workers, show.count, func(b *openings.Balanced) error {
		if c.JSON {
			if err := printOpening(a.stdout, r, b); err != nil {
				return err
			}
		}
		return w.Write(&b.Opening, operations(b)...)
	})
	show.close()
	return c.end(a, o, counts, a.now().Sub(began), err)
}

// end prints the summary. Fewer openings than asked for are a bad outcome of a job
// that ran.
func (c openingsCmd) end(a *app, o *order, n openings.Counts, took time.Duration, err error) error {
	if c.JSON {
		b, bad := json.Marshal(openingsSummary{"summary", string(o.rules.Spec()), n.Found, n.Candidates, n.Repeated, n.Evaluated, seconds(took)})
		if bad != nil {
			return bad
		}
		fmt.Fprintf(a.stdout, "%s\n", b)
	}
	if !c.Quiet {
		fmt.Fprintf(a.stderr, "%s of %d evaluated, %d candidates seen before, in %.1f s\n", plain.Count(n.Found, "opening"), n.Evaluated, n.Repeated, seconds(took))
	}
	switch {
	case errors.Is(err, context.Canceled):
		return badVerdict("stopped: %d of %d openings found", n.Found, o.count)
	case err != nil:
		return badVerdict("%v", err)
	}
	return nil
}

// listOutput is where the list goes: nowhere if stdout carries JSON and no file was
// named.
func listOutput(out io.Writer, c openingsCmd) io.Writer {
	if c.JSON && c.Out == "" {
		return io.Discard
	}
	return out
}

// untilDrained returns a context that ends at the first interrupt: there is nothing to
// wind up.
func untilDrained(a *app) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(a.ctx)
	go func() {
		select {
		case <-a.drain:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

type openingJSON struct {
	Type  string  `json:"type"`
	ID    string  `json:"id"`
	Game  string  `json:"game"`
	Moves string  `json:"moves"`
	Plies int     `json:"plies"`
	Eval  float64 `json:"eval"`
}

type openingsSummary struct {
	Type       string  `json:"type"`
	Game       string  `json:"game"`
	Openings   int     `json:"openings"`
	Candidates int     `json:"candidates"`
	Repeated   int     `json:"repeated"`
	Evaluated  int     `json:"evaluated"`
	Seconds    float64 `json:"seconds"`
}

func printOpening(w io.Writer, r rules.Rules, o *openings.Balanced) error {
	x, err := strconv.ParseFloat(evalText(o.Eval), 64)
	if err != nil {
		return err
	}
	moves := make([]string, len(o.Steps))
	for i, m := range o.Steps {
		moves[i] = r.FormatMove(m)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(openingJSON{"opening", o.Name, string(r.Spec()), strings.Join(moves, " "), len(moves), x}); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}
