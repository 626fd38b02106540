package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

var (
	linkNamed    = regexp.MustCompile(`\]\(([^()\s]+)\)|(?:src|href)="([^"]+)"`)
	headingNamed = regexp.MustCompile(`(?m)^#+ (.+)$`)
	insideFence  = regexp.MustCompile("(?s)\n```.*?\n```")
)

// TestLinksOnPages holds the links of the pages to files and headings that there are.
func TestLinksOnPages(t *testing.T) {
	headings := map[string]map[string]bool{}
	found := 0
	for _, page := range append(pagesOfDocs(t), "../../CONTRIBUTING.md", "../../CHANGELOG.md") {
		for _, m := range linkNamed.FindAllStringSubmatch(textOfPage(t, page), -1) {
			link := m[1] + m[2]
			if strings.Contains(link, "://") || strings.HasPrefix(link, "/") {
				continue
			}
			found++
			file, anchor, _ := strings.Cut(link, "#")
			target := page
			if file != "" {
				target = filepath.Join(filepath.Dir(page), filepath.FromSlash(file))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %s leads nowhere", page, link)
				continue
			}
			if anchor == "" {
				continue
			}
			if headings[target] == nil {
				headings[target] = map[string]bool{}
				for _, h := range headingNamed.FindAllStringSubmatch(textOfPage(t, target), -1) {
					headings[target][anchorOf(h[1])] = true
				}
			}
			if !headings[target][anchor] {
				t.Errorf("%s: %s has no heading %s", page, link, anchor)
			}
		}
	}
	if found < 200 {
		t.Errorf("%d links were found: the test shows little", found)
	}
}

var (
	codeInText   = regexp.MustCompile("(?s)`[^`]*`")
	endOfThought = regexp.MustCompile(`\n\s*\n|\n[ \t]*(?:[*-]|\d+\.) |\n[#|]|[.!?:][)*"]*\s`)
)

// TestLengthsOfSentences keeps sentences of pages at 35 words, and what a full stop, a colon,
// a new item or paragraph ends is a sentence. Code is one word, and tables are none.
func TestLengthsOfSentences(t *testing.T) {
	const most = 35
	for _, page := range append(pagesOfDocs(t), "../../CONTRIBUTING.md") {
		if strings.HasPrefix(page, "../../docs/measured/") {
			continue
		}
		for _, s := range thoughts(textOfPage(t, page), endOfThought) {
			if n := len(strings.Fields(s)); n > most {
				t.Errorf("%s: a sentence of %d words, where %d are enough: %s", page, n, most, strings.Join(strings.Fields(s), " "))
			}
		}
	}
}

// thoughts are the sentences of a text as an expression ends them, code being one word.
func thoughts(text string, end *regexp.Regexp) []string {
	var plain strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "    ") {
			plain.WriteString(line)
		}
	}
	return end.Split(codeInText.ReplaceAllString(plain.String(), "`…`"), -1)
}

// textOfPage is a page without its blocks of code.
func textOfPage(t *testing.T, page string) string {
	t.Helper()
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	return insideFence.ReplaceAllString(string(data), "\n")
}

// anchorOf is what a heading is called in links: small letters and digits, hyphens for blanks.
func anchorOf(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, heading)
}

// TestLengthsOfPages keeps pages readable as they are: no page has more than 300 lines, and no
// line of text more than 120 characters. Tables and code cannot be broken, and what was
// measured is written by commands.
func TestLengthsOfPages(t *testing.T) {
	for _, page := range append(pagesOfDocs(t), "../../CONTRIBUTING.md") {
		if strings.HasPrefix(page, "../../docs/measured/") {
			continue
		}
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(data), "\n"); n > 300 {
			t.Errorf("%s has %d lines", page, n)
		}
		for line := range strings.Lines(textOfPage(t, page)) {
			code := strings.HasPrefix(line, "|") || strings.HasPrefix(line, "    ") || strings.HasPrefix(strings.TrimSpace(line), "`")
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 120 && !code {
				t.Errorf("%s: a line of %d characters: %.60s", page, n, line)
			}
		}
	}
}
