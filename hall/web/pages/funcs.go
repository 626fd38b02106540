package pages

import (
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"kibitz/game/look"
	"kibitz/hall/web/words"
)

// funcs are what templates call, in one language.
func (p *Pages) funcs(c *words.Catalogue) template.FuncMap {
	return template.FuncMap{
		"t":          c.Text,
		"word":       func(group, name string) string { return word(c, group, name) },
		"why":        func(name string) string { return word(c, "board", "why."+name) },
		"movename":   func(name string) string { return moveName(c, name) },
		"note":       func(text string) string { return noteText(c, text) },
		"num":        func(n any) string { return number(c, n, 0) },
		"num1":       func(n any) string { return number(c, n, 1) },
		"num2":       func(n any) string { return number(c, n, 2) },
		"half":       func(x float64) string { return halves(c, x) },
		"counts":     counts,
		"pct":        c.Percent,
		"game":       func(spec string) string { return GameName(c, spec) },
		"day":        func(t time.Time) template.HTML { return moment(t, c.Date(t), "day") },
		"moment":     func(t time.Time) template.HTML { return moment(t, c.Moment(t), "moment") },
		"seconds":    func(s float64) string { return c.Text("time.seconds", "s", c.Number(s, 1)) },
		"dict":       dict,
		"asset":      p.assets.Asset,
		"inline":     p.inline,
		"words":      func(groups ...string) (template.JS, error) { return scriptWords(c, groups) },
		"typedclock": func(text string) string { return TypedClock(c, text) },
		"kind":       kindOf,
		"gains":      Gains,
		"tiebreaks":  TieBreaks,
		"shortclock": func(text string) string { return ShortClock(c, text) },
		"clock":      func(text string) string { return ClockName(c, text) },
		"add":        func(a, b int) int { return a + b },
		"named":      func(name, spec string) string { return RoomName(c, name, spec) },
		"points":     func(x [2]float64) string { return c.Number(x[0], 1) + " : " + c.Number(x[1], 1) },
		"icon":       func() template.URL { return Icon },
		"kinds":      p.Kinds,
		"level":      func(n int) string { return Called(c, look.LevelName(n)) },
		"character":  func(n int) string { return Character(c, n) },
		"says":       func(s Sheet) string { return s.Says(c) },
		"line":       func(t Tile) string { return t.Line(c) },
		"groups": func(s Sheet) map[string][]Group {
			list, rest := s.Groups(c)
			return map[string][]Group{"list": list, "rest": rest}
		},
		"qr":          func(text string) (template.HTML, error) { return qrCode(text, c.Text("challenge.qr")) },
		"asked":       func(d Challenge) string { return d.Says(c, p.game(kindOf(d.Spec))) },
		"number":      func(n int) string { return numberWord(c, n) },
		"levels":      Levels,
		"speeds":      Speeds,
		"boards":      boards,
		"sets":        sets,
		"ways":        ways,
		"targets":     targets,
		"roomchoices": func(spec string) []Group { return roomChoices(c, p.game(kindOf(spec)), spec) },
		"previews":    func() []string { return p.idsOf(func(g look.Game) bool { return g.Sample != nil }) },
		"presets":     p.presets,
		"tile":        p.tile,
		"frame":       p.frame,
		"tabtitle":    func(g GameLine, seat int) string { return TabTitle(c, g, seat) },
		"signed":      func(x float64) string { return signed(c, x) },
		"volumes":     volumes,
		"ended":       func(g GameLine, seat int) string { return Ended(c, g, seat) },
		"themes":      themes,
		"formats":     Formats,
		"joinline":    joinLine,
		"outcomes":    func() []string { return []string{"win", "draw", "loss"} },
		"begins":      func() []string { return []string{"first", "second", "random"} },
		"phrases":     phrases,
		"said":        func(text string) string { return said(c, text) },
		"accesses":    func() []string { return []string{"listed", "private", "invitation"} },
		"chats":       func() []string { return []string{"open", "players", "off"} },
		"roles":       func() []string { return []string{"player", "arbiter", "admin"} },
		"adminparts":  func() []string { return []string{"users", "engines", "workers", "audit"} },
		"pauses":      func() []int { return []int{0, 3, 5, 10} },
		"watching":    func(nav string) bool { return slices.Contains([]string{"watch", "games", "players", "engines"}, nav) },
		"clocklist":   func() []string { return []string{"60", "60+1", "180+2", "300+3", "600+5", "1800+10", "inf"} },
		"newengine":   func() Engine { return Engine{Enabled: true} },
		"with_":       func(x *Page, data any) *Page { y := *x; y.Data = data; return &y },
	}
}

