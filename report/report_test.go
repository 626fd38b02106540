package report_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kibitz/game"
	"kibitz/games"
	"kibitz/journal"
	"kibitz/rating"
	"kibitz/record/pgn"
	"kibitz/report"
	"kibitz/tournament"
)

var update = flag.Bool("update", false, "write the golden file anew")

// config is that of a finished run of five in a row.
func config() report.Config {
	r, err := games.Open("gomoku")
	if err != nil {
		panic(err)
	}
	return report.Config{
		Title: "Cup " + hostile, Game: "Five in a row", Spec: r.Spec(), Engines: []report.Engine{{Name: "A", Spec: "bot=1"}, {Name: "B", Spec: hostile}},
		Facts: []report.Fact{{Name: "openings", Value: hostile}}, Over: true, Boards: 4, Format: r.FormatMove, Now: time.Date(2026, 2, 4, 0, 0, 0, 0, time.UTC),
		Positions: func(g *report.Played) ([]report.Position, error) {
			s := r.New()
			out := []report.Position{{View: s.View(game.Arbiter), By: game.Nobody}}
			for _, step := range g.Steps {
				if _, err := s.Apply(step.Steps[0], nil); err != nil {
					return out, err
				}
				out = append(out, report.Position{View: s.View(game.Arbiter), Move: r.FormatMove(step.Steps[0]), By: step.By})
			}
			return out, nil
		},
		Tail: func(string) []string { return []string{hostile} },
		Files: func(id string) (string, string) {
			return "games/" + id + ".json", "logs/" + id + ".log"
		},
	}
}

func collect(t *testing.T, cfg report.Config, l *log) *report.Model {
	t.Helper()
	c := report.NewCollector(cfg)
	for _, ev := range l.events {
		if err := c.Add(ev); err != nil {
			t.Fatal(err)
		}
	}
	return c.Model()
}

