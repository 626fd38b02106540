package runreport

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/google/shlex"
	"github.com/pelletier/go-toml/v2"

	"kibitz/game"
	"kibitz/game/wire"
	"kibitz/internal/plain"
	"kibitz/journal"
	"kibitz/match/recorded"
	"kibitz/rating"
	"kibitz/report"
	"kibitz/rules"
	"kibitz/run"
	"kibitz/run/engines"
)

// reportRun is a run of which a report is made.
type reportRun struct {
	dir     string
	journal string
	config  report.Config
	rules   rules.Rules
	program string
	open    *published
}

// openReport reads what a report needs beside the events.
func openReport(dir string, now time.Time, o *Options) (*reportRun, error) {
	r := &reportRun{dir: dir, program: o.Program, journal: filepath.Join(dir, "journal")}
	var err error
	if r.open, err = scanJournal(r.journal); err != nil {
		switch {
		case errors.Is(err, syscall.ENOTDIR):
			return nil, fmt.Errorf("%s: a file is no run, but the folder that kibitz match --out makes", dir)
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("%s: a folder without a journal is no run (kibitz match --out makes one)", dir)
		}
		return nil, err
	}
	set, err := r.settings()
	if err != nil {
		return nil, err
	}
	if r.rules, err = o.Open(set.text("game")); err != nil {
		return nil, fmt.Errorf("%s: run.toml: %w", dir, err)
	}
	files, err := newRunFilesIndex(dir)
	if err != nil {
		return nil, err
	}
	r.config = report.Config{
		Title: o.Title, Game: r.rules.Doc().Title, Spec: r.rules.Spec(),
		Engines: append(set.engines(), r.open.entered...), Repeat: set.flag("repeat"),
		Over: r.open.over(), Revealed: r.open.revealed, Boards: o.Boards, Positions: r.positions, Format: r.rules.FormatMove,
		Files: files.links, Tail: files.tail, Errors: files.worst, Prefix: prefixTo(o.HTML, dir), Now: now,
	}
	if o.Review != nil {
		r.config.Review = func(g *report.Played) (*wire.Review, error) { return o.Review(recorded.Game(g)) }
	}
	if p, err := run.ParsePoints(set.text("points")); err == nil {
		r.config.Points = report.Points(p)
	}
	if t, err := rating.ParseTest(set.text("sprt")); err == nil {
		r.config.Sequence = t.Start(r.config.Repeat && t.Model.Pairs())
	}
	if r.config.Title == "" {
		r.config.Title = reportTitle(r.rules.Doc().Title, r.config.Engines)
	}
	sum := r.summary()
	r.config.Facts = r.facts(set, sum)
	return r, nil
}

func reportTitle(game string, engines []report.Engine) string {
	if len(engines) == 2 {
		return engines[0].Name + " – " + engines[1].Name
	}
	return fmt.Sprintf("%s, %s", game, plain.Count(len(engines), "engine"))
}

// settings are those of run.toml, whatever version wrote them.
type settings map[string]any

// settings reads run.toml, or what the journal keeps of it.
func (r *reportRun) settings() (settings, error) {
	set := settings{}
	b, err := os.ReadFile(filepath.Join(r.dir, "run.toml"))
	if err == nil {
		err = toml.Unmarshal(b, &set)
	}
	if err == nil {
		return set, nil
	}
	var text string
	if r.open.run != nil && json.Unmarshal(r.open.run.Config, &text) == nil && toml.Unmarshal([]byte(text), &set) == nil {
		return set, nil
	}
	return nil, fmt.Errorf("%s: run.toml cannot be read: %w", r.dir, err)
}

func (s settings) text(key string) string {
	x, _ := s[key].(string) // "" is the answer for what is no text
	return x
}

func (s settings) flag(key string) bool {
	x, _ := s[key].(bool) // false is the answer for what is no truth value
	return x
}

// engines names the engines as the match did.
func (s settings) engines() []report.Engine {
	list, ok := s["engine"].([]any)
	if !ok {
		list, _ = s["engines"].([]any) // none is the answer for what is no list
	}
	each := engineWords(s["each"])
	specs := make([]*engines.Spec, 0, len(list))
	for _, x := range list {
		words := engineWords(x)
		e := engines.Named(slices.Concat(each, words))
		e.Text = shownWords(words)
		specs = append(specs, e)
	}
	out := make([]report.Engine, len(specs))
	for i, name := range engines.UniqueNames(specs) {
		out[i] = report.Engine{Name: name, Spec: specs[i].Text}
	}
	return out
}

// engineWords returns the key=value words of an engine: of a text, or of a table
// with those that say what it is in front.
func engineWords(x any) []string {
	var out []string
	switch v := x.(type) {
	case string:
		words, err := shlex.Split(v)
		if err != nil {
			return []string{v}
		}
		return words
	case map[string]any:
		first := []string{"name", "cmd", "bot", "human", "proto", "tc", "st"}
		keys := slices.SortedFunc(maps.Keys(v), func(a, b string) int {
			i, j := slices.Index(first, a), slices.Index(first, b)
			return cmp.Or(cmp.Compare(uint(i), uint(j)), cmp.Compare(a, b)) // -1 is the largest
		})
		for _, k := range keys {
			if sub, ok := v[k].(map[string]any); ok {
				for _, name := range slices.Sorted(maps.Keys(sub)) {
					out = append(out, fmt.Sprintf("%s.%s=%v", k, name, sub[name]))
				}
				continue
			}
			out = append(out, fmt.Sprintf("%s=%v", k, v[k]))
		}
	}
	return out
}

