package catalog_test

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"kibitz/bot"
	"kibitz/catalog"
	"kibitz/rules"
)

// What is offered before a game is what its rules allow, and begins with what is usual.
func TestChoices(t *testing.T) {
	shown := catalog.Shown()
	for i, g := range catalog.All() {
		for _, c := range shown[i].Choices {
			n := slices.IndexFunc(g.Rules.Options, func(o rules.Option) bool { return o.Key == c.Key })
			if n < 0 || len(c.Values) > 0 && !slices.Contains(c.Values, c.Default) {
				t.Errorf("%s: %s=%s is not among %v", g.Rules.ID, c.Key, c.Default, c.Values)
				continue
			}
			for _, v := range c.Values {
				spec := g.Rules.ID + ":" + c.Key + "=" + v
				if _, err := rules.Open([]rules.Game{g.Rules}, spec); err != nil {
					t.Errorf("%s: %v", spec, err)
				}
			}
		}
	}
}

// The strengths that pages show are those of the latest ladders, which stand in the
// document.
func TestLadder(t *testing.T) {
	data, err := os.ReadFile("../docs/measured/strength.md")
	if err != nil {
		t.Fatal(err)
	}
	part := regexp.MustCompile(`(?s)<!-- ladder (\w+) -->(.*?)<!-- end -->`)
	line := regexp.MustCompile(`\| level (\d) \| \d+ \| (-?\d+)(?: ± \d+)? \|`)
	measured := map[string][bot.MaxLevel]int{}
	for _, m := range part.FindAllStringSubmatch(string(data), -1) {
		var list [bot.MaxLevel]int
		for _, l := range line.FindAllStringSubmatch(m[2], -1) {
			n, _ := strconv.Atoi(l[1])
			list[n-1], _ = strconv.Atoi(l[2])
		}
		measured[m[1]] = list
	}
	if len(measured) < 9 {
		t.Fatalf("the document has %d ladders", len(measured))
	}
	for _, g := range catalog.All() {
		got, ok := g.Ladder.Get()
		want, has := measured[g.Rules.ID]
		if ok != has || got != want {
			t.Errorf("%s: the row has %v, the document %v", g.Rules.ID, got, want)
		}
	}
}

// Each level of each game tells what it looks at, and how often it errs.
func TestLevelsShown(t *testing.T) {
	for _, g := range catalog.Shown() {
		for n, l := range g.Levels {
			if (l.Nodes == 0) != (n == bot.MaxLevel-1) || l.Blunder < 0 || l.Blunder >= 1 || n == 0 && l.Blunder == 0 {
				t.Errorf("%s: level %d is %+v", g.ID, n+1, l)
			}
		}
	}
}
