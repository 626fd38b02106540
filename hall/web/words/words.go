// Package words holds the texts of pages and boards in each language, and writes
// numbers and dates as the language does. A text has a key, "group.name"; the files
// below lang are the catalogues, one for each language, with the same keys.
package words

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"

	"kibitz/game"
)

//go:embed lang/*.json
var files embed.FS

// languages are those that there are catalogues for: the explicit list, the first one
// for whoever wants none of them. Each is called what its readers call it.
func languages() []Language {
	return []Language{{"en", "English"}, {"zh-Hant", "繁體中文"}, {"zh-Hans", "简体中文"}, {"cs", "Čeština"}, {"es", "Español"}}
}

// Language is a language that pages can be read in.
type Language struct {
	// ID is a BCP 47 tag.
	ID, Name string
}

// Set are all catalogues. It never changes.
type Set struct {
	list    []*Catalogue
	matcher language.Matcher
}

// Catalogue are the texts of one language.
type Catalogue struct {
	Language
	tag     language.Tag
	printer *message.Printer
	texts   map[string]text
}

// text has one form, or one for each plural category of the language.
type text struct {
	one   string
	forms map[plural.Form]string
}

// Open reads the catalogues, all at a time: a hall waits for them when it starts. It fails if
// one cannot be read.
func Open() (*Set, error) {
	list := languages()
	s := &Set{list: make([]*Catalogue, len(list))}
	errs := make([]error, len(list))
	var all sync.WaitGroup
	for i, l := range list {
		all.Go(func() {
			data, err := fs.ReadFile(files, "lang/"+l.ID+".json")
			if err == nil {
				s.list[i], err = read(l, data)
			}
			if err != nil {
				errs[i] = fmt.Errorf("lang/%s.json: %w", l.ID, err)
			}
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	tags := make([]language.Tag, len(list))
	for i, c := range s.list {
		tags[i] = c.tag
	}
	s.matcher = language.NewMatcher(tags)
	return s, nil
}

// read makes a catalogue of its file: an object of groups, each an object of texts; a
// text is a string, or an object of forms by plural category.
func read(l Language, data []byte) (*Catalogue, error) {
	tag, err := language.Parse(l.ID)
	if err != nil {
		return nil, err
	}
	c := &Catalogue{Language: l, tag: tag, printer: message.NewPrinter(tag), texts: map[string]text{}}
	var groups map[string]map[string]json.RawMessage
	if err := json.Unmarshal(data, &groups); err != nil {
		return nil, err
	}
	for group, list := range groups {
		for name, raw := range list {
			t, err := readText(raw)
			if err != nil {
				return nil, fmt.Errorf("%s.%s: %w", group, name, err)
			}
			c.texts[group+"."+name] = t
		}
	}
	return c, nil
}

func readText(raw json.RawMessage) (t text, err error) {
	if json.Unmarshal(raw, &t.one) == nil {
		return t, nil
	}
	var forms map[string]string
	if err := json.Unmarshal(raw, &forms); err != nil {
		return t, fmt.Errorf("want a text, or one for each plural form: %w", err)
	}
	t.forms = map[plural.Form]string{}
	for name, s := range forms {
		f, ok := categories()[name]
		if !ok {
			return t, fmt.Errorf("no plural form is called %q", name)
		}
		t.forms[f] = s
	}
	if _, ok := t.forms[plural.Other]; !ok {
		return t, fmt.Errorf("the form %q is missing", "other")
	}
	return t, nil
}

func categories() map[string]plural.Form {
	return map[string]plural.Form{
		"zero": plural.Zero, "one": plural.One, "two": plural.Two, "few": plural.Few, "many": plural.Many,
		"other": plural.Other,
	}
}

// Languages are those that there are catalogues for.
func (s *Set) Languages() []Language { return languages() }

// Choose returns the catalogue that a reader wants: the one whose ID was chosen, else
// the best for what a browser accepts, else the first.
func (s *Set) Choose(chosen, accept string) *Catalogue {
	for _, c := range s.list {
		if c.ID == chosen {
			return c
		}
	}
	tags, _, err := language.ParseAcceptLanguage(accept)
	if err != nil || len(tags) == 0 {
		return s.list[0]
	}
	_, i, _ := s.matcher.Match(tags...)
	return s.list[i]
}

// Has reports whether there is a text for a key.
func (c *Catalogue) Has(key string) bool { _, ok := c.texts[key]; return ok }

// Keys returns the number of texts and calls fn for each, in no order.
func (c *Catalogue) Keys(fn func(key string)) int {
	for key := range c.texts {
		fn(key)
	}
	return len(c.texts)
}

// Text returns a text. put are names and values that stand in it as {name}; the number
// that is called n chooses the plural form. A key that does not exist is its own text.
func (c *Catalogue) Text(key string, put ...any) string {
	t, ok := c.texts[key]
	if !ok {
		return key
	}
	s := t.one
	if t.forms != nil {
		s = c.form(t, put)
	}
	if len(put) == 0 {
		return s
	}
	var pairs []string
	for i := 0; i+1 < len(put); i += 2 {
		value := put[i+1]
		switch v := value.(type) {
		case int:
			value = c.Number(float64(v), 0)
		case string:
			value = Isolated(v)
		}
		pairs = append(pairs, fmt.Sprintf("{%v}", put[i]), fmt.Sprint(value))
	}
	return strings.NewReplacer(pairs...).Replace(s)
}

// Isolated is a text that stands within another one, such as a name in a sentence: if it
// could be written from right to left, marks keep it from turning what is around it.
// Pages put names that stand alone into bdi.
func Isolated(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return rightToLeft(r) || game.TurnsText(r) }) < 0 {
		return text
	}
	return "\u2068" + strings.Map(func(r rune) rune {
		if game.TurnsText(r) {
			return -1
		}
		return r
	}, text) + "\u2069"
}

// rightToLeft reports whether a character lies in the parts of Unicode that are written from
// right to left, see DerivedBidiClass.txt.
func rightToLeft(r rune) bool {
	return r >= 0x590 && r < 0x900 || r == 0x200f || r >= 0xfb1d && r < 0xfe00 || r >= 0xfe70 && r < 0xff00 || r >= 0x10800 && r < 0x11000 ||
		r >= 0x1e800 && r < 0x1f000
}

func (c *Catalogue) form(t text, put []any) string {
	for i := 0; i+1 < len(put); i += 2 {
		n, ok := put[i+1].(int)
		if !ok || put[i] != "n" {
			continue
		}
		if s, ok := t.forms[plural.Cardinal.MatchPlural(c.tag, max(n, -n), 0, 0, 0, 0)]; ok {
			return s
		}
	}
	return t.forms[plural.Other]
}

// Group returns the texts of a group that scripts need, by their names.
func (c *Catalogue) Group(group string) map[string]string {
	out := map[string]string{}
	for key, t := range c.texts {
		if name, ok := strings.CutPrefix(key, group+"."); ok && t.forms == nil {
			out[name] = t.one
		}
	}
	return out
}

// Number writes a number with at most so many decimals.
func (c *Catalogue) Number(x float64, decimals int) string {
	return c.printer.Sprint(number.Decimal(x, number.MaxFractionDigits(decimals)))
}

// Percent writes a share as a percentage.
func (c *Catalogue) Percent(x float64) string {
	return c.printer.Sprint(number.Percent(x, number.MaxFractionDigits(1)))
}

// Date writes a day, in UTC.
func (c *Catalogue) Date(t time.Time) string {
	t = t.UTC()
	months := strings.Split(c.Text("time.months"), "|")
	month := ""
	if n := int(t.Month()); n <= len(months) {
		month = months[n-1]
	}
	return strings.NewReplacer("{d}", fmt.Sprint(t.Day()), "{m}", month, "{y}", fmt.Sprint(t.Year())).Replace(c.Text("time.date"))
}

// Moment writes a day with the time, in UTC.
func (c *Catalogue) Moment(t time.Time) string {
	return c.Date(t) + t.UTC().Format(" 15:04")
}