// shownWords are an engine's words as a report may show them: what stands in its
// environment may be a password.
func shownWords(words []string) string {
	out := slices.Clone(words)
	for i, w := range out {
		key, _, ok := strings.Cut(w, "=")
		if ok && strings.HasPrefix(key, "env.") {
			w = key + "=…"
		}
		if strings.ContainsAny(w, " \t\"") {
			w = "'" + w + "'"
		}
		out[i] = w
	}
	return strings.Join(out, " ")
}

// summary is what a report takes from summary.json.
type summary struct {
	Seconds float64 `json:"seconds"`
	Engines []struct {
		Name  string  `json:"name"`
		Score float64 `json:"score"`
	} `json:"engines"`
	Extra *struct {
		TransmissionMeanUS  float64 `json:"transmission_error_mean_us"`
		TransmissionWorstUS float64 `json:"transmission_error_worst_us"`
		WallPerMove         float64 `json:"wall_us_per_move"`
		ProcessorPerMove    float64 `json:"processor_us_per_move"`
		PeakMiB             float64 `json:"peak_mib"`
		Ranking             []struct {
			Name   string  `json:"name"`
			Rank   int     `json:"rank"`
			Points float64 `json:"points"`
		} `json:"ranking"`
	} `json:"extra"`
}

// summary returns summary.json; nil while there is none.
func (r *reportRun) summary() *summary {
	b, err := os.ReadFile(filepath.Join(r.dir, "summary.json"))
	var sum summary
	if err != nil || json.Unmarshal(b, &sum) != nil || !r.open.over() {
		return nil
	}
	if sum.Extra != nil { // whose ranking is empty if an older program wrote it
		for _, x := range sum.Extra.Ranking {
			r.config.Ranking = append(r.config.Ranking, report.Rank{Name: x.Name, Rank: x.Rank, Points: x.Points})
		}
	}
	r.config.Totals = map[string]float64{}
	for _, e := range sum.Engines {
		r.config.Totals[e.Name] = e.Score
	}
	return &sum
}

func (r *reportRun) facts(set settings, sum *summary) []report.Fact {
	var out []report.Fact
	add := func(name string, value any) {
		if text := strings.TrimSpace(fmt.Sprint(value)); text != "" && value != nil {
			out = append(out, report.Fact{Name: name, Value: text})
		}
	}
	add("game", r.rules.Spec())
	shown := []string{"game", "engine", "engines", "each", run.KeySecret, run.KeyVersion, run.KeyFolder}
	add("each", shownWords(engineWords(set["each"])))
	for _, key := range []string{
		"format", "games", "rounds", "repeat", "openings", "points", "sprt", "draw", "resign", "max-moves", "illegal", "seeds", "concurrency",
	} {
		add(key, set[key])
		shown = append(shown, key)
	}
	for _, key := range slices.Sorted(maps.Keys(set)) {
		if slices.Contains(shown, key) {
			continue
		}
		switch v := set[key].(type) {
		case string, bool, int64, float64:
			add(key, v)
		}
	}
	if run := r.open.run; run != nil {
		add("program", run.Program)
		add("commitment to the secret", run.Commitment)
	}
	if r.open.over() {
		add("secret", set[run.KeySecret])
	}
	if sum != nil && sum.Extra != nil {
		x := sum.Extra
		add("time of the run", time.Duration(sum.Seconds*float64(time.Second)).Round(time.Millisecond))
		add("time for each move", fmt.Sprintf("%g µs, %g µs of them Kibitz's own processor time", x.WallPerMove, x.ProcessorPerMove))
		add("memory of Kibitz", fmt.Sprintf("%g MiB at most", x.PeakMiB))
		add("transmission error", fmt.Sprintf("%g µs mean, %g µs worst", x.TransmissionMeanUS, x.TransmissionWorstUS))
	}
	add("report made on", fmt.Sprintf("%s/%s, %s%s, kibitz %s",
		runtime.GOOS, runtime.GOARCH, plain.Count(runtime.NumCPU(), "processor"), Processor(), r.program))
	return out
}

// Processor names the processor where the system tells.
func Processor() string {
	b, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(b)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return " (" + strings.TrimSpace(value) + ")"
		}
	}
	return ""
}

// positions plays a finished game through: one position for the start and for each turn.
func (r *reportRun) positions(g *journal.Game) ([]report.Position, error) {
	s, err := rules.Start(r.rules, g.Start.Position)
	if err != nil {
		return nil, err
	}
	out := []report.Position{{View: s.View(game.Arbiter), By: game.Nobody}}
	for _, turn := range report.Turns(g.Steps) {
		var texts []string
		for i := range turn {
			for _, m := range turn[i].Steps {
				if _, err := s.Apply(m, nil); err != nil {
					return out, nil //nolint:nilerr // what stands before it can be shown
				}
				if m.Op == game.Deal {
					continue
				}
				text := r.rules.FormatMove(m)
				if turn[i].Refused {
					text += "?"
				}
				texts = append(texts, text)
			}
		}
		out = append(out, report.Position{View: s.View(game.Arbiter), Move: strings.Join(texts, " "), By: turn[0].By})
	}
	return out, nil
}
