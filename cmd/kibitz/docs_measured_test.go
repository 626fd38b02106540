package main

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// pagesBefore is the commit to which the pages are compared: that before tutorials were written.
const pagesBefore = "8199aeb"

// endOfSentence is what ends a sentence for a reader; a colon does not.
var (
	endOfSentence = regexp.MustCompile(`\n\s*\n|\n[ \t]*(?:[*-]|\d+\.) |\n[#|]|[.!?][)*"]*\s`)
	linkInText    = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	notText       = regexp.MustCompile("^(?:\\||    |\\s*`)") // tables, code
)

// sizes is what there is to say of the pages of one commit.
type sizes struct {
	when                             string
	pages, words, lines, longLines   int
	longestPage                      string
	longestLines, tutorials, results int
	sentences                        []sentence
}

type sentence struct {
	words      int
	page, text string
}

// TestPagesMeasured counts the pages. With -update, as make pages has it, it writes
// docs/measured/pages.md.
func TestPagesMeasured(t *testing.T) {
	now := measurePages(t, "")
	if now.words > 45_000 || len(now.sentences) < 1000 {
		t.Errorf("pages for people have %d words, of 45,000, in %d sentences", now.words, len(now.sentences))
	}
	if !*update {
		return
	}
	before := measurePages(t, pagesBefore)
	var out strings.Builder
	out.WriteString("# The pages, measured\n\nWritten by `make pages`. For people are `docs/*.md`, `docs/games` and `docs/protocols`. A sentence ends with a full\n" +
		"stop, a paragraph or an item of a list; code is one word, tables are none. That a colon ends one too is what\n" +
		"`TestLengthsOfSentences` has in mind, which allows 35 words.\n\n")
	fmt.Fprintf(&out, "| | %s | %s |\n|---|---|---|\n", before.when, now.when)
	row := func(what string, of func(sizes) any) {
		fmt.Fprintf(&out, "| %s | %v | %v |\n", what, of(before), of(now))
	}
	row("pages for people", func(s sizes) any { return s.pages })
	row("words", func(s sizes) any { return s.words })
	row("lines", func(s sizes) any { return s.lines })
	row("lines of text above 120 characters", func(s sizes) any { return s.longLines })
	row("lines of the longest page", func(s sizes) any { return fmt.Sprintf("%d (`%s`)", s.longestLines, s.longestPage) })
	row("sentences", func(s sizes) any { return len(s.sentences) })
	row("of these above 35 words", func(s sizes) any {
		return len(slices.DeleteFunc(slices.Clone(s.sentences), func(s sentence) bool { return s.words <= 35 }))
	})
	row("words of tutorials, with what their commands print", func(s sizes) any { return s.tutorials })
	row("words of `docs/measured`", func(s sizes) any { return s.results })
	for _, s := range []sizes{before, now} {
		fmt.Fprintf(&out, "\nThe five longest sentences of %s:\n\n| words | page | sentence |\n|---|---|---|\n", s.when)
		for _, l := range s.sentences[:5] {
			fmt.Fprintf(&out, "| %d | `%s` | %s |\n", l.words, l.page, strings.ReplaceAll(linkInText.ReplaceAllString(l.text, "$1"), "|", `\|`))
		}
	}
	if err := os.WriteFile("../../docs/measured/pages.md", []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// measurePages counts the pages of a commit, of the folder as it is if that is empty.
func measurePages(t *testing.T, commit string) sizes {
	t.Helper()
	git := func(args ...string) string {
		c := exec.Command("git", args...)
		c.Dir = "../.."
		out, err := c.Output()
		if err != nil {
			t.Fatalf("git %s: %v", strings.Join(args, " "), err)
		}
		return string(out)
	}
	list, read := []string{}, func(page string) string { return git("show", commit+":"+page) }
	if commit == "" {
		for _, page := range pagesOfDocs(t) {
			list = append(list, strings.TrimPrefix(page, "../../"))
		}
		read = func(page string) string {
			data, err := os.ReadFile("../../" + page)
			if err != nil {
				t.Fatal(err)
			}
			return string(data)
		}
	} else {
		list = strings.Fields(git("ls-tree", "-r", "--name-only", commit, "docs"))
	}
	var s sizes
	if commit != "" || *update {
		s.when = strings.TrimSpace(git("log", "-1", "--format=%h of %as", cmp.Or(commit, "HEAD")))
	}
	for _, page := range list {
		name, inDocs := strings.CutPrefix(page, "docs/")
		if !inDocs || !strings.HasSuffix(name, ".md") {
			continue
		}
		text := read(page)
		words := len(strings.Fields(text))
		switch folder, _, deeper := strings.Cut(name, "/"); {
		case folder == "tutorials":
			s.tutorials += words
			continue
		case folder == "measured":
			s.results += words
			continue
		case deeper && folder != "games" && folder != "protocols":
			continue
		}
		s.pages++
		s.words += words
		lines := strings.Count(text, "\n")
		s.lines += lines
		if lines > s.longestLines {
			s.longestLines, s.longestPage = lines, name
		}
		text = insideFence.ReplaceAllString(text, "\n")
		for line := range strings.Lines(text) {
			if utf8.RuneCountInString(strings.TrimRight(line, "\n")) > 120 && !notText.MatchString(line) {
				s.longLines++
			}
		}
		for _, one := range thoughts(text, endOfSentence) {
			if f := strings.Fields(one); len(f) > 0 {
				s.sentences = append(s.sentences, sentence{len(f), name, strings.Join(f, " ")})
			}
		}
	}
	slices.SortStableFunc(s.sentences, func(a, b sentence) int { return cmp.Compare(b.words, a.words) })
	return s
}
