// Package rulestest is the conformance suite of games: Run holds a game to every
// contract of package rules, by random playouts, by counts and playthroughs in
// data files, and by comparing what a seat sees with what it may know.
//
// The folder of a game may hold testdata/perft.txt (see perft.go for the form)
// and testdata/playthrough.golden, written by go test -update.
package rulestest

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/rules"
)

var update = flag.Bool("update", false, "write the golden playthroughs anew")

// Option changes how Run examines a game.
type Option func(*config)

type config struct {
	variants []string
	dir      string
	playouts int
	bound    int
	slow     uint64 // leaves above which the slow count is not asked
	only     string
	seed     uint64
}

// Variants names further specifications that are examined besides the default
// one and besides every listed value of every option, for example
// "gomoku:rule=renju,size=9".
func Variants(specs ...string) Option {
	return func(c *config) { c.variants = append(c.variants, specs...) }
}

// Dir names the folder of the test data; by default it is "testdata" of the
// game's own folder, seen from that folder or from the one above.
func Dir(path string) Option { return func(c *config) { c.dir = path } }

// Playouts sets the number of random games for the default options (12 unless
// told; a third of it for each variant).
func Playouts(n int) Option { return func(c *config) { c.playouts = n } }

// Only examines one contract, by its name, of every listed value of every option, in fewer
// random games.
func Only(check string) Option {
	return func(c *config) { c.only, c.playouts = check, 5 }
}

// Run examines a game. Every contract is a subtest of its own.
func Run(t *testing.T, g rules.Game, opts ...Option) {
	t.Helper()
	c := newConfig(g, opts)
	for i, spec := range c.specs(g) {
		r, err := open(g, spec)
		if err != nil {
			if i > c.variantsFrom(g) || i == 0 {
				t.Errorf("%s: %v", spec, err)
			} else {
				t.Logf("%s does not exist: %v", spec, err)
			}
			continue
		}
		t.Run(string(r.Spec()), func(t *testing.T) {
			s := newSubject(g, r, c, i == 0)
			for _, k := range checks {
				if k.once && i > 0 || c.only != "" && c.only != k.name {
					continue
				}
				t.Run(k.name, func(t *testing.T) {
					t.Helper()
					if err := guard(k.run, s); err != nil {
						t.Error(err)
					}
					for _, line := range s.log {
						t.Log(line)
					}
					s.log = nil
				})
			}
		})
	}
}

func newConfig(g rules.Game, opts []Option) config {
	c := config{playouts: 12, bound: 20_000, slow: slowLimit, seed: 1}
	for _, o := range opts {
		o(&c)
	}
	if testing.Short() {
		c.playouts = max(3, c.playouts/3)
	}
	if c.dir == "" {
		c.dir = filepath.Join(g.ID, "testdata")
		if wd, err := os.Getwd(); err == nil && filepath.Base(wd) == g.ID {
			c.dir = "testdata"
		}
	}
	return c
}

// specs lists the default options, each listed value of each option by itself,
// and the variants. The short form does without the values by themselves.
func (c *config) specs(g rules.Game) []string {
	list := []string{g.ID}
	if testing.Short() {
		return append(list, c.variants...)
	}
	for _, o := range g.Options {
		for _, v := range o.Values {
			if v != o.Default {
				list = append(list, fmt.Sprintf("%s:%s=%s", g.ID, o.Key, v))
			}
		}
	}
	return append(list, c.variants...)
}

func (c *config) variantsFrom(g rules.Game) int { return len(c.specs(g)) - len(c.variants) - 1 }

func open(g rules.Game, spec string) (rules.Rules, error) {
	return rules.Open([]rules.Game{g}, spec)
}

// A check examines one contract. Its error lists the breaches.
type check struct {
	name string
	once bool // for the default options only
	run  func(*subject) error
}

var checks = []check{
	{"description", false, checkDoc},
	{"playouts", false, checkPlayouts},
	{"moves", false, checkMoves},
	{"illegal moves", false, checkIllegal},
	{"position text", false, checkPositions},
	{"clone", false, checkClone},
	{"replay", false, checkReplay},
	{"hash", false, checkHash},
	{"views", false, checkViews},
	{"seats", false, checkSeats},
	{"notices", false, checkNotices},
	{"chance", false, checkChance},
	{"shuffle", false, checkShuffle},
	{"non-interference", false, checkInterference},
	{"symmetry", false, checkSymmetry},
	{"concurrency", false, checkConcurrency},
	{"allocation", false, checkAllocation},
	{"fast count", false, checkFastCount},
	{"perft", true, checkPerft},
	{"playthrough", true, checkGolden},
}

// guard turns a panic of a game into an error, so that one broken contract does
// not hide the others.
func guard(f func(*subject) error, s *subject) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return f(s)
}

// faults gathers breaches; after a few it says only that there are more.
type faults struct {
	errs []error
	more int
}

const maxFaults = 5

func (f *faults) add(format string, args ...any) {
	if len(f.errs) >= maxFaults {
		f.more++
		return
	}
	f.errs = append(f.errs, fmt.Errorf(format, args...))
}

func (f *faults) err() error {
	if f.more > 0 {
		return errors.Join(append(f.errs, fmt.Errorf("and %d more", f.more))...)
	}
	return errors.Join(f.errs...)
}

func checkDoc(s *subject) error {
	var f faults
	d := s.rules.Doc()
	switch {
	case s.game.ID == "" || strings.ToLower(s.game.ID) != s.game.ID:
		f.add("identifier %q is not a lower-case word", s.game.ID)
	case s.game.Title == "" || d.Title == "":
		f.add("the title is missing")
	}
	if s.rules.Spec().ID() != s.game.ID {
		f.add("specification %q does not begin with %q", s.rules.Spec(), s.game.ID)
	}
	if again, err := open(s.game, string(s.rules.Spec())); err != nil || again.Spec() != s.rules.Spec() {
		f.add("specification %q cannot be opened again as itself: %v", s.rules.Spec(), err)
	}
	if d.Width < 1 || d.Height < 1 {
		f.add("board of %dx%d", d.Width, d.Height)
	}
	if len(d.Phases) == 0 || len(d.Reasons) == 0 || d.Source == "" {
		f.add("description without phases, reasons or source: %+v", *d)
	}
	for _, c := range append(append([]rules.Code{}, d.Reasons...), d.Pieces...) {
		if c.Word == "" || c.Meaning == "" {
			f.add("code %q has no word or no meaning", c)
		}
	}
	for _, o := range s.game.Options {
		if o.Doc == "" || o.Key == "" || o.Default == "" {
			f.add("option %q lacks its key, default or description", o.Key)
		}
	}
	if _, isSeat := s.rules.New().Result(); isSeat {
		f.add("the initial position is finished")
	}
	if t := s.rules.New().Turn(); t.Step != 0 || t.Seat != game.First && t.Seat != game.Dealer {
		f.add("the initial turn is %+v", t)
	}
	return f.err()
}
