package openings

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"

	"kibitz/bot"
	"kibitz/catalog"
	"kibitz/games"
	"kibitz/opening"
	"kibitz/opening/balanced"
	"kibitz/opening/files"
	"kibitz/player"
	"kibitz/record/formats"
	"kibitz/rules"
	"kibitz/run/engines"
	"kibitz/tournament"
)

// Set is what a run plays from.
type Set struct {
	// List is in the order of play, turned and mirrored if that was asked for.
	List []opening.Opening
	// Warnings are one line each: openings that are the same, a suite that was made
	// for other rules, a board without symmetries.
	Warnings []string
	// Made is the text of openings that were made for this run, as a file that
	// --openings file=F reads; nil if they came from a file or a suite.
	Made []byte
}

// Maker makes openings by chance.
type Maker struct {
	// Engine makes a built-in engine of a level that evaluates.
	Engine func(level int) (player.Player, error)
	// Progress is told how far the making of so many openings is, until over is called; nil
	// for nobody.
	Progress func(total int) (count func(opening.Counts), over func())
}

// Load reads, picks or makes openings, each checked by the rules: one that is not legal, or
// that ends the game, is an error that names its line. Relative paths count from the folder.
// All that is random depends on the seed, which must be the one that the run really uses.
// Making them ends with the context.
func Load(ctx context.Context, o *Source, m Maker, folder engines.Folder, r rules.Rules, seed uint64) (*Set, error) {
	set := &Set{}
	var err error
	switch {
	case o.File != "":
		set.List, err = readFile(folder.Path(o.File), r, o.Plies)
	case o.Suite != "":
		if err = set.Pick(o, r); IsNoSuite(err) {
			err = fmt.Errorf("%w; random=N makes openings for the match", err)
		}
	default:
		err = set.make(ctx, o, m, r, seed)
	}
	if err != nil {
		return nil, err
	}
	return set, set.Arrange(o, r, tournament.Seeds{Seed: seed})
}

// IsNoSuite reports whether an error is that there is no suite for the rules.
func IsNoSuite(err error) bool {
	_, ok := errors.AsType[*opening.NoSuiteError](err)
	return ok
}

// Arrange orders and turns the openings.
func (s *Set) Arrange(o *Source, r rules.Rules, seeds tournament.Seeds) error {
	opening.Number(s.List)
	t := opening.NewTurner(r)
	pairs, err := t.Duplicates(s.List)
	if err != nil {
		return err
	}
	if n := len(pairs); n > 0 {
		p := pairs[0]
		s.warn("%d of %d openings lead to the position of an earlier one but for a symmetry, for example %s to that of %s; all are played",
			n, len(s.List), s.List[p.Second].Name, s.List[p.First].Name)
	}
	if o.Shuffled {
		opening.Shuffle(s.List, seeds.At("openings/order"))
	}
	if o.Turned {
		if len(t.Of("")) == 1 && s.List[0].Start == "" {
			s.warn("transform: the initial position of %s has no symmetry; nothing is turned or mirrored", r.Doc().Title)
		}
		if s.List, err = t.Passes(s.List, seeds.At("openings/symmetry")); err != nil {
			return err
		}
	}
	s.List = opening.Rotate(s.List, o.Start)
	return nil
}

func (s *Set) warn(format string, args ...any) {
	s.Warnings = append(s.Warnings, fmt.Sprintf(format, args...))
}

// Pick takes a suite of our own.
func (s *Set) Pick(o *Source, r rules.Rules) error {
	if _, ok := catalog.Of(r).Openings.Get(); !ok {
		return noOpenings(r)
	}
	suite, err := opening.SuiteFor(o.Suite, r)
	if err != nil {
		return err
	}
	if suite.Spec != r.Spec() {
		s.warn("the suite was made for %s; under %s its openings may be less even", suite.Spec, r.Spec())
	}
	s.List, err = Files().ReadBy("suite "+suite.Name, suite.Data, files.List(r), r, o.Plies)
	return err
}

// make makes openings by chance, one engine evaluating on each processor.
func (s *Set) make(ctx context.Context, o *Source, m Maker, r rules.Rules, seed uint64) error {
	order, err := Order(r, o, seed)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	w, err := opening.NewWriter(&text, r, order.Comment()...)
	if err != nil {
		return err
	}
	count, over := func(opening.Counts) {}, func() {}
	if m.Progress != nil {
		count, over = m.Progress(o.Random)
	}
	defer over()
	_, err = order.Make(ctx, m.Engine, Workers(), count, func(b *opening.Balanced) error {
		s.List = append(s.List, b.Opening)
		return w.Write(&b.Opening, balanced.Operations(b)...)
	})
	s.Made = text.Bytes()
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("stopped: %d of %d openings found", len(s.List), o.Random)
	}
	return err
}

// Workers is how many engines evaluate side by side if nobody says: one for each processor.
func Workers() int { return max(1, min(runtime.GOMAXPROCS(0), 64)) }

// judgeMemory bounds the tables of each engine that evaluates: what is looked at is small, and
// emptying a table costs time.
const judgeMemory = 64 << 20

// Judge makes an engine that evaluates openings.
func Judge(l *engines.Launcher, r rules.Rules, level int) (player.Player, error) {
	return l.Bot(r.Spec().ID(), strconv.Itoa(level), bot.Options{Memory: judgeMemory})
}

// Order says which openings are to be made, with what is usual in the game where the source
// says nothing.
func Order(r rules.Rules, o *Source, seed uint64) (*balanced.Order, error) {
	u, ok := catalog.Of(r).Openings.Get()
	if !ok {
		return nil, noOpenings(r)
	}
	return balanced.New(r, u, o.Random, o.Plies, o.Level, o.Within, seed)
}

// noOpenings says why a game has no openings to choose from.
func noOpenings(r rules.Rules) error {
	return fmt.Errorf("%s has no openings to choose from: %s", r.Doc().Title, catalog.Of(r).Openings.Why())
}

// Files reads openings from files in all formats of records.
func Files() files.Files { return files.Files{Set: formats.New(games.OpenSpec)} }

// readFile reads the openings of a file in any format that the game has.
func readFile(name string, r rules.Rules, plies int) ([]opening.Opening, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return Files().Read(name, data, r, plies)
}
