package catalog_test

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kibitz/catalog"
	"kibitz/games"
	"kibitz/hall/web/words"
	"kibitz/opening"
	"kibitz/rules"
)

// holes are the cells of a row that are neither filled nor left empty for a reason.
func holes(g catalog.Game) []string {
	var out []string
	v := reflect.ValueOf(g)
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		if v.Field(i).IsZero() && !slices.Contains(optional, name) {
			out = append(out, name)
		}
	}
	return out
}

// optional are the cells that may be empty without a reason: most games are in no event, and
// the menu says nothing else of them than their options do.
var optional = []string{"Events", "Menu"}

// Every row has all its cells, and each is right for the game.
func TestRows(t *testing.T) {
	suites := map[string]bool{}
	for _, s := range opening.Suites() {
		suites[s.Spec.ID()] = true
	}
	for i, g := range catalog.All() {
		id := g.Rules.ID
		if missing := holes(g); len(missing) > 0 {
			t.Errorf("%s lacks %s", id, strings.Join(missing, ", "))
			continue
		}
		if games.All()[i].ID != id {
			t.Errorf("%s is not in the list of rules at the same place", id)
		}
		r, err := games.Open(id)
		if err != nil || r.Spec().ID() != id {
			t.Errorf("%s cannot be opened by its name: %v", id, err)
			continue
		}
		_, drawn := g.Openings.Get()
		if _, dealt := r.(rules.Shuffler); dealt == drawn {
			t.Errorf("%s is dealt: %v, has a recipe for openings: %v", id, dealt, drawn)
		}
		if suites[id] != drawn {
			t.Errorf("%s has a suite of openings: %v, a recipe: %v", id, suites[id], drawn)
		}
		solver, solved := g.Exact.Get()
		if private := r.Doc().Info == rules.Private; private == solved {
			t.Errorf("%s has hidden facts: %v, a solver: %v", id, private, solved)
		}
		if solved {
			if _, err := solver.New(); err != nil {
				t.Errorf("%s: %v", id, err)
			}
		}
		for event, options := range g.Events {
			if _, err := games.Open(strings.TrimSuffix(id+":"+options, ":")); err != nil {
				t.Errorf("%s of the event %s: %v", id, event, err)
			}
		}
		for key := range g.Menu.Labels {
			if !slices.ContainsFunc(g.Rules.Options, func(o rules.Option) bool { return o.Key == key }) {
				t.Errorf("%s has no option %q, which the menu names", id, key)
			}
		}
		if len(catalog.ProtocolsOf(id)) == 0 {
			t.Errorf("no protocol plays %s", id)
		}
	}
}

// Every game has a name in each language of the hall, and a tile.
func TestTexts(t *testing.T) {
	set, err := words.Open()
	if err != nil {
		t.Fatal(err)
	}
	style, err := os.ReadFile("../hall/web/src/pages/site.css")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range catalog.All() {
		for _, l := range set.Languages() {
			c := set.Choose(l.ID, "")
			if !c.Has("game." + g.Rules.ID) {
				t.Errorf("%s has no name in %s", g.Rules.ID, c.ID)
			}
		}
		if !strings.Contains(string(style), "\n.art-"+g.Rules.ID+" ") {
			t.Errorf("%s has no picture for its tile in site.css", g.Rules.ID)
		}
	}
}

// A cell that is left out is named.
func TestHoles(t *testing.T) {
	if got := holes(catalog.Game{}); !slices.Equal(got, []string{"Rules", "Engine", "Exact", "GTP", "SAU", "Openings"}) {
		t.Errorf("of an empty row: %v", got)
	}
	if got := holes(catalog.All()[0]); len(got) > 0 {
		t.Errorf("of Othello's: %v", got)
	}
}

// Protocols name games of the list, and every game has one default.
func TestProtocols(t *testing.T) {
	defaults := map[string]int{}
	for _, p := range catalog.Protocols() {
		for _, id := range p.Default {
			defaults[id]++
		}
		for _, id := range slices.Concat(p.Games, p.Default) {
			if _, ok := catalog.Find(id); !ok {
				t.Errorf("%s plays %q, which is no game", p.ID, id)
			}
		}
	}
	for _, g := range catalog.All() {
		if defaults[g.Rules.ID] != 1 {
			t.Errorf("%s is the default of %d protocols", g.Rules.ID, defaults[g.Rules.ID])
		}
	}
}

func TestSolverOf(t *testing.T) {
	if s, err := catalog.SolverOf("nogo"); err != nil || s.Whole == nil || s.Nodes == 0 {
		t.Errorf("%+v, %v", s, err)
	}
	_, err := catalog.SolverOf("phantomgo")
	solved := catalog.IDs(func(g catalog.Game) bool { _, ok := g.Exact.Get(); return ok })
	slices.Sort(solved)
	if want := "cannot solve phantomgo exactly: games that can be solved are " + strings.Join(solved, " "); fmt.Sprint(err) != want {
		t.Error(err)
	}
}

// Rules of no game have an empty row.
func TestOf(t *testing.T) {
	r, err := games.Open("amazons")
	if err != nil {
		t.Fatal(err)
	}
	if g := catalog.Of(r); g.Rules.ID != "amazons" {
		t.Errorf("%+v", g.Rules.ID)
	}
}
