package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"kibitz/games"
	"kibitz/internal/drain"
	"kibitz/internal/plain"
	"kibitz/opening"
	"kibitz/opening/balanced"
	"kibitz/player"
	"kibitz/run/openings"
	"kibitz/run/standing"
	"kibitz/term/progress"
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
		"Examples:\n  kibitz openings othello --count 100 --plies 8 --within 1 --out even.txt\n  kibitz match --game othello --engine bot=5 " +
		"--engine bot=6 --openings 'file=even.txt order=random' --repeat --games 40"
}

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
	o, err := openings.Order(r, &openings.Source{Random: c.Count, Plies: plies, Level: level, Within: c.Within}, c.Seed)
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
	w, err := opening.NewWriter(listOutput(out, c), r, o.Comment()...)
	if err != nil {
		return err
	}
	ctx, stop := drain.Context(a.ctx, a.drain)
	defer stop()
	began := a.now()
	count, over := a.making(c.Count, c.Quiet)
	if workers < 1 {
		workers = openings.Workers()
	}
	judge := func(level int) (player.Player, error) { return openings.Judge(a.launcher(), r, level) }
	counts, err := o.Make(ctx, judge, workers, count, func(b *opening.Balanced) error {
		if c.JSON {
			if err := balanced.Print(a.stdout, r, b); err != nil {
				return err
			}
		}
		return w.Write(&b.Opening, balanced.Operations(b)...)
	})
	over()
	return c.end(a, o, counts, a.now().Sub(began), err)
}

// making shows how far the making of openings is, until over is called.
func (a *app) making(total int, quiet bool) (count func(opening.Counts), over func()) {
	show := progress.NewLines(a.stderr, total, "openings", quiet, a.now)
	return func(c opening.Counts) { show.Set(c.Found, strconv.Itoa(c.Evaluated)+" evaluated") }, show.Close
}

// end prints the summary. Fewer openings than asked for are a bad outcome of a job
// that ran.
func (c openingsCmd) end(a *app, o *balanced.Order, n opening.Counts, took time.Duration, err error) error {
	if c.JSON {
		sum := balanced.Summary{
			Type: "summary", Game: string(o.Rules.Spec()), Openings: n.Found, Candidates: n.Candidates, Repeated: n.Repeated,
			Evaluated: n.Evaluated, Seconds: standing.Seconds(took),
		}
		if bad := plain.JSONLine(a.stdout, sum); bad != nil {
			return bad
		}
	}
	if !c.Quiet {
		fmt.Fprintf(a.stderr, "%s of %d evaluated, %d candidates seen before, in %.1f s\n", plain.Count(n.Found, "opening"), n.Evaluated,
			n.Repeated, standing.Seconds(took))
	}
	switch {
	case errors.Is(err, context.Canceled):
		return badVerdict("stopped: %d of %d openings found", n.Found, o.Count)
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
