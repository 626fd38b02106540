package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"kibitz/catalog"
	"kibitz/run/engines"
)

// ccEngine is an engine of cutechess-cli.
type ccEngine struct {
	name, cmd, dir, proto string
	args, options         []string // options are "name=value"
	stderr                string
	restart               string
	tc                    ccControl
	margin, depth         int
	nodes                 int64
	scale                 float64
	ponder, whitePOV      bool
}

// ccControl is a time control; times are milliseconds.
type ccControl struct {
	infinite, hourglass           bool
	moves                         int
	perControl, increment, onMove int64
}

// ccEngineTable are the keys of an engine.
func ccEngineTable(e *ccEngine) []compatOption {
	return []compatOption{
		{"conf=", isHonoured, "an engine of engines.json, here or in the folder of cutechess's settings", func(p *compatArgs) error {
			v, err := p.one()
			if err != nil {
				return err
			}
			return e.configure(v)
		}},
		{"name=", isHonoured, "else the name of the executable", textInto(&e.name)},
		{"cmd=", isHonoured, "executable", textInto(&e.cmd)},
		{"dir=", isHonoured, "working folder, else that of the executable; a relative `cmd=` counts from here first", textInto(&e.dir)},
		{"arg=", isHonoured, "an argument of the engine; repeatable", func(p *compatArgs) error {
			e.args = append(e.args, p.words...)
			return nil
		}},
		{"initstr=", isRefused, "lines before the protocol begins are not sent; put the engine behind a script that sends them", nil},
		{"stderr=", isHonoured, "what the engine writes there, appended to the file", textInto(&e.stderr)},
		{"restart=", isHonoured, "`auto` `on` `off`", oneOf(func(v string) { e.restart = ccRestart(v) }, "auto", "on", "off")},
		{"trust", isIgnored, "results are the referee's; no claim of an engine is taken", nil},
		{"proto=", isHonoured, "a protocol of Kibitz for the game; `uci` and `xboard` are refused", textInto(&e.proto)},
		{"tc=", isHonoured, "`MOVES/TIME+INCREMENT`, `hgTIME`, `inf`", func(p *compatArgs) error {
			v, err := p.one()
			if err != nil {
				return err
			}
			return e.tc.parse(v)
		}},
		{"st=", isHonoured, "seconds for each move", func(p *compatArgs) error {
			err := timesInto(&e.tc.onMove, 1000)(p)
			if err == nil && e.tc.onMove == 0 {
				err = badVerdict("%s: must be more than 0", p.flag)
			}
			return err
		}},
		{"timemargin=", isHonoured, "milliseconds of grace, 0 if not given", into(&e.margin, 0)},
		{"book=", isRefused, "Polyglot books are for chess; use -openings", nil},
		{"bookdepth=", isIgnored, "it belongs to book=", nil},
		{"whitepov", isHonoured, "refused together with -draw and -resign, without meaning otherwise", given(&e.whitePOV)},
		{"ponder", isHonoured, "refused where the protocol has no word for it", given(&e.ponder)},
		{"depth=", isHonoured, "", into(&e.depth, 1)},
		{"nodes=", isHonoured, "", countInto(&e.nodes)},
		{"tscale=", isHonoured, "times the minute that an engine has to start", amountInto(&e.scale)},
		{"debug", isIgnored, "it belongs to UCI", nil},
		{"option.", isHonoured, "as the protocol hands on options", optionInto(&e.options)},
	}
}

// ccRestart is what restart= is here, empty for a word that cutechess-cli does not know.
func ccRestart(word string) string {
	return map[string]string{"auto": "auto", "on": "game", "off": "never"}[word]
}

