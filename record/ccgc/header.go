package ccgc

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"kibitz/game"
	"kibitz/record"
)

// Words that stand for the result.
const (
	firstWins  = "先手胜"
	secondWins = "后手胜"
	drawn      = "和棋"
	unfinished = "未结束"
)

// Words that templates put before the names of the teams.
var roles = [2]string{"先手参赛队", "后手参赛队"}

// readHeader reads the fields before the moves.
func readHeader(c *cursor, g *record.Game) (*form, error) {
	c.skip(1) // # ( {
	fields, loose := readFields(c)
	if len(fields) == 0 {
		return nil, c.errorf("the header has no field with a code: it must be like #[AM][first][second][result][date place][event];")
	}
	f := formOf(fields[0])
	if f == nil {
		return nil, c.errorf("%q is no code of a game: AM, NG, PG, C6 and C5 are known", game.Shown(fields[0], 24))
	}
	if len(fields) < 3 {
		return nil, c.errorf("the header names no teams: it must be like %s[%s][first][second][result][date place][event];", f.open, f.code)
	}
	g.Names = names(f, fields[1], fields[2])
	if len(fields) > 3 {
		var known bool
		if g.Result, known = readResult(fields[3]); !known {
			g.Warnings = append(g.Warnings, fmt.Sprintf("line %d: the result %q says no winner", g.Line, game.Shown(fields[3], 24)))
		}
	}
	rest := fields[min(4, len(fields)):]
	if loose != "" {
		rest = append([]string{loose}, rest...)
	}
	switch len(rest) {
	case 0:
	case 1:
		if g.Date, g.Place = splitDate(rest[0]); g.Date == "" && loose == "" {
			g.Place, g.Event = "", rest[0]
		}
	case 2:
		g.Date, g.Place = splitDate(rest[0])
		readEvent(g, rest[1])
	default: // date and place in fields of their own
		g.Date, g.Place = splitDate(rest[0] + " " + rest[1])
		readEvent(g, strings.Join(rest[2:], " "))
	}
	return f, nil
}

// readFields reads bracketed fields up to the first thing that is neither one nor
// a date without brackets, and that date.
func readFields(c *cursor) (fields []string, loose string) {
	for {
		for !c.done() && (c.text[c.at] == ' ' || c.text[c.at] == '\t') {
			c.skip(1)
		}
		rest := c.rest()
		shut := ""
		switch {
		case strings.HasPrefix(rest, "["):
			shut = "]"
		case strings.HasPrefix(rest, "{") && len(fields) == 0:
			shut = "}"
		case strings.HasPrefix(rest, "【"):
			shut = "】"
		}
		if shut == "" {
			if end := strings.IndexAny(rest, ";；\r\n"); end > 0 && dated().MatchString(rest[:end]) {
				loose = strings.TrimSpace(rest[:end])
				c.skip(end)
			}
			return fields, loose
		}
		open := 1
		if shut == "】" {
			open = len("【")
		}
		end := strings.Index(rest[open:], shut)
		if end < 0 || len(fields) == 8 {
			return fields, loose
		}
		fields = append(fields, strings.Join(strings.Fields(strings.Map(blank, rest[open:open+end])), " "))
		c.skip(open + end + len(shut))
	}
}

// names undoes what templates and forms put around the names.
func names(f *form, first, second string) [2]string {
	out := [2]string{first, second}
	if f.suffix {
		a, okA := strings.CutSuffix(first, "B")
		b, okB := strings.CutSuffix(second, "W")
		if okA && okB && (a == "" || b == "" || strings.HasSuffix(a, " ") && strings.HasSuffix(b, " ")) {
			out = [2]string{strings.TrimSpace(a), strings.TrimSpace(b)}
		}
	}
	for i, role := range roles {
		for {
			rest, ok := strings.CutPrefix(out[i], role)
			rest = strings.TrimSpace(rest)
			if !ok || rest == "" {
				break
			}
			out[i] = rest
		}
	}
	return out
}

// readResult reads the word of a result; known is false for one that says nothing.
func readResult(text string) (r *game.Result, known bool) {
	t := strings.ToLower(strings.ReplaceAll(text, " ", ""))
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(t, w) })
	}
	first := has("先手胜", "先胜", "先手方胜", "黑胜", "黑方胜", "黑棋胜", "后手负", "first", "black")
	second := has("后手胜", "后胜", "后手方胜", "白胜", "白方胜", "白棋胜", "先手负", "second", "white")
	switch {
	case t == "" || has("未结束", "未完", "中止"):
		return nil, true
	case has("和棋", "和局", "平局", "平手", "draw") || t == "和" || t == "平":
		d := game.Drawn("", "")
		return &d, true
	case first == second, has("/", "(", "（", "／", "或"): // a template that nobody filled in
		return nil, false
	}
	win := game.Win(game.Second, "", "")
	if first {
		win = game.Win(game.First, "", "")
	}
	return &win, true
}

