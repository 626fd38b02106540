package report_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"kibitz/game"
)

// void are the elements of HTML without an end.
var void = []string{"meta", "link", "br", "img", "input", "hr"}

// parsed is what a test looks at on a page.
type parsed struct {
	ids, links []string
	csp        string
	texts      map[string][]string // of script and style
	tags       map[string]int
}

// parse reads a page strictly: every element is closed by its own end.
func parse(t *testing.T, text string) *parsed {
	t.Helper()
	p := &parsed{texts: map[string][]string{}, tags: map[string]int{}}
	z := html.NewTokenizer(strings.NewReader(text))
	var open []string
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		tok := z.Token()
		switch kind {
		case html.StartTagToken, html.SelfClosingTagToken:
			p.element(t, &tok)
			if kind == html.StartTagToken && !slices.Contains(void, tok.Data) {
				open = append(open, tok.Data)
			}
		case html.EndTagToken:
			if len(open) == 0 || open[len(open)-1] != tok.Data {
				t.Fatalf("</%s> closes %v", tok.Data, open[max(0, len(open)-3):])
			}
			open = open[:len(open)-1]
		case html.TextToken:
			if n := len(open); n > 0 && (open[n-1] == "script" || open[n-1] == "style") {
				p.texts[open[n-1]] = append(p.texts[open[n-1]], tok.Data)
			}
		}
	}
	if len(open) > 0 {
		t.Fatalf("not closed: %v", open)
	}
	return p
}

func (p *parsed) element(t *testing.T, tok *html.Token) {
	t.Helper()
	p.tags[tok.Data]++
	for _, a := range tok.Attr {
		switch {
		case strings.HasPrefix(a.Key, "on"), a.Key == "style", a.Key == "src":
			t.Errorf("<%s %s=%q>", tok.Data, a.Key, a.Val)
		case a.Key == "id":
			p.ids = append(p.ids, a.Val)
		case a.Key == "href":
			p.links = append(p.links, a.Val)
		case a.Key == "content" && strings.HasPrefix(a.Val, "default-src"):
			p.csp = a.Val
		}
	}
}

// inside wants each link within the page to lead somewhere.
func (p *parsed) inside(t *testing.T) {
	t.Helper()
	for _, l := range p.links {
		if strings.HasPrefix(l, "#") && !slices.Contains(p.ids, l[1:]) {
			t.Errorf("link %s leads nowhere", l)
		}
	}
}

// TestPage reads the page of the small run strictly: hostile texts open no element,
// nothing comes from outside, the policy allows what is there and no more, and each
// link within the page leads somewhere.
func TestPage(t *testing.T) {
	m := collect(t, config(), small())
	text := page(t, m)
	p := parse(t, text)
	if p.tags["img"]+p.tags["link"]+p.tags["iframe"] > 0 || p.tags["script"] != 2 || p.tags["svg"] == 0 {
		t.Errorf("elements %v", p.tags)
	}
	if sorted := slices.Sorted(slices.Values(p.ids)); len(slices.Compact(slices.Clone(sorted))) != len(p.ids) {
		t.Error("an id is there twice")
	}
	p.inside(t)
	for _, l := range p.links {
		switch {
		case strings.HasPrefix(l, "#"):
		case !strings.HasPrefix(l, "games/") && !strings.HasPrefix(l, "logs/"):
			t.Errorf("link %s leads outside", l)
		}
	}
	for _, s := range []string{p.texts["style"][0], p.texts["script"][1]} {
		sum := sha256.Sum256([]byte(s))
		if !strings.Contains(p.csp, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") {
			t.Errorf("the policy %q does not allow %.40q", p.csp, s)
		}
	}
	if !strings.Contains(p.csp, "default-src 'none'") || strings.Contains(p.csp, "unsafe") {
		t.Errorf("policy %q", p.csp)
	}
	var data struct {
		Engines []string
		Games   [][]any
		Viewers []struct {
			X, P [][]int
			M    []string
		}
	}
	if err := json.Unmarshal([]byte(p.texts["script"][0]), &data); err != nil {
		t.Fatal(err)
	}
	if len(data.Games) != 5 || data.Engines[2] != hostile || len(data.Viewers) != 5 {
		t.Errorf("%d games, engines %q, %d games to look at", len(data.Games), data.Engines, len(data.Viewers))
	}
	for _, v := range data.Viewers {
		if len(v.X) != len(v.M)+1 || len(v.P) != len(v.X) {
			t.Errorf("%d moves, %d and %d changes", len(v.M), len(v.X), len(v.P))
		}
	}
}

// TestAgain writes the same page twice.
func TestAgain(t *testing.T) {
	m := collect(t, config(), small())
	if first := page(t, m); first != page(t, m) {
		t.Error("the second page differs")
	}
}

// TestOtherPages reads the pages of a run without games, of one of many engines and
// of a long one.
func TestOtherPages(t *testing.T) {
	cfg := config()
	cfg.Over = false
	parse(t, page(t, collect(t, cfg, newLog()))).inside(t)
	l := newLog()
	for i := range 80 {
		for k := range i {
			l.play(played{id: fmt.Sprintf("%06d", i*80+k), names: [2]string{fmt.Sprint("E", i), fmt.Sprint("E", k)}, result: game.Win(game.Seat(i*k%2), "five", "")})
		}
	}
	field := parse(t, page(t, collect(t, cfg, l)))
	field.inside(t)
	if n := len(slices.DeleteFunc(field.links, func(l string) bool { return !strings.HasPrefix(l, "#pair-") })); n != 60*59 {
		t.Errorf("%d cells of the cross table", n)
	}
	p := parse(t, page(t, collect(t, cfg, many(1500))))
	if p.tags["tr"] > 300 {
		t.Errorf("%d rows without a script", p.tags["tr"])
	}
}
