package catalog_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kibitz/catalog"
	"kibitz/game/look"
	"kibitz/game/wire"
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
		if v.Field(i).IsZero() {
			out = append(out, v.Type().Field(i).Name)
		}
	}
	v = reflect.ValueOf(g.Look)
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; v.Field(i).IsZero() && name != "Ranks" {
			out = append(out, "Look."+name)
		}
	}
	if g.Look.Tile.Ground == "" || g.Look.Tile.Picture == "" {
		out = append(out, "Look.Tile")
	}
	for letter, p := range g.Look.Pieces {
		if p.Figure == "" || p.Name == "" {
			out = append(out, fmt.Sprintf("Look.Pieces[%s]", letter))
		}
	}
	return out
}

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
		events, _ := g.Events.Get()
		for event, options := range events {
			if _, err := games.Open(strings.TrimSuffix(id+":"+options, ":")); err != nil {
				t.Errorf("%s of the event %s: %v", id, event, err)
			}
		}
		menu, _ := g.Menu.Get()
		for key := range menu.Labels {
			if !slices.ContainsFunc(g.Rules.Options, func(o rules.Option) bool { return o.Key == key }) {
				t.Errorf("%s has no option %q, which the menu names", id, key)
			}
		}
		if len(catalog.ProtocolsOf(id)) == 0 {
			t.Errorf("no protocol plays %s", id)
		}
	}
}

// Every game has a name and a sentence, and each of its pieces and choices a name, in each
// language of the hall.
func TestTexts(t *testing.T) {
	set, err := words.Open()
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range catalog.All() {
		for _, l := range set.Languages() {
			c := set.Choose(l.ID, "")
			if !c.Has("game." + g.Rules.ID) {
				t.Errorf("%s has no name in %s", g.Rules.ID, c.ID)
			}
			if !c.Has("about." + g.Rules.ID) {
				t.Errorf("%s has no sentence in %s", g.Rules.ID, c.ID)
			}
			choices, _ := g.Choices.Get()
			for _, o := range choices {
				if !c.Has("choice." + o.Key) {
					t.Errorf("%s has no name for its option %s in %s", g.Rules.ID, o.Key, c.ID)
				}
			}
			for letter, p := range g.Look.Pieces {
				if !c.Has("board." + p.Name) {
					t.Errorf("%s has no name for its piece %s in %s: %s", g.Rules.ID, letter, c.ID, p.Name)
				}
			}
		}
	}
}

// A cell that is left out is named, and so is each field of a look.
func TestHoles(t *testing.T) {
	want := []string{"Rules", "Engine", "Choices", "Ladder", "Exact", "Scale", "GTP", "SAU", "Openings", "Look", "Presets", "Sample"}
	if got := holes(catalog.Game{}); !slices.Equal(got[:len(want)], want) {
		t.Errorf("of an empty row: %v", got)
	}
	for i := range reflect.TypeFor[look.Look]().NumField() {
		g := catalog.All()[0]
		field := reflect.ValueOf(&g.Look).Elem().Field(i)
		field.SetZero()
		name := "Look." + reflect.TypeFor[look.Look]().Field(i).Name
		if got := holes(g); len(got) > 0 != (name != "Look.Ranks") || len(got) > 0 && got[0] != name {
			t.Errorf("of Othello's without %s: %v", name, got)
		}
	}
}

// Every letter that a view may show has a figure, every preset can be played, and what is
// said of taken pieces is said of pieces that there are.
func TestLooks(t *testing.T) {
	sampled := map[wire.Shape]bool{}
	for _, g := range catalog.Shown() {
		r, err := games.Open(g.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, code := range r.Doc().Pieces {
			if _, ok := g.Look.Pieces[code.Word]; !ok {
				t.Errorf("%s has no figure for %s, a %s: Look.Pieces", g.ID, code.Word, code.Meaning)
			}
		}
		for _, letter := range g.Look.Ranks {
			if _, ok := g.Look.Pieces[string(letter)]; !ok {
				t.Errorf("%s has no figure for %c, which Look.Ranks names", g.ID, letter)
			}
		}
		for _, spec := range g.Presets {
			if _, err := games.Open(spec); err != nil {
				t.Errorf("a preset of %s: %v", g.ID, err)
			}
		}
		if s := g.Sample; s != nil {
			sampled[s.Shape] = true
			if n := s.Width * s.Height; len(s.Pieces) != n || len(s.Owners) != n {
				t.Errorf("the sample of %s has %d letters and %d owners for %d places", g.ID, len(s.Pieces), len(s.Owners), n)
			}
		}
	}
	for _, g := range catalog.Shown() {
		if !sampled[g.Board.Shape] {
			t.Errorf("no game with a board of %s has a sample", g.Board.Shape)
		}
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
