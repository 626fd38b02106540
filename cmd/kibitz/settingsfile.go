package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"kibitz/record"
	"kibitz/run/engines"
)

// settingsFile is the file of a run as it was read.
type settingsFile struct {
	name string
	// values are those of the keys at the top.
	values map[string]any
	// places are where keys stand: "games", "engine[1]", "engine[1].tc".
	places map[string][2]int
}

// Keys of the file of a run that are no flags.
const (
	keyVersion = "kibitz"     // who wrote it
	keyFolder  = "started-in" // relative paths count from there
	keySecret  = "secret"     // behind the shuffles, once the run is over
	keyCompat  = "compat"     // the program whose options described the run
)

// readSettings reads the file of a run.
func readSettings(name string) (*settingsFile, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return parseSettings(name, data)
}

// parseSettings reads the content of such a file.
func parseSettings(name string, data []byte) (*settingsFile, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	f := &settingsFile{name: name, values: map[string]any{}, places: map[string][2]int{}}
	if err := toml.Unmarshal(data, &f.values); err != nil {
		var d *toml.DecodeError
		if errors.As(err, &d) {
			row, column := d.Position()
			return nil, &record.Error{File: name, Line: row, Column: column, Msg: strings.TrimPrefix(d.Error(), "toml: ")}
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f.locate(data)
	return f, nil
}

// locate notes where each key stands.
func (f *settingsFile) locate(data []byte) {
	var p unstable.Parser
	p.Reset(data)
	table, count := "", map[string]int{}
	for p.NextExpression() {
		e := p.Expression()
		var path []string
		at := [2]int{}
		for it := e.Key(); it.Next(); {
			n := it.Node()
			if len(path) == 0 {
				start := p.Shape(p.Range(n.Data)).Start
				at = [2]int{start.Line, start.Column}
			}
			path = append(path, string(n.Data))
		}
		key := strings.Join(path, ".")
		switch e.Kind {
		case unstable.Table:
			table = key
		case unstable.ArrayTable:
			table = fmt.Sprintf("%s[%d]", key, count[key])
			count[key]++
		case unstable.KeyValue:
			if table != "" {
				key = table + "." + key
			}
			f.places[key] = at
			continue
		default:
			continue
		}
		f.places[table] = at
	}
}

// fault returns an error at a key, or at the one that holds it.
func (f *settingsFile) fault(key string, err error) error {
	e := &record.Error{File: f.name, Msg: err.Error()}
	for key != "" {
		if at, ok := f.places[key]; ok {
			e.Line, e.Column = at[0], at[1]
			break
		}
		i := strings.LastIndexAny(key, ".[")
		if i < 0 {
			break
		}
		key = key[:i]
	}
	return e
}

// text returns a key that is no flag.
func (f *settingsFile) text(key string) (string, error) {
	v, ok := f.values[key]
	if !ok {
		return "", nil
	}
	s, ok := v.(string)
	if !ok {
		return "", f.fault(key, fmt.Errorf("%s: must be a text in quotes", key))
	}
	return s, nil
}

// match returns the match that the file describes.
func (f *settingsFile) match() (*matchCmd, error) {
	c, err := f.flags()
	if err == nil {
		err = f.checkEngines(c)
	}
	if c != nil {
		f.findOpenings(c)
	}
	return c, f.place(err)
}

// flags reads the keys of the file as flags of a match. Engines are not looked at.
func (f *settingsFile) flags() (*matchCmd, error) {
	c := &matchCmd{}
	flags, err := flagsOf(c)
	if err != nil {
		return nil, err
	}
	var known []string
	for _, fl := range flags {
		if !fl.Hidden {
			known = append(known, fl.Name)
		}
	}
	var args []string
	for _, key := range slices.Sorted(maps.Keys(f.values)) {
		if slices.Contains([]string{keyVersion, keyFolder, keySecret}, key) {
			continue
		}
		if key == keyCompat {
			return nil, f.fault(key, fmt.Errorf("compat: this run was described by the options of %v; kibitz compat plays it again from the same command line", f.values[key]))
		}
		if !slices.ContainsFunc(flags, func(fl *kong.Flag) bool { return fl.Name == key }) {
			return nil, f.fault(key, fmt.Errorf("unknown key %q: known are %s", key, strings.Join(known, " ")))
		}
		values, err := f.arguments(key)
		if err != nil {
			return nil, err
		}
		if key == "game" && slices.Contains(values, "") {
			return nil, f.fault(key, errors.New("game: none is named; write game = 'othello', for example"))
		}
		for _, v := range values {
			args = append(args, "--"+key+"="+v)
		}
	}
	k, err := kong.New(c, kong.Name("kibitz match"), kong.WithHyphenPrefixedParameters(true))
	if err == nil {
		var ctx *kong.Context
		if ctx, err = k.Parse(args); err == nil {
			err = applyPreset(c, c.Preset, ctx)
		}
	}
	return c, err
}

// findOpenings takes the openings that were made for a run from beside its file: the
// folder may have been moved.
func (f *settingsFile) findOpenings(c *matchCmd) {
	dir, err := filepath.Abs(filepath.Dir(f.name))
	if _, own := f.values[keyFolder]; err != nil || !own {
		return
	}
	made := filepath.Join(dir, openingsFile)
	if _, err := os.Stat(made); err == nil && strings.Contains(c.Openings, "file=") {
		c.Openings = openingsAgain(c.Openings, made)
	}
}

// place finds the key that an error is about by the flag that it names.
func (f *settingsFile) place(err error) error {
	var placed *record.Error
	if err == nil || errors.As(err, &placed) {
		return err
	}
	if m := namedFlag.FindStringSubmatch(err.Error()); m != nil {
		return f.fault(m[1], err)
	}
	return f.fault("", err)
}

var namedFlag = regexp.MustCompile(`--([a-z][a-z-]*)`)

// checkEngines finds the engine, and the word, that cannot be meant.
func (f *settingsFile) checkEngines(c *matchCmd) error {
	if _, err := engines.Parse("", strings.TrimSpace(c.Each+" bot=1")); err != nil && c.Each != "" && strings.Contains(err.Error(), "unknown key") {
		return f.fault(f.word("each", err), err)
	}
	for i, text := range c.Engine {
		if _, err := engines.Parse(c.Each, text); err != nil {
			table := "engine[" + strconv.Itoa(i) + "]"
			key := f.word(table, err)
			if each := f.word("each", err); key == table && each != "each" {
				key = each
			}
			return f.fault(key, err)
		}
	}
	return nil
}

// word returns the key below a table that an error names.
func (f *settingsFile) word(table string, err error) string {
	for _, key := range slices.Sorted(maps.Keys(f.places)) {
		if name, ok := strings.CutPrefix(key, table+"."); ok {
			if _, what, ok := strings.Cut(err.Error(), `": `); ok && (strings.HasPrefix(what, name+"=") || strings.Contains(what, `"`+name+`"`) || name == "cmd" && strings.HasPrefix(what, "cannot run")) {
				return key
			}
		}
	}
	return table
}

// arguments returns the values of a key as they would stand on the command line.
func (f *settingsFile) arguments(key string) ([]string, error) {
	v := f.values[key]
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	out := make([]string, len(list))
	for i, x := range list {
		place := key
		if ok {
			place = fmt.Sprintf("%s[%d]", key, i)
		}
		words, err := wordsOf(x, "")
		if err != nil {
			return nil, f.fault(place, fmt.Errorf("%s: %w", key, err))
		}
		out[i] = words
	}
	return out, nil
}

// unquoted are the characters of words that need no quotes.
const unquoted = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789=.,:+-_/%@"

// wordOf quotes a word where that is needed.
func wordOf(s string) string {
	if strings.Trim(s, unquoted) == "" {
		return s
	}
	return quoteWord(s)
}

// wordsOf returns a value as text: a table as key=value words.
func wordsOf(v any, prefix string) (string, error) {
	switch x := v.(type) {
	case string:
		return x, nil
	case bool, int64, float64:
		return fmt.Sprint(x), nil
	case map[string]any:
		var words []string
		for _, key := range slices.Sorted(maps.Keys(x)) {
			if sub, ok := x[key].(map[string]any); ok && prefix == "" {
				text, err := wordsOf(sub, key+".")
				if err != nil {
					return "", err
				}
				words = append(words, text)
				continue
			}
			text, err := wordsOf(x[key], "-")
			if err != nil {
				return "", fmt.Errorf("%s: %w", key, err)
			}
			words = append(words, wordOf(prefix+key+"="+text))
		}
		if prefix != "-" {
			return strings.Join(words, " "), nil
		}
	}
	return "", fmt.Errorf("%v is neither text nor number nor true nor false", v)
}
