package rulestest

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/rules"
)

// A count file has one line per count; lines that begin with # are remarks:
//
//	specification | position | depth | leaves [| words]
//
// An empty position is the initial one. The words are those of
// rules.ParseCounter, and besides:
//
//	fast      only the game's own fast count is asked (too many for the slow one)
//	slow      only the slow count is asked
//	long      left out with go test -short
//	by=NAME   counted by the game's own test, not here
//
// A line "perfter: WORDS" says by which convention the game's own fast count
// works; without it, it counts turns as the zero Counter does.
const perftFile = "perft.txt"

// slowLimit is the number of leaves above which the slow count is not asked.
const slowLimit = 3_000_000

// Count is one line of a count file.
type Count struct {
	Line     int
	Spec     string
	Position string
	Depth    int
	Leaves   uint64
	Counter  rules.Counter
	Fast     bool   // only the fast count
	Slow     bool   // only the slow count
	Long     bool   // not in short runs
	By       string // counted by the game's own test
}

// ReadCounts reads a count file; fast is the convention of the game's own count.
func ReadCounts(path string) (list []Count, fast rules.Counter, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fast, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	in := bufio.NewScanner(file)
	for n := 1; in.Scan(); n++ {
		line := strings.TrimSpace(in.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		if words, ok := strings.CutPrefix(line, "perfter:"); ok {
			if fast, err = rules.ParseCounter(words); err != nil {
				return nil, fast, fmt.Errorf("%s:%d: %w", path, n, err)
			}
			continue
		}
		c, err := parseCount(line)
		if err != nil {
			return nil, fast, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		c.Line = n
		list = append(list, c)
	}
	return list, fast, in.Err()
}

func parseCount(line string) (Count, error) {
	cells := strings.Split(line, "|")
	if len(cells) < 4 || len(cells) > 5 {
		return Count{}, fmt.Errorf("%q has %d cells: write specification | position | depth | leaves [| words]", line, len(cells))
	}
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	c := Count{Spec: cells[0], Position: cells[1]}
	var err error
	if c.Depth, err = strconv.Atoi(cells[2]); err != nil {
		return c, fmt.Errorf("depth %q is not a number", cells[2])
	}
	if c.Leaves, err = strconv.ParseUint(strings.ReplaceAll(cells[3], ",", ""), 10, 64); err != nil {
		return c, fmt.Errorf("%q is not a number of leaves", cells[3])
	}
	if len(cells) == 5 {
		var words []string
		for w := range strings.FieldsSeq(cells[4]) {
			switch by, isBy := strings.CutPrefix(w, "by="); {
			case isBy:
				c.By = by
			case w == "fast":
				c.Fast = true
			case w == "slow":
				c.Slow = true
			case w == "long":
				c.Long = true
			default:
				words = append(words, w)
			}
		}
		c.Counter, err = rules.ParseCounter(strings.Join(words, " "))
	}
	return c, err
}

// checkPerft compares the counts of the data file with the slow count and the
// game's own fast one.
func checkPerft(s *subject) error {
	path := filepath.Join(s.config.dir, perftFile)
	list, fast, err := ReadCounts(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the game has no counts: write %s", path)
	}
	if err != nil {
		return err
	}
	var f faults
	asked := 0
	for _, c := range list {
		if c.By != "" || c.Long && testing.Short() {
			continue
		}
		n, err := s.count(c, fast)
		if err != nil {
			f.add("%s:%d: %w", path, c.Line, err)
		}
		asked += n
	}
	s.logf("%d counts compared", asked)
	if asked == 0 {
		f.add("%s has no count that could be compared", path)
	}
	return f.err()
}

func (s *subject) count(c Count, fast rules.Counter) (asked int, err error) {
	r, err := open(s.game, c.Spec)
	if err != nil {
		return 0, err
	}
	st, err := rules.Start(r, c.Position)
	if err != nil {
		return 0, err
	}
	if !c.Fast && (c.Leaves <= s.config.slow || c.Slow) {
		asked++
		if got := c.Counter.Count(st, c.Depth); got != c.Leaves {
			return asked, fmt.Errorf("the slow count is %d instead of %d", got, c.Leaves)
		}
	}
	p, ok := st.(rules.Perfter)
	if ok && c.Counter == fast && !c.Slow {
		asked++
		if got := p.Perft(c.Depth); got != c.Leaves {
			return asked, fmt.Errorf("the game's own count is %d instead of %d", got, c.Leaves)
		}
	} else if c.Fast {
		return asked, fmt.Errorf("only the fast count is asked for, and there is none of this convention")
	}
	if asked == 0 {
		return 0, fmt.Errorf("%d leaves are too many for the slow count, and there is no fast one of this convention", c.Leaves)
	}
	return asked, nil
}

// checkFastCount compares the game's own count with the slow one at positions of
// random games, fewer of them for a variant than for the default options.
func checkFastCount(s *subject) error {
	if _, ok := s.rules.New().(rules.Perfter); !ok {
		return nil
	}
	_, fast, err := ReadCounts(filepath.Join(s.config.dir, perftFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var f faults
	compared, want := 0, 60
	if !s.main {
		want = 20
	}
	s.sample(s.stride(want), func(st rules.State, _ bool) {
		if st.Turn().Seat == game.Dealer {
			return
		}
		before := printOf(st)
		got, width := uint64(1), uint64(1)
		for depth := range 4 {
			if got*width > 8000 {
				break
			}
			p, ok := st.(rules.Perfter)
			if !ok {
				f.add("a position is not a rules.Perfter")
				return
			}
			got = p.Perft(depth)
			if got > 8000 {
				break // too many for the slow count
			}
			if depth == 1 {
				width = got
			}
			compared++
			if want := fast.Count(st, depth); got != want {
				f.add("depth %d: the game's own count is %d, the slow one %d %s", depth, got, want, where(st))
			}
		}
		after := printOf(st)
		if d := before.diff(&after); d != "" {
			f.add("counting changed the state: %s", d)
		}
	})
	s.logf("%d counts compared", compared)
	if compared == 0 && s.gameErr == nil {
		f.add("no count could be compared")
	}
	return f.err()
}
