// Package ladder measures how strong the levels of the built-in engines are, and outside engines
// beside them.
package ladder

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"kibitz/bot"
	"kibitz/games"
	"kibitz/internal/wholefile"
	"kibitz/run"
)

// Options say how the strength of the levels of the built-in engines is measured. A rung is
// a match of two sides in a folder of its own, so that a ladder that was broken off goes
// on where it was: rungs that are over are read, one under way is taken up.
type Options struct {
	Spec        []string `arg:"" optional:"" name:"game" help:"Games with options; all if none is named."`
	Engine      []string `sep:"none" help:"An outside engine on the ladder: levels=N,N-N (those it meets) and the words of kibitz match; with several games also game=G. Repeatable." placeholder:"S"`
	Levels      string   `default:"1-9" help:"Levels on the ladder." placeholder:"N-N"`
	All         bool     `help:"Every level meets every other, not only its neighbours."`
	Games       int      `default:"200" help:"Games of a rung, an even number: each opening is played twice, seats exchanged."`
	Each        string   `default:"st=0.1" help:"Words for both sides: the time for a move, or other limits." placeholder:"S"`
	Concurrency int      `default:"1" help:"Games at a time; more than processors measures the machine."`
	Seed        uint64   `default:"1" help:"Seed of openings and engines."`
	Keep        string   `default:"kibitz-gauntlet" help:"Folder of the runs; a ladder goes on where it was." placeholder:"DIR"`
	Page        string   `help:"A page in Markdown whose tables are renewed after each rung." placeholder:"FILE"`
	Note        string   `help:"The machine and what else it did, for the page." placeholder:"TEXT"`

	levels []int
}

// World is what the ladders are given of the process.
type World struct {
	Stdout, Stderr io.Writer
	Deps           run.Deps // of each match
}

// Play plays the ladders, or what is left of them.
func (c *Options) Play(ctx context.Context, a *World) error {
	ladders, err := c.plan()
	if err != nil {
		return err
	}
	if err := c.remarkClosed(a, ladders); err != nil {
		return err
	}
	for _, l := range ladders {
		var done []climbed
		for i, r := range l.rungs {
			fmt.Fprintf(a.Stderr, "%s, rung %d of %d: %s against %s\n", l.game, i+1, len(l.rungs), r.upper.name, r.lower.name)
			res, err := c.climb(ctx, a, r)
			if err != nil {
				return err
			}
			fmt.Fprintf(a.Stderr, "  %s\n", res)
			done = append(done, climbed{r, res})
			// The page is renewed after each rung: what was measured stays.
			if err := c.renew(l.game, a.Deps.Launcher.Now(), done); err != nil {
				return bad("--page: %v", err)
			}
		}
		fmt.Fprintf(a.Stdout, "%s\n\n", l.game)
		printLadder(a.Stdout, done)
	}
	return nil
}

// renew writes the section of a game into the page.
func (c *Options) renew(game string, now time.Time, done []climbed) error {
	if c.Page == "" {
		return nil
	}
	page, err := os.ReadFile(c.Page)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return wholefile.Write(c.Page, []byte(insertLadder(string(page), game, c.section(now, done))))
}

// plan lists the ladders, and says what is wrong with the command line.
func (c *Options) plan() ([]ladder, error) {
	var err error
	switch {
	case c.Games < 2 || c.Games%2 != 0:
		return nil, fmt.Errorf("--games %d: an even number from 2 is expected", c.Games)
	case c.Concurrency < 1:
		return nil, fmt.Errorf("--concurrency %d: 1 or more is expected", c.Concurrency)
	}
	if c.levels, err = parseLevels(c.Levels); err != nil {
		return nil, fmt.Errorf("--levels: %w", err)
	}
	specs := c.Spec
	if len(specs) == 0 {
		for _, g := range games.All() {
			specs = append(specs, g.ID)
		}
	}
	outside, err := c.outsiders(specs)
	if err != nil {
		return nil, err
	}
	var out []ladder
	for _, spec := range specs {
		if _, err := games.Open(spec); err != nil {
			return nil, err
		}
		l := c.ladder(spec, outside[spec])
		if len(l.rungs) == 0 {
			return nil, fmt.Errorf("%s: a ladder of one level and no engine has no rung", spec)
		}
		out = append(out, l)
	}
	return out, nil
}

// parseLevels reads "1-9" or "2,4,6-8".
func parseLevels(text string) (list []int, err error) {
	for part := range strings.SplitSeq(text, ",") {
		first, last, found := strings.Cut(part, "-")
		if !found {
			last = first
		}
		lo, err1 := strconv.Atoi(first)
		hi, err2 := strconv.Atoi(last)
		if err1 != nil || err2 != nil || lo < 1 || hi > bot.MaxLevel || lo > hi {
			return nil, fmt.Errorf("%q: levels from 1 to %d are expected, as 1-9 or 2,4,6-8", part, bot.MaxLevel)
		}
		for n := lo; n <= hi; n++ {
			if len(list) > 0 && n <= list[len(list)-1] {
				return nil, fmt.Errorf("%q: levels are named in rising order, each once", text)
			}
			list = append(list, n)
		}
	}
	return list, nil
}