// presets are the specifications that a form offers beside the games themselves.
func (p *Pages) presets() []string {
	var out []string
	for _, g := range p.games {
		out = append(out, g.Presets...)
	}
	return out
}

// tile is the picture of a game where games are chosen.
func (p *Pages) tile(id string) template.HTML {
	return template.HTML(`<svg class="tile-art" viewBox="0 0 100 100" aria-hidden="true">` + p.game(id).Look.Tile.SVG() + `</svg>`) //nolint:gosec // built in
}

// inline is a style as a part of the page.
func (p *Pages) inline(name string) (template.HTML, error) {
	text, err := p.assets.Text(name)
	return template.HTML("<style>" + text + "</style>"), err //nolint:gosec // built in
}

// frame are the classes by which style sheets know the board of a game before it is drawn.
func (p *Pages) frame(id string) string {
	g := p.game(id)
	return g.Classes()
}

// phrases are what is said in a chat by one press, each reader reads it in his language: the texts of
// the group "phrase".
func phrases() []string { return []string{"hello", "luck", "well", "thanks", "game", "leave"} }

// said is a line of a chat as its reader reads it: "/hello" is a phrase.
func said(c *words.Catalogue, text string) string {
	if name, ok := strings.CutPrefix(text, "/"); ok && slices.Contains(phrases(), name) {
		return word(c, "phrase", name)
	}
	return text
}

// word is the text of a word that the hall has, or the word itself where there is none.
func word(c *words.Catalogue, group, name string) string {
	if c.Has(group + "." + name) {
		return c.Text(group + "." + name)
	}
	return name
}

// moveName is what a move is called in a list, by its usual name: one to no place of the board in the
// reader's language.
func moveName(c *words.Catalogue, name string) string {
	switch name {
	case "pass", "stay", "swap", "two":
		return c.Text("script." + name)
	}
	return name
}

// ProblemText says in the reader's language what happened, in one sentence, and after it what
// stays and what to do. code is that of a problem.
func ProblemText(c *words.Catalogue, code string) (happened, next string) {
	switch {
	case code == "login": // it is also that of a wrong password, which a form says
		code = "account"
	case !c.Has("problem." + code):
		code = "fault"
	}
	text := c.Text("problem." + code)
	i := strings.IndexAny(text, ".。") // every text is whole sentences
	if i < 0 {
		return text, ""
	}
	return text[:i], strings.TrimSpace(strings.TrimLeft(text[i:], ".。"))
}

// WhenAgain says when a request may be sent again, of the seconds that Retry-After has; empty for
// what is no number.
func WhenAgain(c *words.Catalogue, seconds string) string {
	n, err := strconv.Atoi(seconds)
	switch {
	case err != nil:
		return ""
	case n > 90:
		return c.Text("error.minutes", "n", (n+59)/60)
	}
	return c.Text("error.seconds", "n", n)
}

// Bytes is a number of bytes as people say it: "16 MiB", "64 KiB".
func Bytes(c *words.Catalogue, n int64) string {
	switch {
	case n >= 1<<20:
		return c.Number(float64(n)/(1<<20), 1) + "\u00a0MiB"
	case n >= 1<<10:
		return c.Number(float64(n)/(1<<10), 1) + "\u00a0KiB"
	}
	return c.Number(float64(n), 0) + "\u00a0B"
}

// noteText is the note of a game: what the hall writes itself in the reader's language,
// what a person has written as it is.
func noteText(c *words.Catalogue, text string) string {
	if name, ok := strings.CutPrefix(text, "imported by "); ok {
		return c.Text("viewer.imported", "name", name)
	}
	return text
}

