package catalog_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kibitz/catalog"
	"kibitz/exact"
	"kibitz/games"
	"kibitz/hall/archive"
	"kibitz/hall/learn"
	"kibitz/hall/web/words"
	"kibitz/journal"
	"kibitz/record/formats"
	"kibitz/rules"
)

// Every game has a page with its rules and a lesson, in each language of the hall, whose lines the
// rules bear out.
func TestLessons(t *testing.T) {
	all := map[string]*learn.Game{}
	for _, id := range learn.IDs() {
		g, err := learn.Read(id)
		if err != nil {
			t.Fatal(err)
		}
		all[id] = g
	}
	set, err := words.Open()
	if err != nil {
		t.Fatal(err)
	}
	teacher := archive.Archive{Set: formats.New(games.OpenSpec), Open: games.Open}
	for _, row := range catalog.All() {
		id := row.Rules.ID
		g := all[id]
		if g == nil {
			t.Errorf("%s: there is no folder hall/learn/games/%s", id, id)
			continue
		}
		delete(all, id)
		t.Run(id, func(t *testing.T) {
			for _, l := range set.Languages() {
				if missing := g.Missing(l.ID); len(missing) > 0 {
					t.Errorf("%s lacks, or has too much: %s", l.ID, strings.Join(missing, ", "))
					continue
				}
				for _, fault := range textFaults(row.Rules, g.Texts[l.ID], g.Texts["en"]) {
					t.Errorf("%s: %s", l.ID, fault)
				}
			}
			l, err := teacher.Lesson(g)
			if err != nil {
				t.Fatal(err)
			}
			for _, fault := range lessonFaults(row, g, l) {
				t.Error(fault)
			}
		})
	}
	for id := range all {
		t.Errorf("hall/learn/games/%s is no game", id)
	}
}

// textFaults are what is wrong with the texts of a game in a language, beside what is missing.
func textFaults(r rules.Game, x, en *learn.Texts) (out []string) {
	var keys []string
	for _, o := range x.Options {
		keys = append(keys, o.Key)
	}
	for _, o := range r.Options {
		if !slices.Contains(keys, o.Key) {
			out = append(out, "no text of the option "+o.Key)
		}
	}
	if len(keys) != len(r.Options) {
		out = append(out, fmt.Sprintf("%d options are told of, the game has %d", len(keys), len(r.Options)))
	}
	if len(x.Words) != len(en.Words) || len(x.Words) == 0 {
		out = append(out, fmt.Sprintf("%d words are explained", len(x.Words)))
	}
	if x != en {
		return out
	}
	n := 0
	for _, s := range x.Rules {
		n += len(strings.Fields(s.Title + " " + s.Text + " " + s.Picture))
	}
	for _, s := range slices.Concat(x.Options, x.Words) {
		n += len(strings.Fields(s.Name + " " + s.Text))
	}
	if n > 900 || n < 150 {
		out = append(out, fmt.Sprintf("the rules have %d words, want 150 to 900", n))
	}
	for key, s := range x.Steps {
		list := []string{s.Do, s.Right, s.Other, s.Barred}
		for _, w := range s.Wrong {
			list = append(list, w)
		}
		for _, text := range list {
			for _, sentence := range sentences(text) {
				if n := len(strings.Fields(sentence)); n > 14 {
					out = append(out, fmt.Sprintf("step %s: %d words: %s", key, n, sentence))
				}
			}
		}
	}
	return out
}

func sentences(text string) []string { return regexp.MustCompile(`[.!?](\s|$)`).Split(text, -1) }

