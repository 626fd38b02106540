// Package forms makes the tournaments of a hall of what people write: forms, and the files that
// kibitz match plays.
package forms

import (
	"encoding"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/hall/director"
	"kibitz/hall/entry"
	"kibitz/hall/problem"
	"kibitz/run"
	"kibitz/run/engines"
	"kibitz/run/openings"
	"kibitz/tournament"
)

// Maker makes tournaments of what people write.
type Maker struct{}

var _ director.TournamentMaker = Maker{}

// hallKeys are the keys of a run's file that mean something in a hall; those behind them
// say who wrote the file and are passed over.
var hallKeys = []string{
	"game", "engine", "each", "games", "rounds", "format", "seeds", "concurrency", "repeat", "fixed-seats", "casual", "openings", "seed",
	"preset", "tiebreaks", "points", "sprt", "draw", "resign", "adjudicate", "max-moves", "illegal", "stall", run.KeyVersion, run.KeyFolder,
}

// ReadFile implements director.TournamentMaker.
func (Maker) ReadFile(name string, data []byte) (form director.TournamentForm, place func(pointer string, err error) error, err error) {
	f, err := run.ParseFile(name, data)
	if err != nil {
		return form, nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(f.Values)) {
		if !slices.Contains(hallKeys, key) {
			return form, nil, f.At("/"+key, fmt.Errorf("%s: means nothing in a hall; known are %s", key, strings.Join(hallKeys, " ")))
		}
	}
	s, err := f.Settings()
	if err != nil {
		return form, nil, err
	}
	place = func(pointer string, err error) error { return f.Place(atEntry(pointer, err)) }
	return Of(&s.Config), place, nil
}

// atEntry makes an error of an entry of a form ("#/engines/1") one of an engine of a run;
// others say themselves where they belong.
func atEntry(pointer string, err error) error {
	if engine, is := strings.CutPrefix(pointer, "#/engines/"); is {
		return run.FaultAt("/engine/"+engine, err)
	}
	return err
}

// formFault makes the settings that an error is about values of a form.
func formFault(form *director.TournamentForm, err error) error {
	list := run.Faults(err)
	if len(list) == 0 {
		return err
	}
	out := &problem.FormError{Err: err}
	for _, f := range list {
		fault := problem.Fault{Pointer: formPointer(f.Path), Detail: f.InFile()}
		if i, err := strconv.Atoi(strings.TrimPrefix(fault.Pointer, "#/engines/")); err == nil && i < len(form.Engines) {
			fault.Why = whyWords(form.Engines[i], f)
		} else {
			fault.Why = whySetting(form, f)
		}
		out.Faults = append(out.Faults, fault)
	}
	return out
}

// errDealt is why a deal is played once.
var errDealt = errors.New("dealt")

// whySetting is what is wrong with a setting as a code, the zero one if there is none.
func whySetting(form *director.TournamentForm, err error) game.Why {
	var plan *tournament.Fault
	switch {
	case errors.Is(err, errDealt):
		return game.Because("dealt")
	case errors.As(err, &plan) && plan.Setting == "repeat" && !form.FixedSeats:
		return game.Because("evengames")
	case openings.IsNoSuite(err):
		return game.Because("nosuite")
	}
	return game.Why{}
}

// whyWords is what is wrong with the words of an engine as a code.
func whyWords(text string, err error) game.Why {
	code := game.WhyCode("engineword")
	var words *engines.Error
	if errors.As(err, &words) {
		switch {
		case slices.Contains(clock.Keys(), words.Key):
			code = "enginetime"
		case slices.Contains([]string{"bot", "engine", "cmd"}, words.Key):
			code = "noengine"
		}
	}
	return game.Because(code, game.Shown(text, 60))
}

// formPointer is the place in a form of a setting of a run: names in a form are in camel case,
// and an engine is one text there.
func formPointer(path string) string {
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	words := strings.Split(parts[0], "-")
	for i, w := range words[1:] {
		words[i+1] = strings.ToUpper(w[:1]) + w[1:]
	}
	switch key := strings.Join(words, ""); {
	case key == "engine" && len(parts) > 1:
		return "#/engines/" + parts[1]
	case key == "engine":
		return "#/engines"
	default:
		return "#/" + key
	}
}

// Of is what a run plays as a form.
func Of(c *run.Config) director.TournamentForm {
	form := director.TournamentForm{
		Game: c.Game, Format: string(c.Format), Games: c.Games, Seeds: c.Seeds, Repeat: c.Repeat, FixedSeats: c.FixedSeats, Casual: c.Casual,
		Seed:        c.Seed,
		Concurrency: c.Concurrency, Points: wordsOf(c.Points), TieBreaks: wordsOf(c.TieBreaks), Draw: wordsOf(c.Draw), Resign: wordsOf(c.Resign),
		MaxMoves: c.MaxMoves, Illegal: wordsOf(c.Illegal), Stall: c.Stall, Each: c.Each.String(),
	}
	for _, words := range c.Engine {
		form.Engines = append(form.Engines, words.String())
	}
	if c.Rounds != nil {
		form.Rounds = *c.Rounds
	}
	if c.SPRT != nil {
		form.SPRT = wordsOf(c.SPRT)
	}
	if c.Adjudicate != nil {
		form.Adjudicate = wordsOf(c.Adjudicate)
	}
	if c.Openings != nil {
		form.Openings = wordsOf(c.Openings)
	}
	return form
}

// wordsOf is a setting in words.
func wordsOf(x encoding.TextMarshaler) string {
	b, err := x.MarshalText()
	if err != nil {
		return ""
	}
	return string(b)
}

// Config is a form as what a run plays, with what is usual where nothing is said. In a
// hall illegal answers lose where nothing is said.
func Config(f *director.TournamentForm) (*run.Config, error) {
	s := run.Usual()
	s.Illegal = run.Illegal{}
	var faults []error
	set := func(given bool, key string, value any) {
		if given {
			faults = append(faults, s.Set(key, value))
		}
	}
	for key, text := range map[string]string{
		"game": f.Game, "format": f.Format, "points": f.Points, "tiebreaks": f.TieBreaks, "sprt": f.SPRT, "draw": f.Draw, "resign": f.Resign,
		"adjudicate": f.Adjudicate, "illegal": f.Illegal, "openings": f.Openings, "each": f.Each,
	} {
		set(text != "", key, text)
	}
	for key, n := range map[string]int{
		"games": f.Games, "rounds": f.Rounds, "seeds": f.Seeds, "concurrency": f.Concurrency, "max-moves": f.MaxMoves,
	} {
		set(n != 0, key, n)
	}
	for key, on := range map[string]bool{"repeat": f.Repeat, "fixed-seats": f.FixedSeats, "casual": f.Casual} {
		set(on, key, on)
	}
	set(f.Seed != 0, "seed", f.Seed)
	set(f.Stall != 0, "stall", f.Stall)
	for i, words := range f.Engines {
		w, err := engines.ParseWords(words)
		if err == nil { // all that are wrong are named at once
			_, err = entry.Parse("", words)
		}
		s.Engine, faults = append(s.Engine, w), append(faults, run.EngineFault(i, err))
	}
	return &s.Config, errors.Join(faults...)
}
