package report_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kibitz/game"
	"kibitz/journal"
	"kibitz/rating"
	"kibitz/report"
	"kibitz/tournament"
)

// awards appends n games that an organiser awarded to A: alternately at once, and by
// a ruling on a game in which nobody moved.
func awards(l *log, n int) {
	for i := range n {
		p := played{id: fmt.Sprintf("9%05d", i), names: [2]string{"A", "B"}, round: 900 + i/2, opening: "of nobody", result: game.Win(game.First, game.ByAdjudication, "not played")}
		if i%2 == 1 {
			p.names, p.result = [2]string{"B", "A"}, game.Win(game.First, game.ByStart, "does not start")
		}
		l.play(p)
		if i%2 == 1 {
			l.put(p.id, &journal.Event{Kind: journal.KindRuling, Ruling: &journal.Ruling{Result: game.Win(game.Second, game.ByAdjudication, "late"), By: "Ada"}})
		}
	}
}

// Games that were awarded without being played bring points; every estimate is the
// one without them, as in the tournament's own standings.
func TestAwardedGames(t *testing.T) {
	for _, repeat := range []bool{false, true} {
		cfg := config()
		cfg.Repeat = repeat
		cfg.Engines[1].Name = "B"
		bare, l := many(200), many(200)
		awards(l, 6)
		counted := func(l *log) *report.Model {
			cfg.Sequence = rating.NewSequence(rating.SPRT{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05, Model: rating.Logistic}, repeat)
			return collect(t, cfg, l)
		}
		want, m := counted(bare), counted(l)
		st := tournament.NewStandings(tournament.Plan{Engines: 2, Games: 206, Rounds: 1, Repeat: repeat}, tournament.DefaultPoints)
		for i, g := range m.Games {
			plies := 1 // those of the log have none
			if g.Unplayed() {
				plies = 0
			}
			st.Add(tournament.Finished{Pairing: tournament.Pairing{Index: i, Shuffle: i / 2, First: g.Engines[0], Second: g.Engines[1]}, Result: g.Result, Plies: plies})
		}
		for _, s := range m.Standings {
			e := st.Entry(s.Engine)
			if s.Games != e.Games || s.Wins != e.Wins || s.Losses != e.Losses || s.Points != e.Points || s.WonUnplayed != e.WonUnplayed || s.LostUnplayed != e.LostUnplayed {
				t.Errorf("%+v, the standings have %+v", s, e)
			}
			if row := standingsRow(t, m, s.Name); row["score"] != fmt.Sprint(math.Round(s.Points/float64(s.Games)*1e4)/1e4) {
				t.Errorf("%s: score %s of %v points in %d games", s.Name, row["score"], s.Points, s.Games)
			}
			if e := st.Difference(s.Engine); s.Estimate != e {
				t.Errorf("%+v, the standings have %+v", s.Estimate, e)
			}
			for _, w := range want.Standings {
				if w.Engine == s.Engine && (w.Estimate != s.Estimate) {
					t.Errorf("%s: %+v, without awards %+v", s.Name, s, w)
				}
			}
		}
		x, w := m.Meetings[0], want.Meetings[0]
		if x.Estimate != w.Estimate || x.Penta != w.Penta || x.ByPairs != w.ByPairs || x.ByPairs != repeat || x.Trio != [3]int{w.Trio[0], w.Trio[1], w.Trio[2] + 6} || x.Unplayed() != 6 {
			t.Errorf("%+v, without awards %+v", x, w)
		}
		if d := cmp.Diff(want.Charts, m.Charts, cmpopts.EquateNaNs()); d != "" || want.Test.LLR() != m.Test.LLR() || len(m.Charts) < 3 {
			t.Errorf("%d charts: %s", len(m.Charts), d)
		}
		if d := cmp.Diff(want.Openings, m.Openings); d != "" || m.Compared != want.Compared {
			t.Errorf("%d compared: %s", m.Compared, d)
		}
		pgn := func(m *report.Model) string {
			return written(t, func(w *bytes.Buffer) error { return m.PGN(w) })
		}
		if pgn(m) != pgn(want) {
			t.Error("games that were not played are among the results for rating programs")
		}
		if text := page(t, m); !strings.Contains(text, `206 <small>6 not played</small>`) {
			t.Error("the page does not say that games were not played")
		}
		if strings.Contains(page(t, want), "not played</small>") {
			t.Error("the page says it of a run that has none")
		}
	}
}

// Whoever has nothing but awards has points, and no estimate.
func TestOnlyAwards(t *testing.T) {
	cfg := config()
	cfg.Engines = append(cfg.Engines, report.Engine{Name: "C"})
	cfg.Engines[1].Name = "B"
	l := many(20)
	l.play(played{id: "900000", names: [2]string{"A", "C"}, result: game.Win(game.Second, game.ByAdjudication, "not played")})
	l.play(played{id: "900001", names: [2]string{"A", "C"}, moves: stones(0, 1), result: game.Drawn(game.ByAdjudication, "agreed")})
	for _, s := range collect(t, cfg, l).Standings {
		if s.Name == "C" && (s.Points != 1.5 || s.Played() != 1 || s.Estimate.Score != 0.5 || s.Estimate.Elo != 0) {
			t.Errorf("%+v", s)
		}
	}
	l = many(20)
	l.play(played{id: "900000", names: [2]string{"A", "C"}, result: game.Win(game.Second, game.ByAdjudication, "not played")})
	m := collect(t, cfg, l)
	for _, s := range m.Standings {
		if s.Name == "C" && (s.Points != 1 || s.Played() != 0 || s.Estimate.Elo == s.Estimate.Elo) {
			t.Errorf("%+v", s)
		}
	}
	if row := standingsRow(t, m, "C"); row["games"] != "1" || row["points"] != "1" || row["score"] != "1" || row["elo"] != "" {
		t.Errorf("%v", row)
	}
	page(t, m)
}

// standingsRow is the row of an engine in the table of standings, by the names of columns.
func standingsRow(t *testing.T, m *report.Model, name string) map[string]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(written(t, func(w *bytes.Buffer) error { return m.StandingsCSV(w) }))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows[1:] {
		if r[1] != name {
			continue
		}
		out := map[string]string{}
		for i, cell := range r {
			out[rows[0][i]] = cell
		}
		return out
	}
	t.Fatalf("no row of %s", name)
	return nil
}
