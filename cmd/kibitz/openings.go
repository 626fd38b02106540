package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/google/shlex"

	"kibitz/catalog"
	openings "kibitz/opening"
	"kibitz/opening/balanced"
	"kibitz/opening/files"
	"kibitz/rules"
	"kibitz/run/engines"
	"kibitz/tournament"
)

// opening is a start position and the decisions already made from it.
type opening = openings.Opening

// openingOptions are the words of --openings.
type openingOptions struct {
	// One of file, suite and random says where the openings come from: a file, a
	// suite of our own, or so many made by chance.
	file, suite string
	random      int
	// level and within go with random; 0 and nil are what is usual.
	level  int
	within *float64
	// plies cuts the openings of a file, or is how long those made are.
	plies int
	// shuffled is order=random; start is the first opening to play, from 1.
	shuffled bool
	start    int
	turned   bool
}

func parseOpenings(text string) (openingOptions, error) {
	o := openingOptions{start: 1}
	words, err := shlex.Split(text)
	if err != nil {
		return o, fmt.Errorf("--openings %q: %w", text, err)
	}
	seen := map[string]bool{}
	for _, w := range words {
		key, value, _ := strings.Cut(w, "=")
		if seen[key] {
			return o, fmt.Errorf("--openings: %s is given twice", key)
		}
		seen[key] = true
		if err := o.set(key, value); err != nil {
			return o, fmt.Errorf("--openings: %w", err)
		}
	}
	sources := 0
	for _, key := range []string{"file", "suite", "random"} {
		if seen[key] {
			sources++
		}
	}
	switch {
	case sources != 1 || seen["file"] && o.file == "":
		return o, fmt.Errorf("--openings %q: write one of file=F, suite and random=N", text)
	case o.random == 0 && (seen["within"] || seen["level"]):
		return o, fmt.Errorf("--openings %q: within and level go with random=N alone", text)
	}
	return o, nil
}

func (o *openingOptions) set(key, value string) (err error) {
	switch key {
	case "file":
		o.file = value
	case "suite":
		if o.suite = value; value == "" {
			o.suite = openings.Balance
		}
	case "random":
		o.random, err = wholeFrom(key, value, 1)
	case "within":
		x, bad := strconv.ParseFloat(value, 64)
		if bad != nil || !(x >= 0) {
			return fmt.Errorf("within=%s: must be a number from 0", value)
		}
		o.within = &x
	case "level":
		o.level, err = wholeFrom(key, value, 1)
	case "order":
		if value != "random" && value != "sequential" {
			return fmt.Errorf("order=%s: must be random or sequential", value)
		}
		o.shuffled = value == "random"
	case "start":
		o.start, err = wholeFrom(key, value, 1)
	case "plies":
		o.plies, err = wholeFrom(key, value, 1)
	case "transform":
		o.turned, err = engines.ParseBool(key, value)
	default:
		return fmt.Errorf("unknown key %q: known are file suite random order start plies transform within level; a name with blanks needs quotes, file='my openings.txt'", key)
	}
	return err
}

// wholeFrom reads a whole number that is not below least.
func wholeFrom(key, value string, least int) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < least {
		return 0, fmt.Errorf("%s=%s: must be a number from %d", key, value, least)
	}
	return n, nil
}

// openingSet is what a run plays from.
type openingSet struct {
	// list is in the order of play, turned and mirrored if that was asked for.
	list []opening
	// remarks are one line each: openings that are the same, a suite that was made
	// for other rules, a board without symmetries.
	remarks []string
	// made is the text of openings that were made for this run, as a file that
	// --openings file=F reads; nil if they came from a file or a suite.
	made []byte
}