// parse reads "moves/time+increment", time being seconds or minutes:seconds, with hg
// before it an hourglass.
func (c *ccControl) parse(v string) error {
	bad := func() error {
		return badVerdict("tc=%s: write MOVES/TIME+INCREMENT, for example 40/1:30+0.5, or hgTIME, or inf", v)
	}
	on := c.onMove
	*c = ccControl{onMove: on}
	if v == "inf" {
		c.infinite = true
		return nil
	}
	left, inc, _ := strings.Cut(v, "+")
	moves, span, slash := strings.Cut(left, "/")
	if !slash {
		moves, span = "0", left
	}
	var err error
	if c.moves, err = strconv.Atoi(moves); err != nil || c.moves < 0 {
		return bad()
	}
	span, c.hourglass = strings.CutPrefix(span, "hg")
	minutes, secs, colon := strings.Cut(span, ":")
	if !colon {
		minutes, secs = "0", span
	}
	if inc == "" {
		inc = "0"
	}
	var x [3]float64
	for i, s := range []string{minutes, secs, inc} {
		if x[i], err = parseAmount("tc", s); err != nil {
			return bad()
		}
	}
	c.perControl, c.increment = int64(x[0]*60000+x[1]*1000), int64(x[2]*1000)
	if c.perControl == 0 || c.hourglass && (c.increment > 0 || c.moves > 0) {
		return bad()
	}
	return nil
}

// given reports whether there is any clock.
func (c *ccControl) given() bool { return c.infinite || c.perControl > 0 || c.onMove > 0 }

// word is the control as a run takes it.
func (c *ccControl) word() engines.Word {
	secs := func(ms int64) string { return strconv.FormatFloat(float64(ms)/1000, 'f', -1, 64) }
	switch {
	case c.infinite:
		return engines.Word{Key: "tc", Value: "inf"}
	case c.onMove > 0:
		return engines.Word{Key: "st", Value: secs(c.onMove)}
	case c.hourglass:
		return engines.Word{Key: "hourglass", Value: secs(c.perControl)}
	}
	tc := secs(c.perControl)
	if c.moves > 0 {
		tc = strconv.Itoa(c.moves) + "/" + tc
	}
	if c.increment > 0 {
		tc += "+" + secs(c.increment)
	}
	return engines.Word{Key: "tc", Value: tc}
}

// String prints the control as cutechess-cli does.
func (c *ccControl) String() string {
	secs := func(ms int64) string { return strconv.FormatFloat(float64(ms)/1000, 'g', 6, 64) }
	switch {
	case c.infinite:
		return "inf"
	case c.onMove > 0:
		return secs(c.onMove) + "/move"
	}
	var b strings.Builder
	if c.hourglass {
		b.WriteString("hg")
	}
	if c.moves > 0 {
		fmt.Fprintf(&b, "%d/", c.moves)
	}
	b.WriteString(secs(c.perControl))
	if c.increment > 0 {
		b.WriteString("+" + secs(c.increment))
	}
	return b.String()
}

// check refuses an engine that cannot play.
func (e *ccEngine) check(o *ccOptions) error {
	switch {
	case !e.tc.given():
		return badVerdict("-engine: tc= or st= is missing")
	case e.tc.perControl > 0 && e.tc.onMove > 0:
		return badVerdict("-engine: tc= and st= exclude each other")
	case e.cmd == "":
		return badVerdict("-engine: cmd= is missing")
	case e.whitePOV && (o.draw != nil || o.resign != nil):
		return badVerdict("whitepov: Kibitz takes an engine's score as its own; leave -draw and -resign away")
	}
	id, _, _ := strings.Cut(o.game, ":")
	var known []string
	for _, p := range catalog.ProtocolsOf(id) {
		if e.proto == p.ID || e.proto == "" {
			return nil
		}
		known = append(known, p.ID)
	}
	return badVerdict("proto=%s: Kibitz plays %s over %s", e.proto, id, strings.Join(known, " and "))
}

// names are the names of the engines. fastchess gives no name twice.
func (o *ccOptions) names() []string {
	out, seen := make([]string, len(o.engines)), map[string]int{}
	for i := range o.engines {
		out[i] = o.engines[i].title()
		if o.fast == nil {
			continue
		}
		if o.engines[i].name == "" {
			out[i] = strings.TrimSuffix(out[i], filepath.Ext(out[i]))
		}
		if seen[out[i]]++; seen[out[i]] > 1 {
			out[i] += fmt.Sprintf("_%d", seen[out[i]])
		}
	}
	return out
}

