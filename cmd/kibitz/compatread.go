package main

import (
	"slices"
	"strconv"
	"strings"
)

// compatArgs are the arguments of another program, read one after the other.
type compatArgs struct {
	list []string
	flag string // the option that is being read
	// words holds what follows the option up to the next one.
	words []string
	warn  func(string)
}

// one returns the only value of an option.
func (p *compatArgs) one() (string, error) {
	if len(p.words) != 1 {
		return "", badVerdict("%s takes one value, %d are given", p.flag, len(p.words))
	}
	return p.words[0], nil
}

// none refuses values.
func (p *compatArgs) none() error {
	if len(p.words) != 0 {
		return badVerdict("%s takes no value, %q is given", p.flag, p.words[0])
	}
	return nil
}

// number returns the only value of an option, a whole number from least on.
func (p *compatArgs) number(least int) (int, error) {
	v, err := p.one()
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < least {
		return 0, badVerdict("%s %s: must be a whole number from %d", p.flag, v, least)
	}
	return n, nil
}

// into returns a reader of a whole number.
func into(dst *int, least int) func(*compatArgs) error {
	return func(p *compatArgs) (err error) {
		*dst, err = p.number(least)
		return err
	}
}

// textInto returns a reader of a text.
func textInto(dst *string) func(*compatArgs) error {
	return func(p *compatArgs) (err error) {
		*dst, err = p.one()
		return err
	}
}

// switchOn returns a reader of an option without values.
func switchOn(list ...*bool) func(*compatArgs) error {
	return func(p *compatArgs) error {
		for _, b := range list {
			*b = true
		}
		return p.none()
	}
}

// read reads all arguments by a table. isFlag tells options from values.
func (p *compatArgs) read(program string, table []compatOption, isFlag func(string) bool) error {
	for i := 0; i < len(p.list); {
		p.flag = p.list[i]
		k := i + 1
		for k < len(p.list) && !isFlag(p.list[k]) {
			k++
		}
		p.words = p.list[i+1 : k]
		i = k
		o := findOption(table, p.flag)
		if o == nil {
			return badVerdict("%s: unknown option %q", program, p.flag)
		}
		if err := p.take(o); err != nil {
			return err
		}
	}
	return nil
}

func findOption(table []compatOption, name string) *compatOption {
	for i := range table {
		if table[i].name == name {
			return &table[i]
		}
	}
	return nil
}

// take does what an option asks for.
func (p *compatArgs) take(o *compatOption) error {
	switch o.does {
	case isRefused:
		return badVerdict("%s: %s", strings.TrimSpace(p.flag+" "+strings.Join(p.words, " ")), o.note)
	case isIgnored:
		p.warn(p.flag + " is ignored: " + o.note)
		return nil
	}
	return o.read(p)
}

// keys reads the key=value words of an option by a table, whose names end in "=" or,
// for words without a value, do not; "option." stands for every name below it.
func (p *compatArgs) keys(table []compatOption) error {
	for _, w := range p.words {
		key, value, has := strings.Cut(w, "=")
		name := key
		if has {
			name += "="
		}
		if rest, ok := strings.CutPrefix(key, "option."); ok && rest != "" && has {
			name = "option."
		}
		o := findOption(table, name)
		if key == "option." { // of no name
			o = nil
		} else if o == nil && has { // "ponder=true" is "ponder"
			o = findOption(table, key)
		}
		if o == nil {
			return badVerdict("%s: %q is not known; known are %s", p.flag, w, names(table))
		}
		word := &compatArgs{flag: p.flag + " " + key, words: []string{value}, warn: p.warn}
		if !has {
			word.words = nil
		}
		if err := word.take(o); err != nil {
			return err
		}
	}
	return nil
}

func names(table []compatOption) string {
	list := make([]string, len(table))
	for i := range table {
		list[i] = table[i].name
	}
	return strings.Join(list, " ")
}

// countInto returns a reader of a number of 64 bits that is not negative.
func countInto(dst *int64) func(*compatArgs) error {
	return func(p *compatArgs) error {
		v, err := p.one()
		if err != nil {
			return err
		}
		if *dst, err = strconv.ParseInt(v, 10, 64); err != nil || *dst < 0 {
			return badVerdict("%s=%s: must be a whole number from 0", p.flag, v)
		}
		return nil
	}
}