// GameName is what a game is called, with its options if it has any.
func GameName(c *words.Catalogue, spec string) string {
	id, rest, _ := strings.Cut(spec, ":")
	name := word(c, "game", id)
	if rest == "" {
		return name
	}
	var list []string
	for o := range strings.SplitSeq(rest, ",") {
		key, value, named := strings.Cut(o, "=")
		switch {
		case !named:
			value = word(c, "option", key)
		case key == "size":
			if !strings.Contains(value, "x") {
				value += "×" + value
			}
			value = strings.Replace(value, "x", "×", 1)
		case c.Has("option." + value):
			value = c.Text("option." + value)
		default: // the lists of rules have it; a name would be too long with it
			continue
		}
		list = append(list, value)
	}
	if len(list) == 0 {
		return name
	}
	return c.Text("nav.aside", "name", name, "about", strings.Join(list, c.Text("nav.comma")))
}

// RoomName is what a room is called: its game, if nobody has given it a name.
func RoomName(c *words.Catalogue, name, spec string) string {
	if kindOf(name) == kindOf(spec) {
		return GameName(c, spec)
	}
	return name
}

// numberWord is a number at the beginning of a sentence: in letters where the language has it.
func numberWord(c *words.Catalogue, n int) string {
	if key := "number." + strconv.Itoa(n); c.Has(key) {
		return c.Text(key)
	}
	return number(c, n, 0)
}

func number(c *words.Catalogue, n any, decimals int) string {
	switch x := n.(type) {
	case int:
		return c.Number(float64(x), decimals)
	case int64:
		return c.Number(float64(x), decimals)
	case float64:
		return c.Number(x, decimals)
	}
	return fmt.Sprint(n)
}

// halves are points of games as players write them: 1½.
func halves(c *words.Catalogue, x float64) string {
	whole, rest := math.Modf(x)
	switch {
	case rest == 0:
		return c.Number(x, 0)
	case whole == 0:
		return "½"
	default:
		return c.Number(whole, 0) + "½"
	}
}

// moment is a time that scripts show in the reader's own zone.
func moment(t time.Time, text, form string) template.HTML {
	if t.IsZero() {
		return ""
	}
	return template.HTML(`<time datetime="` + t.UTC().Format(time.RFC3339) + `" data-form="` + form + `">` + template.HTMLEscapeString(text) + `</time>`) //nolint:gosec // all of it is escaped or made here
}

// ClockName says a time control in words where that is easy: minutes and seconds for
// the game, and seconds added for each move.
func ClockName(c *words.Catalogue, text string) string {
	if text == "inf" || text == "" {
		return c.Text("clock.none")
	}
	main, inc, adds := strings.Cut(text, "+")
	base, err := strconv.Atoi(main)
	if err != nil {
		return text
	}
	out := c.Text("clock.seconds", "n", base)
	if base%60 == 0 {
		out = c.Text("clock.minutes", "n", base/60)
	}
	if !adds {
		return out
	}
	if _, err := strconv.ParseFloat(inc, 64); err != nil {
		return text
	}
	return c.Text("clock.plus", "main", out, "s", inc)
}

// dict makes a map of names and values for a template within a template.
func dict(list ...any) (map[string]any, error) {
	out := map[string]any{}
	for i := 0; i+1 < len(list); i += 2 {
		name, ok := list[i].(string)
		if !ok {
			return nil, fmt.Errorf("dict: %v is no name", list[i])
		}
		out[name] = list[i+1]
	}
	return out, nil
}

// scriptWords are the texts that scripts of a page need, as JSON. A name behind a hyphen stands for
// texts of the group before it that the page does not need.
func scriptWords(c *words.Catalogue, groups []string) (template.JS, error) {
	out := map[string]map[string]string{}
	last := ""
	for _, g := range groups {
		if without, ok := strings.CutPrefix(g, "-"); ok {
			maps.DeleteFunc(out[last], func(key, _ string) bool { return strings.HasPrefix(key, without+".") })
			continue
		}
		out[g], last = c.Group(g), g
	}
	b, err := json.Marshal(out)
	return template.JS(b), err //nolint:gosec // JSON with < and > escaped, from catalogues that are built in
}

// counts lists whole numbers: "1 2 10 3 4".
func counts(n []float64) string { return strings.Trim(fmt.Sprint(n), "[]") }

// signed is a whole number with its sign.
func signed(c *words.Catalogue, x float64) string {
	if x < 0 {
		return "−" + c.Number(-x, 0)
	}
	return "+" + c.Number(x, 0)
}

// joinLine is the command by which an engine joins a room.
func joinLine(hall, room string) string {
	return "kibitz join " + hall + " --room " + room + " --engine 'cmd=./engine'"
}
