package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kibitz/game"
)

// Canonical completes a specification as a user writes it ("gomoku:rule=renju")
// with the defaults of its game and puts the options in canonical order. It
// returns the game it names. Errors say what is unknown and what would be right.
func Canonical(list []Game, text string) (Game, game.Spec, error) {
	id, rest, _ := strings.Cut(strings.TrimSpace(text), ":")
	i := slices.IndexFunc(list, func(g Game) bool { return g.ID == id })
	if i < 0 {
		return Game{}, "", fmt.Errorf("unknown game %q: known are %s", id, gameNames(list))
	}
	g := list[i]
	given := map[string]string{}
	for item := range strings.SplitSeq(rest, ",") {
		item = strings.TrimSpace(item)
		if item == "" {
			continue
		}
		key, value, ok := strings.Cut(item, "=")
		if !ok {
			return Game{}, "", fmt.Errorf("option %q of %s has no value: write key=value", item, id)
		}
		o, err := g.option(key)
		if err != nil {
			return Game{}, "", &game.OptionError{Key: key, Err: err}
		}
		if _, twice := given[key]; twice {
			return Game{}, "", fmt.Errorf("option %q of %s is given twice", key, id)
		}
		value, err = o.check(value)
		if err != nil {
			return Game{}, "", &game.OptionError{Key: key, Range: o.span(), Err: fmt.Errorf("option %s of %s: %w", key, id, err)}
		}
		given[key] = value
	}
	return g, g.spec(given), nil
}

func gameNames(list []Game) string {
	names := make([]string, len(list))
	for i, g := range list {
		names[i] = g.ID
	}
	return strings.Join(names, " ")
}

func (g Game) option(key string) (Option, error) {
	var keys []string
	for _, o := range g.Options {
		if o.Key == key {
			return o, nil
		}
		keys = append(keys, o.Key)
	}
	if len(keys) == 0 {
		return Option{}, fmt.Errorf("%s has no options, %q is unknown", g.ID, key)
	}
	return Option{}, fmt.Errorf("%s has no option %q: known are %s", g.ID, key, strings.Join(keys, " "))
}

func (g Game) spec(given map[string]string) game.Spec {
	var b strings.Builder
	b.WriteString(g.ID)
	sep := byte(':')
	for _, o := range g.Options {
		v, ok := given[o.Key]
		if !ok {
			v = o.Default
		}
		if o.Hidden && v == o.Default {
			continue
		}
		b.WriteByte(sep)
		b.WriteString(o.Key + "=" + v)
		sep = ','
	}
	return game.Spec(b.String())
}

// span is from where to where a number goes, empty for an option that is a word of a few.
func (o Option) span() string {
	if len(o.Values) > 0 {
		return ""
	}
	return fmt.Sprintf("%d – %d", o.Min, o.Max)
}

// check returns the value in canonical form.
func (o Option) check(v string) (string, error) {
	v = strings.TrimSpace(v)
	if len(o.Values) > 0 {
		if !slices.Contains(o.Values, v) {
			return "", fmt.Errorf("%q is not one of %s", v, strings.Join(o.Values, " "))
		}
		return v, nil
	}
	if o.Decimal {
		f, err := strconv.ParseFloat(v, 64)
		if err != nil || f < float64(o.Min) || f > float64(o.Max) {
			return "", fmt.Errorf("%q is not a number from %d to %d", v, o.Min, o.Max)
		}
		return strconv.FormatFloat(f, 'f', -1, 64), nil
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < o.Min || n > o.Max {
		return "", fmt.Errorf("%q is not a whole number from %d to %d", v, o.Min, o.Max)
	}
	return strconv.Itoa(n), nil
}

// OptionOf returns the value of an option in a canonical specification; options
// that it leaves out have their default.
func (g Game) OptionOf(spec game.Spec, key string) string {
	if v, ok := spec.Option(key); ok {
		return v
	}
	for _, o := range g.Options {
		if o.Key == key {
			return o.Default
		}
	}
	return ""
}

// Open returns the rules that a specification in any form names.
func Open(list []Game, text string) (Rules, error) {
	g, spec, err := Canonical(list, text)
	if err != nil {
		return nil, err
	}
	return g.New(spec)
}

// StateOf returns a position of a game as the game's own type of state, for those who
// know more of the game than State says. An empty text means the initial position.
func StateOf[S State](g Game, spec game.Spec, text string) (S, error) {
	var own S
	r, err := g.New(spec)
	if err != nil {
		return own, err
	}
	st, err := Start(r, text)
	if err != nil {
		return own, err
	}
	own, ok := st.(S)
	if !ok {
		return own, fmt.Errorf("the states of %s are %T, not %T", g.ID, st, own)
	}
	return own, nil
}