// amountInto returns a reader of a number that is not negative.
func amountInto(dst *float64) func(*compatArgs) error {
	return func(p *compatArgs) error {
		v, err := p.one()
		if err == nil {
			*dst, err = parseAmount(p.flag, v)
		}
		return err
	}
}

// timesInto returns a reader of a number that is not negative and counts times unit:
// 1000 makes milliseconds of seconds.
func timesInto(dst *int64, unit float64) func(*compatArgs) error {
	return func(p *compatArgs) error {
		var x float64
		err := amountInto(&x)(p)
		*dst = int64(x * unit)
		return err
	}
}

// numberInto returns a reader of any number.
func numberInto(dst *float64) func(*compatArgs) error {
	return func(p *compatArgs) error {
		v, err := p.one()
		if err != nil {
			return err
		}
		if *dst, err = strconv.ParseFloat(v, 64); err != nil {
			return badVerdict("%s=%s: must be a number", p.flag, v)
		}
		return nil
	}
}

// oneOf returns a reader of one of some words, which is handed on.
func oneOf(take func(word string), list ...string) func(*compatArgs) error {
	return func(p *compatArgs) error {
		v, err := p.one()
		if err != nil {
			return err
		}
		if !slices.Contains(list, v) {
			sep := "=" // it is a key
			if !strings.Contains(p.flag, " ") {
				sep = " "
			}
			return badVerdict("%s%s%s: must be one of %s", p.flag, sep, v, strings.Join(list, " "))
		}
		take(v)
		return nil
	}
}

// secondOf returns a reader of one of two words that tells whether it is the second.
func secondOf(dst *bool, first, second string) func(*compatArgs) error {
	return oneOf(func(v string) { *dst = v == second }, first, second)
}

// given returns a reader of a word that says all, whatever its value.
func given(dst *bool) func(*compatArgs) error {
	return func(*compatArgs) error {
		*dst = true
		return nil
	}
}

// optionInto returns a reader of "option.NAME=VALUE", which appends "NAME=VALUE".
func optionInto(dst *[]string) func(*compatArgs) error {
	return func(p *compatArgs) error {
		_, name, _ := strings.Cut(p.flag, "option.")
		*dst = append(*dst, name+"="+p.words[0])
		return nil
	}
}

// parseAmount reads a number from 0 to 1e12.
func parseAmount(flag, v string) (float64, error) {
	x, err := strconv.ParseFloat(v, 64)
	if err != nil || !(x >= 0 && x <= 1e12) {
		return 0, badVerdict("%s=%s: must be a number from 0", flag, v)
	}
	return x, nil
}

// pairInto reads a count and a score.
func pairInto(dst *[2]int) func(*compatArgs) error {
	return func(p *compatArgs) error {
		if len(p.words) != 2 {
			return badVerdict("%s takes COUNT SCORE", p.flag)
		}
		for i, w := range p.words {
			var err error
			if dst[i], err = strconv.Atoi(w); err != nil || dst[i] < 0 {
				return badVerdict("%s %s: must be a whole number from 0", p.flag, w)
			}
		}
		return nil
	}
}

// joinedInto returns a reader of words that belong together.
func joinedInto(dst *string) func(*compatArgs) error {
	return func(p *compatArgs) error {
		if *dst = strings.Join(p.words, " "); *dst == "" {
			return badVerdict("%s takes a value", p.flag)
		}
		return nil
	}
}

// wholes reads words of whole numbers, of which all in need must be given.
func (p *compatArgs) wholes(need map[string]*int) error {
	given := map[string]bool{}
	var table []compatOption
	for key, dst := range need {
		table = append(table, compatOption{key + "=", isHonoured, "", func(p *compatArgs) error {
			given[key] = true
			return into(dst, 0)(p)
		}})
	}
	slices.SortFunc(table, func(a, b compatOption) int { return strings.Compare(a.name, b.name) })
	if err := p.keys(table); err != nil {
		return err
	}
	for _, o := range table {
		if key := strings.TrimSuffix(o.name, "="); !given[key] {
			return badVerdict("%s: %s= is missing", p.flag, key)
		}
	}
	return nil
}
