// Package learn holds what a hall teaches: of each game its rules with pictures, and a lesson
// of a few small boards on which something is to be done.
//
// # A game is added
//
// by a folder games/ID with one file page.toml, which says what stands on the boards, and one
// file of texts for each language of the hall, such as en.toml. No code changes.
//
// page.toml has
//
//   - spec: what the boards play, for example "gomoku:size=9"; a section or step may have its own.
//   - [[rule]], a section of the rules, in their order: its key, and the boards of its pictures.
//     A picture is a position in the game's own text (empty: where a game begins) and the
//     moves made from it, for whoever sees all, or for one seat. The pictures of a page are six
//     to ten.
//   - [[step]], a step of the lesson, five or six: its key, the position, and the moves made
//     before. Whoever is on turn then is the learner. Lines are moves with blanks between
//     them, of both sides: right are those that do what the step asks, the first is the one
//     that is shown to whoever gives up; wrong are those that do not, each with the key of the
//     sentence that says why. A line of one move that the rules do not allow may be among the
//     wrong ones: it is explained and not played. What the learner may decide beside them gets
//     the sentence "other", what he presses in vain the sentence "barred".
//   - win in a step: "now" if each right line ends the game as won, "proved" if after it the game
//     is won for certain, which the game's exact solver must find too.
//
// A file of texts has, for the same keys,
//
//   - [rule.KEY]: title, text (paragraphs with an empty line between them), picture: what the
//     picture shows, if the section has one.
//   - [step.KEY]: do (what is to be done), right (said when it was), other, barred, and
//     [step.KEY.wrong] with the sentences of the wrong lines. In English a sentence has 14 words
//     at most.
//   - [[option]]: name and text of each option that the game can be played with, with key: that
//     of the option.
//   - [[word]]: name and text of each word that is not plain. It is explained where it first stands
//     in the rules; as is how it stands there, if not as its name. With the key of a note of the
//     game's positions, or "pass", it is explained where that is said too.
//
// The test of package catalog plays every line of every step by the rules.
package learn

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"kibitz/game"
)

//go:embed games
var files embed.FS

// Game is what is taught of a game.
type Game struct {
	// ID is that of the game in the catalog.
	ID   string
	Page Page
	// Texts are by the identifiers of languages.
	Texts map[string]*Texts
}

// Page is what stands on the boards of a game's page.
type Page struct {
	Spec  string `toml:"spec"`
	Rules []Rule `toml:"rule"`
	Steps []Step `toml:"step"`
}

// Place says what stands on a board: a position, or where the game begins, and moves from there.
type Place struct {
	Spec     string `toml:"spec"`
	Position string `toml:"position"`
	Moves    string `toml:"moves"`
}

// Picture is a board of the rules.
type Picture struct {
	Place
	// For is who looks at it: "first" or "second", empty for all that there is.
	For string `toml:"for"`
}

// Rule is a section of the rules.
type Rule struct {
	Key     string   `toml:"key"`
	Picture *Picture `toml:"picture"`
}

// Step is a step of a lesson.
type Step struct {
	Key string `toml:"key"`
	Place
	Right []string          `toml:"right"`
	Wrong map[string]string `toml:"wrong"`
	Win   Win               `toml:"win"`
}

// Win is what a step promises of its right lines.
type Win string

// A right line promises nothing, ends the game as won, or leads to where it is won for certain.
const (
	NoWin  Win = ""
	Now    Win = "now"
	Proved Win = "proved"
)

// Texts are those of a game in one language.
type Texts struct {
	Rules   map[string]RuleTexts `toml:"rule"`
	Steps   map[string]StepTexts `toml:"step"`
	Options []Term               `toml:"option"`
	Words   []Term               `toml:"word"`
}

// RuleTexts are those of a section of the rules.
type RuleTexts struct {
	Title   string `toml:"title"`
	Text    string `toml:"text"`
	Picture string `toml:"picture"`
}

// Paragraphs are those of the text.
func (t RuleTexts) Paragraphs() []string {
	return strings.Split(strings.TrimSpace(t.Text), "\n\n")
}

// StepTexts are those of a step of the lesson.
type StepTexts struct {
	Do     string            `toml:"do"`
	Right  string            `toml:"right"`
	Other  string            `toml:"other"`
	Barred string            `toml:"barred"`
	Wrong  map[string]string `toml:"wrong"`
}

// Term is a word, or the option of a key, with what it means.
type Term struct {
	Key  string `toml:"key"`
	Name string `toml:"name"`
	// As is how a word stands in the rules, empty if as its name.
	As   string `toml:"as"`
	Text string `toml:"text"`
}

// Passage is a piece of a paragraph; Word is what it is called, if that is explained there.
type Passage struct {
	Text string
	Word *Term
}

// Explained are the paragraphs of the rules by the keys of their sections. Each word is explained
// where it first stands.
func (g *Game) Explained(language string) map[string][][]Passage {
	t := g.Texts[language]
	left := make([]*Term, len(t.Words))
	for i := range t.Words {
		left[i] = &t.Words[i]
	}
	out := map[string][][]Passage{}
	for _, r := range g.Page.Rules {
		for _, text := range t.Rules[r.Key].Paragraphs() {
			var list []Passage
			for {
				at, end, n := -1, 0, 0
				for i, w := range left {
					if from, to := w.in(text); from >= 0 && (at < 0 || from < at || from == at && to > end) {
						at, end, n = from, to, i
					}
				}
				if at < 0 {
					break
				}
				list = append(list, Passage{Text: text[:at]}, Passage{Text: text[at:end], Word: left[n]})
				text, left = text[end:], slices.Delete(left, n, n+1)
			}
			out[r.Key] = append(out[r.Key], append(list, Passage{Text: text}))
		}
	}
	return out
}

