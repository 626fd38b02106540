package run

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"kibitz/catalog"
	"kibitz/run/engines"
)

// A preset gives what an event plays with, where nobody says otherwise. Its figures
// and their sources are listed in docs/presets.md.

// presets are the names of the events.
var presets = []string{"gomocup", "tcga", "ccgc", "sau"}

// event is what a preset sets beside the options of the game: words of all engines, and
// other settings by their keys.
type event struct {
	each     string
	settings map[string]any
}

func events() map[string]event {
	return map[string]event{
		"gomocup": {
			"tc=180 st=30 margin=1 memory=350M suspend=on restart=game",
			map[string]any{"points": "3/1/0", "repeat": true, "games": 24, "tiebreaks": "ratio,direct", "replay-starved": true},
		},
		"tcga": {"tc=900", map[string]any{"points": "1/0.5/0", "format": "double", "games": 1, "replay-starved": true}},
		"ccgc": {"tc=900", map[string]any{
			"points": "2/1/0", "format": "double", "games": 1, "illegal": "lose", "tiebreaks": "direct",
			"replay-starved": true,
		}},
		"sau": {"files=ro", map[string]any{"illegal": "retry:100"}}, // no clock, and error for illegal moves without end
	}
}

// ApplyPreset sets what was not given as the preset has it. Options of the game and words
// for all engines that are there stay. What it set stands in the run's own file, not its
// name.
func (s *Settings) ApplyPreset(given func(key string) bool) error {
	if s.Preset == "" {
		return nil
	}
	fail := func(want string) error { return &Error{Path: "/preset", Got: s.Preset, Want: want} }
	if !slices.Contains(presets, s.Preset) {
		return fail("unknown; write one of " + strings.Join(presets, ", "))
	}
	id, options, _ := strings.Cut(s.Game, ":")
	row, _ := catalog.Find(id)
	played, _ := row.Events.Get()
	own, ok := played[s.Preset]
	if !ok {
		return fail(fmt.Sprintf("not an event of %s; %s", id, presetsOf(row)))
	}
	if s.Preset == "gomocup" && !strings.Contains(options, "width=") && !strings.Contains(options, "height=") {
		own += ",size=" + gomocupSize(options)
	}
	e := events()[s.Preset]
	words, err := engines.ParseWords(e.each)
	if err != nil {
		return err
	}
	s.Game, s.Each = addOptions(id, options, own), addWords(s.Each, words)
	for _, key := range slices.Sorted(maps.Keys(e.settings)) {
		if given(key) {
			continue
		}
		if err := s.Set(key, e.settings[key]); err != nil {
			return err
		}
	}
	return nil
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

func presetsOf(row catalog.Game) string {
	var fit []string
	played, _ := row.Events.Get()
	for _, name := range presets {
		if _, ok := played[name]; ok {
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

// addWords puts the words of a preset before those that are there, without those that
// these say themselves.
func addWords(each, more engines.Words) engines.Words {
	has := func(keys ...string) bool {
		return slices.ContainsFunc(each, func(w engines.Word) bool { return slices.Contains(keys, w.Key) })
	}
	var out engines.Words
	for _, w := range more {
		if has(w.Key) || slices.Contains(clockWords, w.Key) && has(clockWords...) {
			continue
		}
		out = append(out, w)
	}
	return append(out, each...)
}
