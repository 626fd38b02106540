// Command ladder measures how strong the built-in engines are: neighbouring levels
// of each game play each other, outside engines play the levels they are set
// against, and the tables of docs/strength.md are made from the results.
//
// A rung is a run of kibitz match in a folder of its own. A ladder that was broken
// off goes on where it was: rungs that are over are read, one that was under way is
// taken up by kibitz resume.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

// settings are what the command line says.
type settings struct {
	kibitz      string
	games       []string
	perRung     int
	seconds     float64
	concurrency int
	lowest      int
	highest     int
	keep        string
	out         string
	note        string
	date        string
	against     []outsider
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], time.Now(), os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "ladder:", err)
		os.Exit(1)
	}
}

func parse(args []string, now time.Time) (*settings, error) {
	s := &settings{date: now.Format(time.DateOnly)}
	f := flag.NewFlagSet("ladder", flag.ContinueOnError)
	games := f.String("game", strings.Join(allGames, ","), "games with options, separated by commas")
	f.StringVar(&s.kibitz, "kibitz", "bin/kibitz", "the program")
	f.IntVar(&s.perRung, "games", 200, "games of a rung, an even number: each opening is played twice, seats exchanged")
	f.Float64Var(&s.seconds, "seconds", 0.1, "seconds for a move")
	f.IntVar(&s.concurrency, "concurrency", 1, "games at a time; more than processors measures the machine")
	f.IntVar(&s.lowest, "from", 1, "the lowest level")
	f.IntVar(&s.highest, "to", 9, "the highest level")
	f.StringVar(&s.keep, "keep", "build/ladder", "folder of the runs; a ladder goes on where it was")
	f.StringVar(&s.out, "out", "docs/strength.md", "page whose tables are renewed")
	f.StringVar(&s.note, "note", "", "the machine and what else it did, for the page")
	f.Func("against", "an outside engine, repeatable: \"game=G level=N[,N...] name=NAME cmd=PATH ...\", the rest as for --engine of kibitz match", func(text string) error {
		o, err := parseOutsider(text)
		s.against = append(s.against, o)
		return err
	})
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	s.games = strings.Split(*games, ",")
	switch {
	case f.NArg() > 0:
		return nil, fmt.Errorf("%q is not expected", f.Arg(0))
	case s.perRung < 2 || s.perRung%2 != 0:
		return nil, fmt.Errorf("-games %d: an even number from 2 is expected", s.perRung)
	case s.seconds <= 0:
		return nil, fmt.Errorf("-seconds %g: more than 0 is expected", s.seconds)
	case s.lowest < 1 || s.highest > levels || s.lowest > s.highest:
		return nil, fmt.Errorf("-from %d -to %d: levels are 1 to %d", s.lowest, s.highest, levels)
	}
	return s, nil
}

func run(ctx context.Context, args []string, now time.Time, log io.Writer) error {
	s, err := parse(args, now)
	if err != nil {
		return err
	}
	for _, g := range s.games {
		var done []played
		rungs := plan(s, g)
		for i, r := range rungs {
			fmt.Fprintf(log, "%s %d/%d: %s - %s\n", g, i+1, len(rungs), r.upper, r.lower)
			res, err := play(ctx, s, r)
			if err != nil {
				return fmt.Errorf("%s, %s - %s: %w", g, r.upper, r.lower, err)
			}
			fmt.Fprintf(log, "  %s\n", res)
			done = append(done, played{r, res})
			// The page is renewed after each rung: what was measured stays.
			if err := renew(s.out, g, section(s, g, done)); err != nil {
				return err
			}
		}
	}
	return nil
}

// renew writes the section of a game into a page.
func renew(path, game, text string) error {
	page, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(insert(string(page), game, text)), 0o644)
}