// lessonFaults are what is wrong with the boards of a game.
func lessonFaults(row catalog.Game, g *learn.Game, l *learn.Lesson) (out []string) {
	if n := len(l.Pictures); n < 6 || n > 10 {
		out = append(out, fmt.Sprintf("%d pictures, want 6 to 10", n))
	}
	if n := len(l.Steps); n < 5 || n > 6 {
		out = append(out, fmt.Sprintf("%d steps, want 5 or 6", n))
	}
	for i := range l.Steps {
		p, s := &l.Steps[i], &g.Page.Steps[i]
		fault := func(format string, args ...any) {
			out = append(out, "step "+p.Key+": "+fmt.Sprintf(format, args...))
		}
		for _, n := range forsaken(p.Start, p) {
			fault("at %s no line goes on", n)
		}
		state, err := begin(g, s)
		if err != nil {
			fault("%v", err)
			continue
		}
		promised(row, p, s, state, fault)
	}
	return out
}

// forsaken are the boards on which a line stops although it does not end there.
func forsaken(n *learn.Node, p *learn.Played) (out []string) {
	if !n.End && len(n.Next) == 0 && n.View != nil {
		out = append(out, n.Name)
	}
	if !n.End && n.View != nil && n.View.Turn.Seat == p.Learner && len(n.Legal) == 0 {
		out = append(out, n.Name+" nothing can be decided; there")
	}
	for _, x := range n.Next {
		out = append(out, forsaken(x, p)...)
	}
	return out
}

// begin is the state in which a step begins.
func begin(g *learn.Game, s *learn.Step) (rules.State, error) {
	spec := g.Page.Spec
	if s.Spec != "" {
		spec = s.Spec
	}
	r, err := games.Open(spec)
	if err != nil {
		return nil, err
	}
	state := r.New()
	if s.Position != "" {
		if state, err = r.Position(s.Position); err != nil {
			return nil, err
		}
	}
	for word := range strings.FieldsSeq(s.Moves) {
		m, err := r.ParseMove(word)
		if err == nil {
			_, err = state.Apply(m, nil)
		}
		if err != nil {
			return nil, err
		}
	}
	return state, nil
}

// promised checks what a step says of winning. Where the game can be won at once, or is won for
// certain by one decision, every such decision must be right, and no other one.
func promised(row catalog.Game, p *learn.Played, s *learn.Step, start rules.State, fault func(string, ...any)) {
	if s.Win == learn.NoWin {
		return
	}
	won := func(st rules.State) bool {
		r, over := st.Result()
		return over && r.Winner() == p.Learner
	}
	if s.Win == learn.Proved {
		solver, ok := row.Exact.Get()
		if !ok {
			fault("the game has no solver that could prove it")
			return
		}
		open := solver.Whole
		if open == nil {
			open = solver.New
		}
		e, err := open()
		if err != nil {
			fault("%v", err)
			return
		}
		won = func(st rules.State) bool { return proves(e, st, p) }
	}
	walk(p.Start, start, func(n *learn.Node, st rules.State) {
		if n.End && n.Why == "" && !won(st) {
			fault("after %s the game is not won", n.Name)
		}
		if n.End && n.Why != "" && won(st) {
			fault("after %s, which is called wrong, the game is won", n.Name)
		}
		if n.End || st.Turn().Seat != p.Learner {
			return
		}
		for _, m := range st.Legal(nil) {
			after := st.Clone()
			if _, err := after.Apply(m, nil); err == nil && n.Find(journal.FormatMove(m)) == nil && won(after) {
				fault("%v wins too", m)
			}
		}
	})
}

// proves reports whether a solver finds that the learner wins.
func proves(e exact.Solver, st rules.State, p *learn.Played) bool {
	if r, over := st.Result(); over {
		return r.Winner() == p.Learner
	}
	v, ok := e.Solve(st, 2_000_000)
	return ok && v.Winner() == p.Learner
}

// walk goes over all boards of a step with the states behind them.
func walk(n *learn.Node, st rules.State, fn func(*learn.Node, rules.State)) {
	fn(n, st)
	for _, x := range n.Next {
		if x.View == nil {
			continue
		}
		after := st.Clone()
		m, err := journal.ParseMove(x.Step)
		if err == nil {
			_, err = after.Apply(m, nil)
		}
		if err == nil {
			walk(x, after, fn)
		}
	}
}
