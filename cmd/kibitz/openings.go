package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"kibitz/catalog"
	"kibitz/internal/drain"
	openings "kibitz/opening"
	"kibitz/opening/balanced"
	"kibitz/opening/files"
	"kibitz/rules"
	"kibitz/run"
	"kibitz/run/engines"
	"kibitz/tournament"
)

// opening is a start position and the decisions already made from it.
type opening = openings.Opening

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

// loadOpenings reads, picks or makes openings, each checked by the rules: one that is not legal, or that ends the game, is
// an error that names its line. All that is random depends on the seed, which must
// be the one that the run really uses. Progress of making goes to stderr of a.
func loadOpenings(a *app, o *run.Openings, folder engines.Folder, r rules.Rules, seed uint64) (*openingSet, error) {
	set := &openingSet{}
	var err error
	switch {
	case o.File != "":
		set.list, err = openingFile(folder.Path(o.File), r, o.Plies)
	case o.Suite != "":
		err = set.pick(o, r)
	default:
		err = set.make(a, o, r, seed)
	}
	if err != nil {
		return nil, &run.Error{Path: "/openings", Want: err.Error()}
	}
	if err := set.arrange(o, r, tournament.Seeds{Seed: seed}); err != nil {
		return nil, &run.Error{Path: "/openings", Want: err.Error()}
	}
	return set, nil
}

// arrange orders and turns the openings.
func (s *openingSet) arrange(o *run.Openings, r rules.Rules, seeds tournament.Seeds) error {
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
	if o.Shuffled {
		openings.Shuffle(s.list, seeds.At("openings/order"))
	}
	if o.Turned {
		if len(t.Of("")) == 1 && s.list[0].Start == "" {
			s.remark("transform: the initial position of %s has no symmetry; nothing is turned or mirrored", r.Doc().Title)
		}
		if s.list, err = t.Passes(s.list, seeds.At("openings/symmetry")); err != nil {
			return err
		}
	}
	s.list = openings.Rotate(s.list, o.Start)
	return nil
}

func (s *openingSet) remark(format string, args ...any) {
	s.remarks = append(s.remarks, fmt.Sprintf(format, args...))
}

// pick takes a suite of our own.
func (s *openingSet) pick(o *run.Openings, r rules.Rules) error {
	if _, ok := catalog.Of(r).Openings.Get(); !ok {
		return errNoOpenings(r)
	}
	suite, err := openings.SuiteFor(o.Suite, r)
	if err != nil {
		return err
	}
	if suite.Spec != r.Spec() {
		s.remark("the suite was made for %s; under %s its openings may be less even", suite.Spec, r.Spec())
	}
	s.list, err = openingFiles().ReadBy("suite "+suite.Name, suite.Data, files.List(r), r, o.Plies)
	return err
}

// make makes openings by chance.
func (s *openingSet) make(a *app, o *run.Openings, r rules.Rules, seed uint64) error {
	order, err := newOrder(r, o.Random, o.Plies, o.Level, o.Within, seed)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	w, err := openings.NewWriter(&text, r, order.Comment()...)
	if err != nil {
		return err
	}
	ctx, stop := drain.Context(a.ctx, a.drain)
	defer stop()
	show := newOpeningProgress(a.stderr, o.Random, false, a.now)
	defer show.Close()
	_, err = makeOpenings(ctx, a, order, 0, show.count, func(b *openings.Balanced) error {
		s.list = append(s.list, b.Opening)
		return w.Write(&b.Opening, balanced.Operations(b)...)
	})
	s.made = text.Bytes()
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("stopped: %d of %d openings found", len(s.list), o.Random)
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
