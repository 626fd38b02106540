package factory

import (
	"context"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/games"
	"kibitz/hall/bus"
	"kibitz/journal"
	"kibitz/rules"
	"kibitz/run/engines"
)

// analysing returns a factory of built-in engines alone.
func analysing(t *testing.T) *Factory {
	t.Helper()
	p, err := engines.OwnPrograms(func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return New(Config{
		Launcher: &engines.Launcher{Now: time.Now, Guards: &engines.Guards{}}, Programs: p, Sums: engines.NewSums(time.Now), Warn: func(text string) { t.Error(text) },
	})
}

// Every game can be analysed by its built-in engine, from its beginning and as a whole.
func TestFactoryAnalyses(t *testing.T) {
	c := analysing(t)
	for _, g := range games.All() {
		t.Run(g.ID, func(t *testing.T) {
			spec := game.Spec(g.ID)
			// A level is bounded by positions: time is for what a busy machine needs.
			q := bus.Analysis{ID: "a", Spec: spec, Engine: "bot=1", Lines: 2, Time: time.Minute, Total: 5 * time.Minute}
			r, err := games.Open(g.ID)
			if err != nil {
				t.Fatal(err)
			}
			s := r.New()
			for range 3 {
				if s.Turn().Seat == game.Dealer {
					break
				}
				m := s.Legal(nil)[0]
				if _, err := s.Apply(m, nil); err != nil {
					t.Fatal(err)
				}
				if s.Turn().Seat == game.Dealer {
					break
				}
				q.Moves = append(q.Moves, journal.FormatMove(m))
			}
			for _, q.Whole = range []bool{false, true} {
				finals, reviews := 0, 0
				err := c.analyse(t.Context(), q, func(a bus.Analysed) {
					if a.Review != nil {
						reviews++
					}
					if !a.Final {
						return
					}
					finals++
					if len(a.Lines) == 0 || len(a.Lines[0].Moves) == 0 {
						t.Errorf("nothing is said of ply %d: %+v", a.Ply, a)
					}
				})
				if err != nil || finals == 0 || !q.Whole && finals != 1 || q.Whole != (reviews == 1) {
					t.Errorf("whole %t: %d positions, %d reviews, %v", q.Whole, finals, reviews, err)
				}
			}
		})
	}
}

// An engine is bounded by depth or by positions instead of time.
func TestFactoryBounds(t *testing.T) {
	c := analysing(t)
	for _, q := range []bus.Analysis{{Depth: 4}, {Nodes: 20_000}} {
		q.ID, q.Spec, q.Engine, q.Lines, q.Time, q.Total = "a", "othello", "bot=9", 1, time.Minute, time.Minute
		var last bus.AnalysedLine
		err := c.analyse(t.Context(), q, func(a bus.Analysed) {
			if a.Final && len(a.Lines) > 0 {
				last = a.Lines[0]
			}
		})
		if err != nil || last.Depth == 0 || q.Depth > 0 && last.Depth != q.Depth || q.Nodes > 0 && last.Nodes > 2*q.Nodes {
			t.Errorf("bounded by depth %d and %d positions it says %+v, %v", q.Depth, q.Nodes, last, err)
		}
	}
}

// What cannot be analysed is refused with a line that says why.
func TestFactoryRefusesToAnalyse(t *testing.T) {
	c := analysing(t)
	ok := bus.Analysis{ID: "a", Spec: "othello", Engine: "bot=1", Lines: 1, Time: time.Second, Total: time.Minute}
	for want, change := range map[string]func(*bus.Analysis){
		"no built-in engine":  func(q *bus.Analysis) { q.Engine = "name=x cmd=/bin/true" },
		"this worker has no":  func(q *bus.Analysis) { q.Engine, q.Hash = "edax", "h1" },
		"decision 1":          func(q *bus.Analysis) { q.Moves = []string{"?"} },
		"decision 2, f5":      func(q *bus.Analysis) { q.Moves = []string{"p5,4", "p5,4"} },
		"chess":               func(q *bus.Analysis) { q.Spec = "chess" },
		"start position":      func(q *bus.Analysis) { q.Position = "nonsense" },
		"nobody is to decide": func(q *bus.Analysis) { q.Spec, q.Moves = "darkchess", []string{"f0,0"} },
	} {
		q := ok
		change(&q)
		if err := c.analyse(context.Background(), q, func(bus.Analysed) {}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// A turn is judged in every game whose seats know the same: who does not stop four in a row is asked
// whether he meant it, who stops it is not.
func TestFactoryJudges(t *testing.T) {
	f := analysing(t)
	for _, x := range []struct {
		spec, moves, last string
		least, most       float64
	}{
		{"gomoku", "p7,7 p6,7 p8,7 p7,8 p9,7 p8,8 p0,14 p7,9 p10,7", "p11,7", 0, 5},
		{"gomoku", "p7,7 p6,7 p8,7 p7,8 p9,7 p8,8 p0,14 p7,9 p10,7", "p14,14", 15, 100},
		{"gomoku", "p7,7 p7,8 p8,7 p8,8 p0,14 p6,6 p9,7", "p14,0", 15, 100},
		{"othello", "p3,2 p2,2", "p2,3", 0, 15},
	} {
		r, err := games.Open(x.spec)
		if err != nil {
			t.Fatal(err)
		}
		var moves []game.Move
		for text := range strings.FieldsSeq(x.moves + " " + x.last) {
			m, err := journal.ParseMove(text)
			if err != nil {
				t.Fatal(err)
			}
			moves = append(moves, m)
		}
		p := &bus.Play{Game: "g", Spec: game.Spec(x.spec), Seed: make([]byte, 32)}
		lost, err := f.judge(t.Context(), p, r, moves, len(moves)-1)
		if err != nil || lost < x.least || lost > x.most {
			t.Errorf("%s, %s: %.1f %% are lost, %v; want %.0f to %.0f", x.spec, x.last, lost, err, x.least, x.most)
		}
	}
	for _, g := range games.All() {
		r, err := games.Open(g.ID)
		if err != nil {
			t.Fatal(err)
		}
		p := &bus.Play{Game: "g", Spec: game.Spec(g.ID), Seed: make([]byte, 32)}
		setup, err := f.Build(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if private := r.Doc().Info == rules.Private; private != (setup.Judge == nil) {
			t.Errorf("%s: hidden from a seat %t, judged %t", g.ID, private, setup.Judge != nil)
		}
		setup.Close()
	}
}
