package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"kibitz/game"
	"kibitz/games"
	"kibitz/internal/plain"
	"kibitz/journal"
	"kibitz/run/result"
	"kibitz/term"
)

// playRun plays a match and returns its folder.
func playRun(t testing.TB, args ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a run")
	var out, errs bytes.Buffer
	a := &app{stdin: strings.NewReader(""), stdout: &term.Output{Writer: &out}, stderr: &errs, now: time.Now, ctx: t.Context(), drain: make(chan struct{})}
	args = append([]string{"match", "--quiet", "--out", dir}, args...)
	if status := executeFull(a, args); status != 0 {
		t.Fatalf("status %d of %v: %s", status, args, errs.String())
	}
	return dir
}

// reportOf makes the page of a run and returns it.
func reportOf(t *testing.T, dir, page string) string {
	t.Helper()
	if _, err := writeReport(dir, time.Unix(1e9, 0), reportOptions{HTML: page, CSV: dir, Boards: reportBoards}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// links returns the links of a page to other files.
func links(t *testing.T, text string) (out []string) {
	t.Helper()
	for z := html.NewTokenizer(strings.NewReader(text)); z.Next() != html.ErrorToken; {
		for _, a := range z.Token().Attr {
			if a.Key == "href" && !strings.HasPrefix(a.Val, "#") {
				out = append(out, a.Val)
			}
		}
	}
	return out
}

// pageData is what a test wants of the data of a page.
type pageData struct {
	Texts   []string
	Games   [][]any
	Viewers []struct{ M []string }
}

func dataOf(t *testing.T, text string) (d pageData) {
	t.Helper()
	_, text, _ = strings.Cut(text, `id="data">`)
	text, _, _ = strings.Cut(text, "</script>")
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestReportOfEveryGame makes a report of a short run of each game: every link
// leads to a file, also from another folder, games can be looked at, and the tables
// say what the summary says.
func TestReportOfEveryGame(t *testing.T) {
	for _, g := range games.All() {
		t.Run(g.ID, func(t *testing.T) {
			dir := playRun(t, "--game", g.ID, "--engine", "bot=random name=R#1", "--engine", "bot=1", "--games", "2", "--seed", "3", "--secret", strings.Repeat("5a", 32))
			page := filepath.Join(t.TempDir(), "page.html")
			text := reportOf(t, dir, page)
			list := links(t, text)
			for _, l := range list {
				name, err := url.PathUnescape(l)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := os.Stat(filepath.Join(filepath.Dir(page), name)); err != nil {
					t.Error(err)
				}
			}
			d := dataOf(t, text)
			if len(list) != 4 || len(d.Viewers) != 2 || len(d.Viewers[0].M) < 5 {
				t.Errorf("%d links, %d games to look at", len(list), len(d.Viewers))
			}
			sameAsSummary(t, dir)
		})
	}
}

// sameAsSummary compares standings.csv with summary.json, which the match wrote.
func sameAsSummary(t *testing.T, dir string) {
	t.Helper()
	var sum result.Summary
	b, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err == nil {
		err = json.Unmarshal(b, &sum)
	}
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(dir, "standings.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) != len(sum.Engines)+1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, e := range sum.Engines {
		want := fmt.Sprint([]string{e.Name, fmt.Sprint(e.Games), fmt.Sprint(e.Wins), fmt.Sprint(e.Draws), fmt.Sprint(e.Losses), plain.Number(e.Score)})
		row := slices.IndexFunc(rows, func(r []string) bool { return r[1] == e.Name })
		if row < 1 {
			t.Fatalf("engine %d, %s, is missing", i, e.Name)
		}
		r := rows[row]
		if got := fmt.Sprint(r[1:7]); got != want || !sameElo(r[8], e.Elo) || !sameElo(r[9], e.Error) {
			t.Errorf("%s Elo %s ± %s, the summary has %s", got, r[8], r[9], want)
		}
	}
}

// sameElo compares a cell with a number of the summary, which has none where all
// games went one way.
func sameElo(cell string, elo *float64) bool {
	x, err := strconv.ParseFloat(cell, 64)
	return elo == nil && (err != nil || math.IsInf(x, 0)) || elo != nil && x == *elo
}

// TestReportOfBlocks makes a report of a run that keeps a hundred games to a file.
func TestReportOfBlocks(t *testing.T) {
	if testing.Short() {
		t.Skip("1002 games")
	}
	dir := playRun(t, "--game", "dotsandboxes:size=3", "--engine", "bot=random name=A", "--engine", "bot=random name=B", "--games", "1002", "--concurrency", "2", "--repeat")
	text := reportOf(t, dir, filepath.Join(dir, "report.html"))
	d := dataOf(t, text)
	if len(d.Games) != 1002 || len(d.Viewers) != reportBoards {
		t.Errorf("%d games, %d to look at", len(d.Games), len(d.Viewers))
	}
	for _, g := range d.Games {
		for _, i := range []int{13, 14} {
			name := d.Texts[int(g[i].(float64))]
			if _, err := fs.Stat(os.DirFS(dir), name); err != nil {
				t.Fatal(err)
			}
		}
	}
	sameAsSummary(t, dir)
}

// TestReportOfRunningGame cuts the journal off at many places in the second game of
// a run, as if it still went on: all reports are the same to the byte, and so they
// tell nothing of that game. With paired shuffles they tell nothing of the first one
// but its result either.
func TestReportOfRunningGame(t *testing.T) {
	for _, game := range []string{"phantomgo", "darkchess"} {
		dir := playRun(t, "--game", game, "--engine", "bot=random name=A", "--engine", "bot=random name=B", "--games", "2", "--repeat", "--each", "tc=60")
		whole, err := os.ReadFile(filepath.Join(dir, "journal"))
		if err != nil {
			t.Fatal(err)
		}
		start := bytes.Index(whole, []byte(`"game":"000002"`))
		end := start + bytes.Index(whole[start:], []byte(`"kind":"result"`))
		var want string
		for i := range 6 {
			cut := start + 2000 + (end-start-2000)*i/6
			if err := os.WriteFile(filepath.Join(dir, "journal"), whole[:cut], 0o644); err != nil {
				t.Fatal(err)
			}
			text := reportOf(t, dir, filepath.Join(dir, "report.html")) + tablesOf(t, dir)
			switch {
			case i == 0:
				want = text
			case text != want:
				t.Fatalf("%s: the report changes with the running game", game)
			}
		}
		d := dataOf(t, want)
		if len(d.Games) != 1 || strings.Contains(want, "<dt>secret</dt>") {
			t.Errorf("%s: %d games", game, len(d.Games))
		}
		if closed := strings.Contains(want, "<small>shown when its shuffle"); closed != (game == "darkchess") || closed != (len(d.Viewers) == 0) {
			t.Errorf("%s: closed %v, %d games to look at", game, closed, len(d.Viewers))
		}
	}
}

// tablesOf returns the tables of a run.
func tablesOf(t *testing.T, dir string) (out string) {
	t.Helper()
	for _, name := range []string{"games.csv", "standings.csv"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		out += string(b)
	}
	return out
}

// TestReportOfEntered has a row for an engine that an organiser let in and that has
// not played, with what may be shown of it.
func TestReportOfEntered(t *testing.T) {
	dir := playRun(t, "--game", "nogo:size=5", "--engine", "bot=random name=A", "--engine", "bot=random name=B", "--games", "2")
	w, _, err := journal.Open(filepath.Join(dir, "journal"))
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []journal.Order{
		{Order: json.RawMessage(`{"kind":"enter","engine":2,"name":"Late"}`), Engine: "bot=random name=Late env.TOKEN=hush"},
		{Order: json.RawMessage(`{"kind":"withdraw","engine":2}`)},
	} {
		if err := w.Append(&journal.Event{Time: time.Unix(1e9, 0), To: game.Arbiter, Kind: journal.KindOrder, Order: &o}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	text := reportOf(t, dir, filepath.Join(dir, "report.html"))
	table, err := os.ReadFile(filepath.Join(dir, "standings.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, `<th scope="row">Late</th>`) || strings.Contains(text+string(table), "hush") {
		t.Error("the page does not know who entered, or tells too much")
	}
	if n := strings.Count(string(table), "Late,0,0,0,0,0,"); n != 1 {
		t.Errorf("%d rows: %s", n, table)
	}
}
