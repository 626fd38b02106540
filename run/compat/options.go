// Package compat reads the options of other programs, plays a run that they describe, and
// writes its games into the files that they name. The folders below it are those programs.
package compat

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Fate is what becomes of an option.
type Fate string

// The fates of options.
const (
	Honoured Fate = "honoured"
	Ignored  Fate = "ignored" // with a warning
	Refused  Fate = "refused"
)

// Option is an option of another program, or a word that may follow one.
type Option struct {
	// Name is as scripts write it. A word with a value ends in "="; "option." stands for
	// every name below it.
	Name string
	Fate Fate
	// Note is what it means here, in one line; where it is ignored or refused, why.
	Note string
	read Reader
}

// Reader reads what was given with an option.
type Reader func(*Args) error

// Take returns an option that is honoured.
func Take(name, note string, read Reader) Option { return Option{name, Honoured, note, read} }

// Ignore returns an option that is passed over with a warning.
func Ignore(name, note string) Option { return Option{name, Ignored, note, Ignoring(note)} }

// Refuse returns an option that cannot be meant.
func Refuse(name, note string) Option { return Option{name, Refused, note, Refusing(note)} }

// Find returns the option of a name, nil if there is none.
func Find(table []Option, name string) *Option {
	if i := slices.IndexFunc(table, func(o Option) bool { return o.Name == name }); i >= 0 {
		return &table[i]
	}
	return nil
}

// Args are what was given with an option.
type Args struct {
	Flag  string // the option; "OPTION KEY" where a word of it is read
	Words []string
	Warn  func(text string)
}

// Read reads a command line of a program by a table.
func Read(program string, args []string, table []Option, isFlag func(string) bool, warn func(string)) error {
	for i := 0; i < len(args); {
		k := i + 1
		for k < len(args) && !isFlag(args[k]) {
			k++
		}
		p := &Args{Flag: args[i], Words: args[i+1 : k], Warn: warn}
		i = k
		o := Find(table, p.Flag)
		if o == nil {
			return fmt.Errorf("%s: unknown option %q", program, p.Flag)
		}
		if err := o.read(p); err != nil {
			return err
		}
	}
	return nil
}

// IsFlag tells options from values: a hyphen with more behind it that is no number.
func IsFlag(s string) bool {
	if len(s) < 2 || s[0] != '-' {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err != nil
}

// Table reads key=value words by a table; "ponder=true" is read as "ponder".
func (p *Args) Table(table []Option) error {
	for _, w := range p.Words {
		key, value, has := strings.Cut(w, "=")
		name := key
		if has {
			name += "="
		}
		if rest, ok := strings.CutPrefix(key, "option."); ok && rest != "" && has {
			name = "option."
		}
		o := Find(table, name)
		if o == nil && has {
			o = Find(table, key)
		}
		if o == nil || key == "option." {
			return fmt.Errorf("%s: %q is not known; known are %s", p.Flag, w, names(table))
		}
		word := &Args{Flag: p.Flag + " " + key, Warn: p.Warn}
		if has {
			word.Words = []string{value}
		}
		if err := o.read(word); err != nil {
			return err
		}
	}
	return nil
}

func names(table []Option) string {
	list := make([]string, len(table))
	for i := range table {
		list[i] = table[i].Name
	}
	return strings.Join(list, " ")
}

// Words are key=value words of an option by their keys, which end in "=".
type Words map[string]Reader

// Read reads the words; those of need must be given with a value.
func (w Words) Read(p *Args, need ...string) error {
	var table []Option
	for _, key := range slices.Sorted(maps.Keys(w)) {
		table = append(table, Take(key, "", w[key]))
	}
	if err := p.Table(table); err != nil {
		return err
	}
	for _, key := range need {
		if !slices.ContainsFunc(p.Words, func(w string) bool { return strings.HasPrefix(w, key) && len(w) > len(key) }) {
			return fmt.Errorf("%s: %s is missing", p.Flag, key)
		}
	}
	return nil
}

// Reader returns what reads the words.
func (w Words) Reader() Reader { return func(p *Args) error { return w.Read(p) } }

// Must returns the error of a value: it must be something else.
func (p *Args) Must(value, want string, args ...any) error {
	sep := " "
	if strings.Contains(p.Flag, " ") { // it is a word
		sep = "="
	}
	return fmt.Errorf("%s%s%s: %s", p.Flag, sep, value, fmt.Sprintf(want, args...))
}