// loadOpenings reads, picks or makes the openings that the words of --openings
// name, each checked by the rules: one that is not legal, or that ends the game, is
// an error that names its line. All that is random depends on the seed, which must
// be the one that the run really uses. Progress of making goes to stderr of a.
func loadOpenings(a *app, text string, r rules.Rules, seed uint64) (*openingSet, error) {
	o, err := parseOpenings(text)
	if err != nil {
		return nil, err
	}
	set := &openingSet{}
	switch {
	case o.file != "":
		set.list, err = openingFile(o.file, r, o.plies)
	case o.suite != "":
		err = set.pick(o, r)
	default:
		err = set.make(a, o, r, seed)
	}
	if err != nil {
		return nil, fmt.Errorf("--openings: %w", err)
	}
	if err := set.arrange(o, r, tournament.Seeds{Seed: seed}); err != nil {
		return nil, fmt.Errorf("--openings: %w", err)
	}
	return set, nil
}

// arrange orders and turns the openings.
func (s *openingSet) arrange(o openingOptions, r rules.Rules, seeds tournament.Seeds) error {
	openings.Number(s.list)
	t := openings.NewTurner(r)
	pairs, err := t.Duplicates(s.list)
	if err != nil {
		return err
	}
	if n := len(pairs); n > 0 {
		p := pairs[0]
		s.remark("%d of %d openings lead to the position of an earlier one but for a symmetry, for example %s to that of %s; all are played",
			n, len(s.list), s.list[p.Second].Name, s.list[p.First].Name)
	}
	if o.shuffled {
		openings.Shuffle(s.list, seeds.At("openings/order"))
	}
	if o.turned {
		if len(t.Of("")) == 1 && s.list[0].Start == "" {
			s.remark("transform: the initial position of %s has no symmetry; nothing is turned or mirrored", r.Doc().Title)
		}
		if s.list, err = t.Passes(s.list, seeds.At("openings/symmetry")); err != nil {
			return err
		}
	}
	s.list = openings.Rotate(s.list, o.start)
	return nil
}

func (s *openingSet) remark(format string, args ...any) {
	s.remarks = append(s.remarks, fmt.Sprintf(format, args...))
}

// pick takes a suite of our own.
func (s *openingSet) pick(o openingOptions, r rules.Rules) error {
	if _, ok := catalog.Of(r).Openings.Get(); !ok {
		return errNoOpenings(r)
	}
	suite, err := openings.SuiteFor(o.suite, r)
	if err != nil {
		return err
	}
	if suite.Spec != r.Spec() {
		s.remark("the suite was made for %s; under %s its openings may be less even", suite.Spec, r.Spec())
	}
	s.list, err = openingFiles().ReadBy("suite "+suite.Name, suite.Data, files.List(r), r, o.plies)
	return err
}

// make makes openings by chance.
func (s *openingSet) make(a *app, o openingOptions, r rules.Rules, seed uint64) error {
	order, err := newOrder(r, o.random, o.plies, o.level, o.within, seed)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	w, err := openings.NewWriter(&text, r, order.Comment()...)
	if err != nil {
		return err
	}
	ctx, stop := untilDrained(a)
	defer stop()
	show := newOpeningProgress(a.stderr, o.random, false, a.now)
	defer show.close()
	_, err = makeOpenings(ctx, a, order, 0, show.count, func(b *openings.Balanced) error {
		s.list = append(s.list, b.Opening)
		return w.Write(&b.Opening, balanced.Operations(b)...)
	})
	s.made = text.Bytes()
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("stopped: %d of %d openings found", len(s.list), o.random)
	}
	return err
}

// openingFile reads the openings of a file in any format that the game has.
func openingFile(name string, r rules.Rules, plies int) ([]opening, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return openingFiles().Read(name, data, r, plies)
}

// keptOpenings returns the words of --openings with which a run goes on, or is
// repeated, whose openings were made by chance and kept in a file: the same, but
// from there. Other words are returned as they are.
func keptOpenings(text, file string) string {
	o, err := parseOpenings(text)
	if err != nil || o.random == 0 {
		return text
	}
	return openingsAgain(text, file)
}
