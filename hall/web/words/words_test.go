package words

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/feature/plural"
)

func open(t *testing.T) *Set {
	t.Helper()
	s, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Every language has every text, with the same things put in, in every plural form that
// the language has.
func TestWhole(t *testing.T) {
	s := open(t)
	put := regexp.MustCompile(`\{\w+\}`)
	first := s.list[0]
	names := func(x text) map[string]bool {
		out := map[string]bool{}
		for _, form := range append(slices.Collect(maps.Values(x.forms)), x.one) {
			for _, n := range put.FindAllString(form, -1) {
				out[n] = true
			}
		}
		return out
	}
	for _, c := range s.list {
		for key, x := range first.texts {
			mine, ok := c.texts[key]
			if !ok {
				t.Errorf("%s lacks %s", c.ID, key)
				continue
			}
			if !maps.Equal(names(x), names(mine)) && key != "time.date" {
				t.Errorf("%s: %s puts in %v, not %v", c.ID, key, names(mine), names(x))
			}
			if (x.forms == nil) != (mine.forms == nil) {
				t.Errorf("%s: %s counts in one language alone", c.ID, key)
			}
			if mine.forms == nil && strings.TrimSpace(mine.one) == "" {
				t.Errorf("%s: %s is empty", c.ID, key)
			}
			for n := range 200 {
				if f := plural.Cardinal.MatchPlural(c.tag, n, 0, 0, 0, 0); mine.forms != nil && mine.forms[f] == "" {
					t.Errorf("%s: %s has no form for %d", c.ID, key, n)
					break
				}
			}
		}
		for key := range c.texts {
			if !first.Has(key) {
				t.Errorf("%s has %s, which is not in %s", c.ID, key, first.ID)
			}
		}
		if n := len(strings.Split(c.Text("time.months"), "|")); n != 12 {
			t.Errorf("%s has %d months", c.ID, n)
		}
	}
}

// Translators are told where each text stands and how wide it may be, for its group or for itself; all
// languages keep to it. What is pressed in one row at 320 pixels has a width of its own.
func TestNotes(t *testing.T) {
	s := open(t)
	data, err := os.ReadFile("notes.json")
	if err != nil {
		t.Fatal(err)
	}
	var notes map[string]struct {
		Note string
		Most int
		Keys map[string]int
	}
	if err := json.Unmarshal(data, &notes); err != nil {
		t.Fatal(err)
	}
	groups := map[string]bool{}
	for _, c := range s.list {
		for key, x := range c.texts {
			group, name, _ := strings.Cut(key, ".")
			groups[group] = true
			n := notes[group]
			most := n.Most
			if own, ok := n.Keys[name]; ok {
				most = own
			}
			if len(strings.Fields(n.Note)) < 3 || most == 0 {
				t.Fatalf("nothing is noted of the group %s", group)
			}
			for _, form := range append(slices.Collect(maps.Values(x.forms)), x.one) {
				if w := widthOf(form); w > most {
					t.Errorf("%s: %s is %d wide, and may be %d: %s", c.ID, key, w, most, form)
				}
			}
		}
	}
	for group, n := range notes {
		if !groups[group] {
			t.Errorf("there is no group %s", group)
		}
		for name := range n.Keys {
			if !s.list[0].Has(group + "." + name) {
				t.Errorf("there is no text %s.%s", group, name)
			}
		}
	}
}

// widthOf is how wide a text is, in the width of a digit; what is put in counts as one.
func widthOf(text string) (n int) {
	for _, r := range regexp.MustCompile(`\{\w+\}`).ReplaceAllString(text, "-") {
		if n++; r >= 0x2e80 {
			n++
		}
	}
	return n
}

func TestChoose(t *testing.T) {
	s := open(t)
	for _, x := range []struct{ chosen, accept, want string }{
		{"", "", "en"},
		{"", "de", "en"},
		{"", "cs-CZ,cs;q=0.9,en;q=0.8", "cs"},
		{"", "es-MX", "es"},
		{"", "zh-TW", "zh-Hant"},
		{"", "zh-HK", "zh-Hant"},
		{"", "zh-CN", "zh-Hans"},
		{"", "zh", "zh-Hans"},
		{"", "zh-SG", "zh-Hans"},
		{"es", "cs", "es"},
		{"xx", "cs", "cs"},
		{"", "%%%", "en"},
		{"", "de, sk;q=0.5, zh-TW;q=0.4", "zh-Hant"},
	} {
		if got := s.Choose(x.chosen, x.accept).ID; got != x.want {
			t.Errorf("chosen %q, accepted %q: %s, want %s", x.chosen, x.accept, got, x.want)
		}
	}
}

func TestText(t *testing.T) {
	s := open(t)
	en, cs, es, hant := s.Choose("en", ""), s.Choose("cs", ""), s.Choose("es", ""), s.Choose("zh-Hant", "")
	when := time.Date(2026, 11, 5, 23, 30, 0, 0, time.UTC)
	for _, x := range []struct{ got, want string }{
		{en.Text("lobby.people", "n", 1), "1 person"},
		{en.Text("lobby.people", "n", 1234), "1,234 people"},
		{cs.Text("lobby.people", "n", 1), "1 člověk"},
		{cs.Text("lobby.people", "n", 3), "3 lidé"},
		{cs.Text("lobby.people", "n", 5), "5 lidí"},
		{es.Text("lobby.people", "n", 2), "2 personas"},
		{cs.Text("lobby.people", "n", -3), "-3 lidé"},
		{hant.Text("lobby.people", "n", 2), "2 人"},
		{en.Text("board.turn.theirs", "name", "{n}"), "{n} to move"},
		{en.Text("no.such"), "no.such"},
		{en.Number(1234.56, 1), "1,234.6"},
		{cs.Number(1234.5, 1), "1\u00a0234,5"},
		{es.Percent(0.125), "12,5\u00a0%"},
		{en.Date(when), "5 Nov 2026"},
		{cs.Date(when), "5. listopadu 2026"},
		{hant.Moment(when), "2026年11月5日 23:30"},
	} {
		if x.got != x.want {
			t.Errorf("%q, want %q", x.got, x.want)
		}
	}
}

func TestBroken(t *testing.T) {
	for name, data := range map[string]string{
		"no object": `[]`, "no text": `{"a":{"b":1}}`, "unknown form": `{"a":{"b":{"lots":"x","other":"y"}}}`, "no other": `{"a":{"b":{"one":"x"}}}`,
	} {
		if _, err := read(Language{ID: "en"}, []byte(data)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