func written(t *testing.T, write func(w *bytes.Buffer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func page(t *testing.T, m *report.Model) string {
	return written(t, func(w *bytes.Buffer) error { return m.HTML(w) })
}

// everything is all that a report writes, one after the other.
func everything(t *testing.T, m *report.Model) string {
	return page(t, m) + written(t, func(w *bytes.Buffer) error { return m.GamesCSV(w) }) +
		written(t, func(w *bytes.Buffer) error { return m.StandingsCSV(w) }) + written(t, func(w *bytes.Buffer) error { return m.PGN(w) })
}

// TestGolden pins what the events of the small run say. NaN and ±Inf are texts
// there.
func TestGolden(t *testing.T) {
	m := collect(t, config(), small())
	type numbers struct{ Elo, Error, NElo, LOS string }
	text := func(x float64) string { b, _ := json.Marshal(math.Round(x*1000) / 1000); return string(b) }
	var est []numbers
	for _, s := range m.Standings {
		est = append(est, numbers{text(s.Estimate.Elo), text(s.Estimate.Error), text(s.Estimate.NElo), text(s.Estimate.LOS)})
		if s.Name == "" {
			t.Error("a nameless engine")
		}
	}
	tables := written(t, func(w *bytes.Buffer) error { return m.GamesCSV(w) }) + "\n" + written(t, func(w *bytes.Buffer) error { return m.StandingsCSV(w) })
	rest, err := json.MarshalIndent(map[string]any{
		"estimates": est, "openings": m.Openings, "charts": m.Charts, "running": m.Running, "aborted": m.Aborted, "distinct": m.Distinct, "compared": m.Compared,
		"plies": m.Plies, "warnings": m.Warnings, "late": m.Late,
	}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	got := strings.ReplaceAll(tables, "\r\n", "\n") + "\n" + string(rest) + "\n"
	want, err := os.ReadFile("testdata/small.golden")
	if *update {
		err = os.WriteFile("testdata/small.golden", []byte(got), 0o644)
		want = []byte(got)
	}
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Error(d)
	}
}

// TestLikeTournament counts a run as the tournament's own standings do, games and
// pairs.
func TestLikeTournament(t *testing.T) {
	cfg := config()
	cfg.Repeat = true
	l := many(200)
	m := collect(t, cfg, l)
	st := tournament.NewStandings(tournament.Plan{Engines: 2, Games: 200, Rounds: 1, Repeat: true}, tournament.DefaultPoints)
	for i, g := range m.Games {
		st.Add(tournament.Finished{Pairing: tournament.Pairing{Index: i, Round: g.Round, Shuffle: i / 2, First: g.Engines[0], Second: g.Engines[1]}, Result: g.Result})
	}
	if m.Meetings[0].Penta == [5]int{} || m.Meetings[0].Penta[0] == 100 {
		t.Fatalf("pairs %v prove nothing", m.Meetings[0].Penta)
	}
	for _, s := range m.Standings {
		e := st.Entry(s.Engine)
		if s.Games != e.Games || s.Wins != e.Wins || s.Draws != e.Draws || s.Losses != e.Losses || s.Points != e.Points {
			t.Errorf("%+v, the standings have %+v", s, e)
		}
		if want := st.Difference(s.Engine); s.Estimate != want {
			t.Errorf("%+v, the standings have %+v", s.Estimate, want)
		}
		seats := s.Seats[0][0] + s.Seats[1][0]
		if seats != s.Wins {
			t.Errorf("%d wins in seats, %d in all", seats, s.Wins)
		}
	}
}

// TestSequence follows a test game by game and compares its last ratio with that
// of all games at once.
func TestSequence(t *testing.T) {
	for _, pairs := range []bool{false, true} {
		cfg := config()
		cfg.Repeat = pairs
		test := rating.SPRT{Elo0: 0, Elo1: 30, Alpha: 0.05, Beta: 0.05, Model: rating.Logistic}
		cfg.Sequence = rating.NewSequence(test, pairs)
		m := collect(t, cfg, many(100))
		meet := m.Meetings[0]
		counts := rating.Trinomial(meet.Trio[0], meet.Trio[1], meet.Trio[2])
		if pairs {
			counts = rating.Pentanomial(meet.Penta[0], meet.Penta[1], meet.Penta[2], meet.Penta[3], meet.Penta[4])
		}
		if got, want := m.Test.LLR(), test.LLR(counts); got != want || want == 0 {
			t.Errorf("pairs %v: %v, all at once %v", pairs, got, want)
		}
		c := m.Charts[0]
		if last := c.Curves[0].Y[len(c.Curves[0].Y)-1]; c.ID != "llr" || math.Abs(*last-m.Test.LLR()) > 1e-3 || len(c.X) != 100 {
			t.Errorf("the chart %s ends at %v, the test at %v", c.ID, *last, m.Test.LLR())
		}
	}
}

// TestTables reads the tables back: lines end as RFC 4180 says, rows are whole,
// and no cell of text is a formula.
func TestTables(t *testing.T) {
	var moves bytes.Buffer
	cfg := config()
	add, done := report.MovesCSV(&moves)
	cfg.Moves = add
	m := collect(t, cfg, small())
	if err := done(); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"games": written(t, func(w *bytes.Buffer) error { return m.GamesCSV(w) }), "standings": written(t, func(w *bytes.Buffer) error { return m.StandingsCSV(w) }), "moves": moves.String(),
	} {
		if strings.Count(text, "\n") != strings.Count(text, "\r\n") {
			t.Errorf("%s: an end of line without CR", name)
		}
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || len(rows) < 3 {
			t.Fatalf("%s: %d rows, %v", name, len(rows), err)
		}
		for _, row := range rows[1:] {
			for i, cell := range row {
				if strings.ContainsAny(cell[:min(1, len(cell))], "=+@\t\r") || strings.HasPrefix(cell, "-") && !number(cell) {
					t.Errorf("%s: column %s holds %q", name, rows[0][i], cell)
				}
			}
		}
	}
	if !strings.Contains(moves.String(), "000001,3,first,") || strings.Contains(moves.String(), "000006") {
		t.Errorf("moves:\n%s", moves.String())
	}
}

func number(s string) bool {
	var x float64
	return json.Unmarshal([]byte(s), &x) == nil || s == "-inf"
}

// TestPGN wants White for the first seat.
func TestPGN(t *testing.T) {
	m := collect(t, config(), small())
	text := written(t, func(w *bytes.Buffer) error { return m.PGN(w) })
	first, _, _ := strings.Cut(text, "\n\n[")
	for _, want := range []string{`[White "A"]`, `[Black "B"]`, `[Result "1-0"]`, `[Round "1"]`, `[Date "2026.02.03"]`, `[PlyCount "6"]`} {
		if !strings.Contains(first, want) {
			t.Errorf("%s is missing in\n%s", want, first)
		}
	}
	if want := "[Ruled \"" + hostile + " wins, arbiter: round 2\"]"; !strings.Contains(text, want) { // as kibitz convert writes it
		t.Errorf("%s is missing in\n%s", want, text)
	}
	list, err := pgn.Read([]byte(text))
	if err != nil || len(list) != len(m.Games) {
		t.Errorf("%d games of %d, %v", len(list), len(m.Games), err)
	}
}

// TestHidden changes everything that happened on the board of a running game and of
// one whose shuffle is still to be played again: no byte of the report may change
// with it.
func TestHidden(t *testing.T) {
	build := func(n int) string {
		l := newLog()
		l.play(played{id: "000001", names: [2]string{"A", "B"}, round: 1, moves: stones(0, 6), result: game.Win(game.First, "five", "")})
		open := game.Win(game.Second, "captureall", strings.Repeat("x", n))
		open.Board, open.HasBoard = [2]float64{float64(n), 1}, true
		l.play(played{
			id: "000002", names: [2]string{"A", "B"}, round: 1, commitment: "abc", moves: stones(n, 4), evals: []float64{float64(n), 1}, result: open,
			warning: strings.Repeat("y", n), evidence: []string{strings.Repeat("z", n)},
		})
		l.play(played{id: "000003", names: [2]string{"B", "A"}, round: 1, commitment: "abc", moves: stones(n, 2), evals: []float64{float64(n)}, warning: strings.Repeat("w", n), unfinished: true})
		cfg := config()
		cfg.Over = false
		var moves bytes.Buffer
		add, done := report.MovesCSV(&moves)
		cfg.Moves = add
		out := everything(t, collect(t, cfg, l))
		if err := done(); err != nil {
			t.Fatal(err)
		}
		return out + moves.String()
	}
	a, b := build(1), build(5)
	if d := cmp.Diff(a, b); d != "" {
		t.Error(d)
	}
	if !strings.Contains(a, "<small>shown when its shuffle is published") || !strings.Contains(a, "1 game had begun and not ended") {
		t.Error("the page does not say what it leaves out")
	}
}

// TestRevealed shows a game as soon as its shuffle is published.
func TestRevealed(t *testing.T) {
	l := newLog()
	l.play(played{id: "000001", names: [2]string{"A", "B"}, commitment: "abc", moves: stones(0, 6), result: game.Win(game.First, "five", "the detail")})
	l.put("", &journal.Event{Kind: journal.KindReveal, Reveal: &journal.Reveal{Commitment: "abc", Seed: "5eed"}})
	cfg := config()
	cfg.Over, cfg.Revealed = false, map[string]bool{"abc": true}
	if out := everything(t, collect(t, cfg, l)); !strings.Contains(out, "the detail") || strings.Contains(out, "<small>shown when") {
		t.Error("a published game is hidden")
	}
}

// TestLong wants a page of bounded size for a long run, with all games in the
// table.
func TestLong(t *testing.T) {
	if testing.Short() {
		t.Skip("20,000 games")
	}
	cfg := config()
	cfg.Repeat = true
	m := collect(t, cfg, many(20000))
	if n := len(page(t, m)); n > 5<<20 {
		t.Errorf("the page has %d bytes", n)
	}
	if n := strings.Count(written(t, func(w *bytes.Buffer) error { return m.GamesCSV(w) }), "\r\n"); n != 20001 {
		t.Errorf("%d lines", n)
	}
	for _, c := range m.Charts {
		if len(c.X) > 400 {
			t.Errorf("chart %s has %d points", c.ID, len(c.X))
		}
	}
}

// TestEmpty writes a report before the first game has ended.
func TestEmpty(t *testing.T) {
	cfg := config()
	cfg.Over, cfg.Engines = false, nil
	if out := everything(t, collect(t, cfg, newLog())); !strings.Contains(out, "No game has ended yet") {
		t.Error("the page does not say that there is no game")
	}
}

// TestByes names the points that came without a game.
func TestByes(t *testing.T) {
	cfg := config()
	cfg.Totals = map[string]float64{"A": 102, "B": 1}
	m := collect(t, cfg, many(200))
	a := m.Standings[0]
	if a.Name != "A" || a.Points != 102 || a.Byes <= 0 || a.Byes != 102-float64(a.Wins)-float64(a.Draws)/2 || m.Standings[1].Byes != 0 {
		t.Errorf("%+v", m.Standings)
	}
	if !strings.Contains(page(t, m), " from byes</small>") {
		t.Error("the page does not name them")
	}
}

// TestRanking has the order, the shared ranks and the points of the run; whom it does
// not name comes last, and who has not played is in the tables.
func TestRanking(t *testing.T) {
	cfg := config()
	cfg.Engines = append(cfg.Engines, report.Engine{Name: "Idle"})
	cfg.Ranking = []report.Rank{{Name: "B", Rank: 1, Points: 1.5}, {Name: "Late", Rank: 2, Points: 2}, {Name: "A", Rank: 2, Points: 2}}
	m := collect(t, cfg, small())
	var got []string
	for _, s := range m.Standings {
		got = append(got, fmt.Sprintf("%d %s %g, %d games, %g byes", s.Rank, s.Name, s.Points, s.Games, s.Byes))
	}
	want := []string{"1 B 1.5, 3 games, 0.5 byes", "2 Late 2, 0 games, 2 byes", "2 A 2, 4 games, 0 byes", "4 " + hostile + " 1, 3 games, 0 byes", "5 Idle 0, 0 games, 0 byes"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	rows, err := csv.NewReader(strings.NewReader(written(t, func(w *bytes.Buffer) error { return m.StandingsCSV(w) }))).ReadAll()
	if err != nil || len(rows) != 6 || rows[2][0] != "2" || rows[2][1] != "Late" || rows[2][6] != "2" || rows[3][0] != "2" {
		t.Errorf("%v %v", rows, err)
	}
	if !strings.Contains(page(t, m), `<td class="n">2</td><th scope="row">Late</th>`) {
		t.Error("the page has other ranks")
	}
}

// TestChartsOfMany: a chart that does not show all engines says so.
func TestChartsOfMany(t *testing.T) {
	l, cfg := newLog(), report.Config{Game: config().Game}
	for i := range 10 {
		cfg.Engines = append(cfg.Engines, report.Engine{Name: fmt.Sprintf("E%d", i)})
	}
	for i := range 90 {
		a, b := i%10, (i+1+i/10)%10
		if a == b {
			continue
		}
		l.play(played{id: fmt.Sprintf("%06d", i+1), names: [2]string{cfg.Engines[a].Name, cfg.Engines[b].Name}, round: 1, result: game.Win(game.Seat(i%2), "five", "")})
	}
	m := collect(t, cfg, l)
	if len(m.Charts) == 0 || m.Charts[0].Title != "Share of the points: the first 8 of 10 engines" || len(m.Charts[0].Curves) != 8 {
		t.Errorf("%+v", m.Charts)
	}
}
