package learn

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

const page = "spec = \"x\"\n[[rule]]\nkey = \"r\"\npicture = {}\n[[step]]\nkey = \"s\"\nright = [\"a1\"]\n[step.wrong]\nb1 = \"w\"\n"

const texts = "[rule.r]\ntitle = \"T\"\ntext = \"\"\"\nOne\n\nTwo\"\"\"\npicture = \"P\"\n" +
	"[step.s]\ndo = \"D\"\nright = \"R\"\nother = \"O\"\nbarred = \"B\"\n[step.s.wrong]\nw = \"W\"\n"

func folder(files map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, data := range files {
		out["games/x/"+name] = &fstest.MapFile{Data: []byte(data)}
	}
	return out
}

// A text that is missing, and one that has no place, are called as in the file.
func TestMissing(t *testing.T) {
	for _, x := range []struct{ name, texts, want string }{
		{"whole", texts, ""},
		{"no sentence of a wrong line", strings.Replace(texts, "w = ", "v = ", 1), "step.s.wrong.v step.s.wrong.w"},
		{"no right", strings.Replace(texts, "right = \"R\"", "right = \" \"", 1), "step.s.right"},
		{"no picture", strings.Replace(texts, "picture = \"P\"\n", "", 1), "rule.r.picture"},
		{"another rule", texts + "[rule.q]\ntitle = \"T\"\n", "rule.q"},
		{"another step", texts + "[step.q]\ndo = \"T\"\n", "step.q"},
		{"a word without a meaning", texts + "[[word]]\nname = \"N\"\n", "text of option or word 1"},
	} {
		g, err := read(folder(map[string]string{"page.toml": page, "en.toml": x.texts}), "x")
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(g.Missing("en"), " "); got != x.want {
			t.Errorf("%s: %q, want %q", x.name, got, x.want)
		}
	}
	g, err := read(folder(map[string]string{"page.toml": page, "en.toml": texts}), "x")
	if err != nil {
		t.Fatal(err)
	}
	if got := g.Missing("cs"); !slices.Equal(got, []string{"cs.toml"}) {
		t.Errorf("%q", got)
	}
	if got := g.Texts["en"].Rules["r"].Paragraphs(); !slices.Equal(got, []string{"One", "Two"}) {
		t.Errorf("%q", got)
	}
}

// A key that is not known is told with its file.
func TestUnknown(t *testing.T) {
	_, err := read(folder(map[string]string{"page.toml": page + "rihgt = []\n"}), "x")
	if err == nil || !strings.Contains(fmt.Sprint(err), "games/x/page.toml") {
		t.Error(err)
	}
	if _, err := Read("none"); err == nil || !strings.HasPrefix(err.Error(), "none: ") {
		t.Error(err)
	}
}

// Every word that is not plain is explained once in the rules, in every language.
func TestExplained(t *testing.T) {
	for _, id := range IDs() {
		g, err := Read(id)
		if err != nil {
			t.Fatal(err)
		}
		for language, texts := range g.Texts {
			told := map[string]int{}
			for key, list := range g.Explained(language) {
				for i, passages := range list {
					whole := ""
					for _, x := range passages {
						if whole += x.Text; x.Word != nil {
							told[x.Word.Name]++
						}
					}
					if want := texts.Rules[key].Paragraphs()[i]; whole != want {
						t.Errorf("%s, %s: %q, want %q", id, language, whole, want)
					}
				}
			}
			for _, w := range texts.Words {
				if told[w.Name] != 1 {
					t.Errorf("%s, %s: %q is explained %d times in the rules", id, language, w.Name, told[w.Name])
				}
			}
			if len(texts.Words) < 2 {
				t.Errorf("%s, %s: %d words", id, language, len(texts.Words))
			}
		}
	}
}
