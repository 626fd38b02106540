package words

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// term is what a thing is called in a language, see terms/en.json: that thing has one word on all
// pages.
type term struct {
	Word string `json:"word"`
	// Forms is a regular expression of its forms. Where there is one, a translation of a text
	// that has the thing in English has it too.
	Forms string `json:"forms"`
	// Never are the beginnings of words that are not used for it.
	Never []string `json:"never"`
}

// texts are all texts of a language by their keys, without what is put in; forms by number stand
// behind one another.
func (c *Catalogue) plain() map[string]string {
	put := regexp.MustCompile(`\{\w+\}`)
	out := map[string]string{}
	for key, x := range c.texts {
		s := x.one
		for _, form := range x.forms {
			s += " " + form
		}
		out[key] = put.ReplaceAllString(s, "…")
	}
	return out
}

// lessons adds the texts of rules and lessons.
func lessons(t *testing.T, lang string, texts map[string]string) {
	t.Helper()
	list, err := filepath.Glob("../../learn/games/*/" + lang + ".toml")
	if err != nil || len(list) < 5 {
		t.Fatalf("%d lessons in %s: %v", len(list), lang, err)
	}
	for _, name := range list {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(data)
	}
}

func whole(t *testing.T, lang, form string) *regexp.Regexp {
	t.Helper()
	if strings.HasPrefix(lang, "zh") {
		return regexp.MustCompile(form)
	}
	return regexp.MustCompile(`(?i)(?:^|[^\pL])(?:` + form + `)`)
}

// A thing has one name in a language, everywhere.
func TestTerms(t *testing.T) {
	s := open(t)
	english := s.list[0].plain()
	var first map[string]term
	for _, c := range s.list {
		data, err := os.ReadFile("terms/" + c.ID + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var terms map[string]term
		if err := json.Unmarshal(data, &terms); err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
		if first == nil {
			first = terms
		}
		if len(terms) != len(first) || len(terms) < 20 {
			t.Errorf("%s has %d terms, English %d", c.ID, len(terms), len(first))
		}
		texts := c.plain()
		lessons(t, c.ID, texts)
		for thing, x := range terms {
			origin, ok := first[thing]
			if !ok || x.Word == "" || len(x.Never) == 0 {
				t.Errorf("%s: %s: want a word, and others that are not used, for each thing of the English terms", c.ID, thing)
				continue
			}
			used, word := false, whole(t, c.ID, regexp.QuoteMeta(x.Word))
			for _, text := range texts {
				used = used || word.MatchString(text)
			}
			if !used {
				t.Errorf("%s: no text has %q", c.ID, x.Word)
			}
			for _, n := range x.Never {
				never := whole(t, c.ID, regexp.QuoteMeta(n))
				for key, text := range texts {
					if never.MatchString(text) {
						t.Errorf("%s: %s has %q: the word for it is %q", c.ID, key, never.FindString(text), x.Word)
					}
				}
			}
			if origin.Forms == "" {
				continue
			}
			there, here := whole(t, "en", `(?:`+origin.Forms+`)(?:[^\pL]|$)`), whole(t, c.ID, x.Forms)
			for key, text := range english {
				if there.MatchString(text) && !here.MatchString(texts[key]) {
					t.Errorf("%s: %s does not have %q, which the English text has: %s", c.ID, key, x.Word, texts[key])
				}
			}
		}
	}
}

// forAdministrators are the groups of texts that only those who run a hall read.
func forAdministrators(key string) bool {
	return strings.HasPrefix(key, "admin.") || strings.HasPrefix(key, "console.")
}

// Texts have no words of command lines or programs, no forms that stand for two, and the marks of
// their language.
func TestPlain(t *testing.T) {
	program := regexp.MustCompile(`\b(?:tc|st|bot|cmd|proto|elo0|elo1)=|[0-9a-f]{16}|--\w|\w_\w|\b(?:HTTP|JSON|null|undefined|stdin|stderr)\b`)
	either := regexp.MustCompile(`\pL\(\pL{1,3}\)`)
	marks := regexp.MustCompile(`\p{Han}[,;:?!.]|[,;:?!]\p{Han}|\p{Han} \p{Han}`)
	const traditional = "這個來對後時說還過為會與動開關裡廢當讓請從無應點數強結觀戰盤員錄擇類圖單雙報險"
	const simplified = "这个来对时说还过为会与动开关废当让请从无应点数强结观战盘员录择类图单双报险"
	wrong := map[string]string{"zh-Hant": simplified, "zh-Hans": traditional}
	for _, c := range open(t).list {
		for key, text := range c.plain() {
			if !forAdministrators(key) && program.MatchString(text) {
				t.Errorf("%s: %s has a word of programs: %s", c.ID, key, text)
			}
			if either.MatchString(text) {
				t.Errorf("%s: %s stands for two forms: %s", c.ID, key, text)
			}
			if strings.HasPrefix(c.ID, "zh") && marks.MatchString(text) {
				t.Errorf("%s: %s has marks or blanks of another script: %s", c.ID, key, text)
			}
			if strings.ContainsAny(text, wrong[c.ID]) {
				t.Errorf("%s: %s has characters of the other Chinese: %s", c.ID, key, text)
			}
			if strings.Contains(text, "!") && strings.IndexFunc(text, unicode.IsLetter) >= 0 && key != "console.about" {
				t.Errorf("%s: %s shouts: %s", c.ID, key, text)
			}
		}
	}
}