// resultWord writes what readResult reads.
func resultWord(r *game.Result) string {
	switch {
	case r == nil:
		return unfinished
	case r.Winner() == game.First:
		return firstWins
	case r.Winner() == game.Second:
		return secondWins
	case r.Draw():
		return drawn
	}
	return unfinished
}

// dated matches what begins with a date, perhaps a time, and a place.
var dated = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\d{4})\s*[-./年]\s*(\d{1,2})\s*[-./月]\s*(\d{1,2})\s*日?(?:[\sT.]*(\d{1,2})\s*[:：时]\s*(\d{1,2})(?:\s*[:：分]\s*(\d{1,2}))?\s*[分秒]?)?\s*(.*)$`)
})

// splitDate splits "2024.07.01 14:00 place" into a date as records have it and the
// rest. A text that begins with no date is all place.
func splitDate(text string) (date, place string) {
	text = strings.Map(blank, text)
	m := dated().FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return "", strings.TrimSpace(text)
	}
	// Groups are digits, or empty for 0.
	n := func(i int) int { v, _ := strconv.Atoi(m[i]); return v }
	date = fmt.Sprintf("%s-%02d-%02d", m[1], n(2), n(3))
	switch {
	case m[6] != "":
		date += fmt.Sprintf(" %02d:%02d:%02d", n(4), n(5), n(6))
	case m[4] != "":
		date += fmt.Sprintf(" %02d:%02d", n(4), n(5))
	}
	return date, strings.TrimSpace(m[7])
}

// joinDate writes what splitDate reads, to the minute.
func joinDate(date, place string) string {
	if m := dated().FindStringSubmatch(date); m != nil && m[7] == "" {
		at, _ := splitDate(date)
		date = strings.ReplaceAll(at[:10], "-", ".")
		if len(at) >= 16 {
			date += at[10:16]
		}
	}
	return strings.TrimSpace(date + " " + place)
}

// appendHeader writes the fields before the moves.
func appendHeader(dst []byte, f *form, g *record.Game) []byte {
	first, second := field(g.Names[0]), field(g.Names[1])
	if f.suffix {
		first, second = strings.TrimSpace(first+" B"), strings.TrimSpace(second+" W")
	}
	return fmt.Appendf(dst, "%s[%s][%s][%s][%s][%s][%s];", f.open, f.code, first, second, resultWord(g.Result),
		field(joinDate(g.Date, g.Place)), event(g))
}

// ruled begins what a person ruled, behind the name of the event: no field is free for it.
const ruled = "# "

// event is the field of the event.
func event(g *record.Game) string {
	if ruling := g.Ruling(); ruling != "" {
		return field(g.Event + " " + ruled + ruling)
	}
	return field(g.Event)
}

// readEvent takes the field of the event.
func readEvent(g *record.Game, text string) {
	g.Event = text
	if name, ruling, ok := strings.Cut(text, ruled); ok && g.ReadRuling(ruling) {
		g.Event = strings.TrimSpace(name)
	}
}

// field makes a text fit for a field.
func field(s string) string {
	s = strings.ToValidUTF8(s, "?")
	s = strings.Map(func(r rune) rune {
		switch r {
		case '[', '【':
			return '('
		case ']', '】':
			return ')'
		}
		return blank(r)
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// blank returns a blank for what shows nothing, in texts that are read as in those
// that are written.
func blank(r rune) rune {
	if unicode.IsControl(r) || unicode.IsSpace(r) {
		return ' '
	}
	return r
}

// FileName returns the name that the championship gives to the file of a game:
// "AM-First B vs Second W-先手胜-2024.07.01 Place-Event.txt", without what file
// systems do not take. The error is that of a game without a form.
func FileName(g *record.Game) (string, error) {
	f, err := formFor(g.Spec)
	if err != nil {
		return "", err
	}
	day := joinDate(g.Date, "")
	if len(day) >= 10 && dated().MatchString(day) {
		day = day[:10]
	}
	when := strings.TrimSpace(day + " " + g.Place)
	name := fmt.Sprintf("%s-%s B vs %s W-%s-%s-%s", f.code, part(g.Names[0]), part(g.Names[1]), resultWord(g.Result), part(when),
		part(g.Event))
	return name + ".txt", nil
}

// maxPart is the most bytes of one part of a file name: names end at 255 bytes.
const maxPart = 48

// part makes a text fit for a part of a file name.
func part(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`\/:*?"<>|`, r) {
			return '_'
		}
		return r
	}, field(s))
	for len(s) > maxPart {
		r := []rune(s)
		s = string(r[:len(r)-1])
	}
	return strings.Trim(s, ". ")
}