// in tells where a word first stands in a text, -1 if nowhere.
func (t *Term) in(text string) (from, to int) {
	word := cmp.Or(t.As, t.Name)
	letters := func(s string) bool { // of which words are not cut by blanks
		r, _ := utf8.DecodeLastRuneInString(s)
		return unicode.IsLetter(r) && !unicode.Is(unicode.Han, r)
	}
	for from = 0; from+len(word) <= len(text); from++ {
		to = from + len(word)
		if strings.EqualFold(text[from:to], word) && !letters(text[:from]) {
			if r, _ := utf8.DecodeRuneInString(text[to:]); !unicode.IsLetter(r) || unicode.Is(unicode.Han, r) {
				return from, to
			}
		}
	}
	return -1, 0
}

// IDs are the identifiers of the games that are taught, in alphabetical order. No file is read.
func IDs() []string {
	out, _ := fs.Glob(files, "games/*") // the pattern is a right one
	for i, folder := range out {
		out[i] = path.Base(folder)
	}
	return out
}

// Read reads what is taught of a game. It fails if a file cannot be read, or there is none.
func Read(id string) (*Game, error) { return read(files, id) }

// read reads the folder of a game below "games".
func read(from fs.FS, id string) (*Game, error) {
	names, err := fs.Glob(from, "games/"+id+"/*.toml")
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: nothing is taught of it", id)
	}
	g := &Game{ID: id, Texts: map[string]*Texts{}}
	for _, name := range names {
		language := strings.TrimSuffix(path.Base(name), ".toml")
		var into any = &g.Page
		if language != "page" {
			g.Texts[language] = &Texts{}
			into = g.Texts[language]
		}
		data, err := fs.ReadFile(from, name)
		if err != nil {
			return nil, err
		}
		if err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(into); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return g, nil
}

// Missing are the texts that a language lacks, or has beyond those that the page has a place for, as
// they are called in the file of texts.
func (g *Game) Missing(language string) []string {
	t := g.Texts[language]
	if t == nil {
		return []string{language + ".toml"}
	}
	var out []string
	want := func(there bool, text, name string) {
		if there != (strings.TrimSpace(text) != "") {
			out = append(out, name)
		}
	}
	keys := map[string]bool{}
	for _, r := range g.Page.Rules {
		x := t.Rules[r.Key]
		keys["rule."+r.Key] = true
		want(true, x.Title, "rule."+r.Key+".title")
		want(true, x.Text, "rule."+r.Key+".text")
		want(r.Picture != nil, x.Picture, "rule."+r.Key+".picture")
	}
	for _, s := range g.Page.Steps {
		x := t.Steps[s.Key]
		keys["step."+s.Key] = true
		for name, text := range map[string]string{"do": x.Do, "right": x.Right, "other": x.Other, "barred": x.Barred} {
			want(true, text, "step."+s.Key+"."+name)
		}
		for _, key := range s.Wrong {
			keys["step."+s.Key+".wrong."+key] = true
			want(true, x.Wrong[key], "step."+s.Key+".wrong."+key)
		}
		for key := range x.Wrong {
			want(keys["step."+s.Key+".wrong."+key], "there", "step."+s.Key+".wrong."+key)
		}
	}
	for key := range t.Rules {
		want(keys["rule."+key], "there", "rule."+key)
	}
	for key := range t.Steps {
		want(keys["step."+key], "there", "step."+key)
	}
	for i, w := range slices.Concat(t.Options, t.Words) {
		want(true, w.Name, fmt.Sprintf("name of option or word %d", i+1))
		want(true, w.Text, fmt.Sprintf("text of option or word %d", i+1))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Lesson is a page as the rules of its game make it.
type Lesson struct {
	// Pictures are the boards of the sections that have one, by their keys.
	Pictures map[string]*game.View
	Steps    []Played
}

// Played is a step of a lesson with all its lines, as a tree.
type Played struct {
	Key  string
	Spec game.Spec
	// Learner is who decides in it.
	Learner game.Seat
	Start   *Node
	// Shown is the first right line: the names of its decisions.
	Shown []string
}

// Node is a board of a step.
type Node struct {
	// By decided the Step that led here, as the journal writes it; Name is what it is called.
	By         game.Seat
	Step, Name string
	// Ended tells that the step completed a turn; Refused that it was refused, as a stone is where
	// an unseen one stands.
	Ended, Refused bool
	// View is as the learner sees it, nil if the rules do not allow the step.
	View *game.View
	// Legal are the decisions of whoever is on turn, if that is the learner.
	Legal []string
	// Next are the continuations in the order of the lines. Where the learner is not on turn there
	// is one at most.
	Next []*Node
	// End tells that a line ends here, and Why with which sentence, empty for the right one.
	End bool
	Why string
	// Result is that of a game that is over.
	Result *game.Result
}

// Find returns the continuation by a step, nil if there is none.
func (n *Node) Find(step string) *Node {
	for _, x := range n.Next {
		if x.Step == step {
			return x
		}
	}
	return nil
}