// title is the name of the engine.
func (e *ccEngine) title() string {
	if e.name != "" {
		return printable(e.name)
	}
	return (&engineSpec{Cmd: []string{e.cmd}}).DefaultName()
}

// spec returns the engine as a run takes it.
func (e *ccEngine) spec(name string) engines.Words {
	cmd := e.cmd
	if e.dir != "" && strings.Contains(cmd, "/") && !filepath.IsAbs(cmd) {
		if inside := filepath.Join(e.dir, cmd); isFile(inside) {
			cmd = "./" + inside
			if filepath.IsAbs(inside) {
				cmd = inside
			}
		}
	}
	words := engines.Words{{Key: "cmd", Value: shellWords(append([]string{cmd}, e.args...))}, {Key: "name", Value: name}}
	add := func(key, value string, given bool) {
		if given {
			words = words.With(key, value)
		}
	}
	add("dir", e.dir, e.dir != "")
	add("proto", e.proto, e.proto != "")
	add("restart", e.restart, e.restart != "")
	add("depth", strconv.Itoa(e.depth), e.depth > 0)
	add("nodes", strconv.FormatInt(e.nodes, 10), e.nodes > 0)
	add("ponder", "1", e.ponder)
	words = append(words, e.tc.word())
	add("margin", strconv.FormatFloat(float64(e.margin)/1000, 'f', -1, 64), true)
	for _, x := range e.options {
		key, value, _ := strings.Cut(x, "=")
		words = words.With("option."+key, value)
	}
	return words
}

func isFile(name string) bool {
	st, err := os.Stat(name)
	return err == nil && st.Mode().IsRegular()
}

// ccConfig is an engine of engines.json.
type ccConfig struct {
	Name        string   `json:"name"`
	Command     string   `json:"command"`
	Dir         string   `json:"workingDirectory"`
	Stderr      string   `json:"stderrFile"`
	Protocol    string   `json:"protocol"`
	Scale       float64  `json:"timeoutScaleFactor"`
	InitStrings []string `json:"initStrings"`
	WhitePOV    bool     `json:"whitepov"`
	Ponder      bool     `json:"ponder"`
	Restart     string   `json:"restart"`
	Options     []struct {
		Name  string `json:"name"`
		Value any    `json:"value"`
	} `json:"options"`
}

// ccConfigs reads engines.json: that of this folder, else that of cutechess's
// settings.
func ccConfigs() ([]ccConfig, error) {
	name := "engines.json"
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		var dir string
		if dir, err = os.UserConfigDir(); err == nil {
			name = filepath.Join(dir, "cutechess", "engines.json")
			data, err = os.ReadFile(name)
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, asVerdict(err)
	}
	var list []ccConfig
	if err := json.Unmarshal(data, &list); err != nil {
		var at *json.SyntaxError
		if errors.As(err, &at) {
			return nil, badVerdict("%s: line %d: %v", name, 1+strings.Count(string(data[:at.Offset]), "\n"), err)
		}
		return nil, badVerdict("%s: %v", name, err)
	}
	return list, nil
}

// configure takes over an engine of engines.json.
func (e *ccEngine) configure(name string) error {
	list, err := ccConfigs()
	if err != nil {
		return err
	}
	for _, c := range list {
		if c.Name != name {
			continue
		}
		if len(c.InitStrings) > 0 {
			return badVerdict("conf=%s: initStrings: lines before the protocol begins are not sent", name)
		}
		*e = ccEngine{
			name: c.Name, cmd: c.Command, dir: c.Dir, stderr: c.Stderr, proto: c.Protocol, scale: c.Scale, whitePOV: c.WhitePOV, ponder: c.Ponder,
			restart: ccRestart(c.Restart), tc: e.tc, margin: e.margin,
		}
		for _, x := range c.Options {
			if x.Value != nil {
				e.options = append(e.options, fmt.Sprintf("%s=%v", x.Name, x.Value))
			}
		}
		return nil
	}
	return badVerdict("conf=%s: engines.json has no engine of that name", name)
}
