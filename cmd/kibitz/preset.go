package main

import (
	"fmt"
	"slices"
	"strings"

	"kibitz/catalog"

	"github.com/alecthomas/kong"
	"github.com/google/shlex"
)

// A preset gives what an event plays with, where nobody says otherwise. Its figures
// and their sources are listed in docs/presets.md.

// presets are the names that --preset takes.
var presets = []string{"gomocup", "tcga", "ccgc", "sau"}

// defaults are what a preset sets: the text of the game with its options, the words
// of --each, and other flags of kibitz match by name.
type defaults struct {
	Game  string
	Each  string
	Flags map[string]string
}

// preset returns what an event sets for a game, given as --game has it. Options and
// words that are there already stay.
func preset(name, gameText, each string) (defaults, error) {
	if !slices.Contains(presets, name) {
		return defaults{}, fmt.Errorf("--preset %s: unknown; write one of %s", name, strings.Join(presets, ", "))
	}
	id, options, _ := strings.Cut(gameText, ":")
	row, _ := catalog.Find(id)
	own, ok := row.Events[name]
	if !ok {
		return defaults{}, fmt.Errorf("--preset %s: not an event of %s; %s", name, id, presetsOf(row))
	}
	d := defaults{Flags: map[string]string{}}
	words := ""
	switch name {
	case "gomocup":
		if !strings.Contains(options, "width=") && !strings.Contains(options, "height=") {
			own += ",size=" + gomocupSize(options)
		}
		words = "tc=180 st=30 margin=1 memory=350M suspend=on restart=game"
		d.Flags = map[string]string{"points": "3/1/0", "repeat": "true", "games": "24", "tiebreaks": "ratio,direct", "replay-starved": "true"}
	case "tcga":
		words = "tc=900"
		d.Flags = map[string]string{"points": "1/0.5/0", "format": "double", "games": "1", "replay-starved": "true"}
	case "ccgc":
		words = "tc=900"
		d.Flags = map[string]string{"points": "2/1/0", "format": "double", "games": "1", "illegal": "lose", "tiebreaks": "direct", "replay-starved": "true"}
	case "sau": // no clock, and error for illegal moves without end
		words = "files=ro"
		d.Flags = map[string]string{"illegal": "retry:100"}
	}
	d.Game = addOptions(id, options, own)
	var err error
	d.Each, err = addWords(each, words)
	return d, err
}

// gomocupSize is the board of a rule: freestyle is played on 20×20, the others on
// 15×15.
func gomocupSize(options string) string {
	for o := range strings.SplitSeq(options, ",") {
		if rule, ok := strings.CutPrefix(o, "rule="); ok && rule != "freestyle" {
			return "15"
		}
	}
	return "20"
}

// presetsOf tells which presets a game has.
func presetsOf(row catalog.Game) string {
	var fit []string
	for _, name := range presets {
		if _, ok := row.Events[name]; ok {
			fit = append(fit, name)
		}
	}
	if len(fit) == 0 {
		return "no preset fits that game"
	}
	return "presets that fit: " + strings.Join(fit, ", ")
}

// addOptions adds options of a game that are not there.
func addOptions(id, options, more string) string {
	var list []string
	if options != "" {
		list = strings.Split(options, ",")
	}
	for o := range strings.SplitSeq(more, ",") {
		key, _, _ := strings.Cut(o, "=")
		if o != "" && !slices.ContainsFunc(list, func(x string) bool { return strings.HasPrefix(x, key+"=") }) {
			list = append(list, o)
		}
	}
	if len(list) == 0 {
		return id
	}
	return id + ":" + strings.Join(list, ",")
}

// clockWords say how long engines may think: one given takes the place of all of a
// preset.
var clockWords = []string{"tc", "st", "delay", "bronstein", "byo", "canadian", "overtime", "hourglass"}

// addWords puts the words of a preset before those of --each, without those that
// are there.
func addWords(each, more string) (string, error) {
	given, err := shlex.Split(each)
	if err != nil {
		return "", fmt.Errorf("--each %q: %w", each, err)
	}
	has := func(keys ...string) bool {
		return slices.ContainsFunc(given, func(w string) bool {
			key, _, _ := strings.Cut(w, "=")
			return slices.Contains(keys, key)
		})
	}
	var out []string
	for _, w := range strings.Fields(more) {
		key, _, _ := strings.Cut(w, "=")
		if has(key) || slices.Contains(clockWords, key) && has(clockWords...) {
			continue
		}
		out = append(out, w)
	}
	return strings.TrimSpace(strings.Join(out, " ") + " " + each), nil
}

// applyPreset sets the flags of a match that were not given as a preset has them.
// What it set stands in the run's own file, not its name. The context is that in
// which the match was parsed.
func applyPreset(c *matchCmd, name string, k *kong.Context) error {
	if name == "" {
		return nil
	}
	d, err := preset(name, c.Game, c.Each)
	if err != nil {
		return err
	}
	c.Game, c.Each = d.Game, d.Each
	given := map[string]bool{}
	for _, p := range k.Path {
		if p.Flag != nil {
			given[p.Flag.Name] = true
		}
	}
	for _, f := range k.Flags() {
		value, ok := d.Flags[f.Name]
		if !ok || given[f.Name] {
			continue
		}
		if err := f.Parse(kong.ScanFromTokens(kong.Token{Type: kong.FlagValueToken, Value: value}), f.Target); err != nil {
			return fmt.Errorf("--preset %s: --%s %s: %w", name, f.Name, value, err)
		}
	}
	return nil
}
