package screen

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/games"
	"kibitz/journal"
	"kibitz/rating"
	"kibitz/rules"
	"kibitz/tournament"
)

// steered is a run that only notes what it is told.
type steered struct {
	status tournament.Status
	orders []string
}

func (s *steered) Order(do string) (string, error) {
	s.orders = append(s.orders, do)
	switch do {
	case "pause", "continue":
		s.status.Paused = do == "pause"
	case "drain":
		s.status.Drained = true
	}
	return "did " + do, nil
}

func (s *steered) Widen(by int) {
	s.orders = append(s.orders, fmt.Sprintf("%+d", by))
	s.status.Limit += by
}

func (s *steered) Status() tournament.Status { return s.status }
func (s *steered) Tally() Tally              { return Tally{} }

// press is a key as the terminal tells it.
func press(key string) tea.KeyPressMsg {
	switch key {
	case "tab":
		return tea.KeyPressMsg{Code: tea.KeyTab}
	case "shift+tab":
		return tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}
	case "esc":
		return tea.KeyPressMsg{Code: tea.KeyEscape}
	case "ctrl+c":
		return tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl}
	case "alt+d":
		return tea.KeyPressMsg{Code: 'd', Mod: tea.ModAlt}
	}
	return tea.KeyPressMsg{Code: []rune(key)[0], Text: key}
}

// then is a screen after messages.
func then(m model, msgs ...tea.Msg) model {
	for _, msg := range msgs {
		next, _ := m.Update(msg)
		m = next.(model)
	}
	return m
}

// update writes the files of testdata anew.
var update = flag.Bool("update", false, "write the screens anew")

// gameID is what a run calls its games.
func gameID(number int) string { return fmt.Sprintf("%06d", number) }

// screenNow is the moment of the frames below.
var screenNow = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// newModel returns an empty screen for a game without colours.
func newModel(t *testing.T, spec string, wide, high int) (model, *steered) {
	t.Helper()
	r, err := games.Open(spec)
	if err != nil {
		t.Fatal(err)
	}
	s := &steered{status: tournament.Status{Playing: 2, Limit: 2}}
	m := model{
		run: s, look: func() frame { return frame{} },
		facts: Facts{Rules: r, Format: "roundrobin", Began: screenNow.Add(-65 * time.Second), Earlier: time.Hour, Before: 10},
	}
	return then(m, tea.WindowSizeMsg{Width: wide, Height: high}), s
}

// liveAt returns a game after moves, as its events tell it.
func liveAt(t *testing.T, r rules.Rules, number int, moves string) *liveGame {
	t.Helper()
	control, err := clock.Parse("300+2")
	if err != nil {
		t.Fatal(err)
	}
	names := [2]string{"a-first-engine-with-a-long-name", "second"}
	l := &liveGames{}
	l.begin(newLiveGame(gameID(number), names, [2]clock.Control{control, control}, r.Doc().Info == rules.Private, screenNow.Add(-time.Minute)))
	b := rules.NewBoard(func(game.Spec) (rules.Rules, error) { return r, nil })
	if err := b.Reset(r.Spec(), ""); err != nil {
		t.Fatal(err)
	}
	id := gameID(number)
	clocks := [2]journal.Clock{{Left: 290 * time.Second}, {Left: 12 * time.Second}}
	l.event(&journal.Event{Game: id, To: game.Public, Kind: journal.KindStart, Start: &journal.Start{}, Time: screenNow.Add(-time.Minute)}, r)
	for i, text := range strings.Fields(moves) {
		m, err := r.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Apply(m); err != nil {
			t.Fatal(err)
		}
		by, at := game.Seat(i%2), screenNow.Add(-3500*time.Millisecond)
		v := b.View(game.Public)
		d := &journal.Decision{By: by, Steps: []game.Move{m}, Clocks: clocks, Next: v.Turn, Ended: true}
		l.event(&journal.Event{Game: id, To: game.Public, Kind: journal.KindDecision, Decision: d, Time: at}, r)
		said := &journal.Said{By: by, Info: game.Info{Eval: game.Eval{Unit: game.Discs, Lo: 2.5, Hi: 2.5}, Depth: 12 + i, Nodes: 4711, Text: "f4e3\x1b[2J"}}
		l.event(&journal.Event{Game: id, To: game.Arbiter, Kind: journal.KindSaid, Said: said, Time: at}, r)
		l.event(&journal.Event{Game: id, To: game.Public, Kind: journal.KindView, View: &v, Time: at}, r)
	}
	return l.all()[0]
}

// tuiSample is a frame with something of everything.
func tuiSample(t *testing.T, r rules.Rules) frame {
	t.Helper()
	over := liveAt(t, r, 2, "f5 f6 e6 f4")
	res := game.Win(game.Second, game.ByTime, "3 ms too late")
	over.result = &res
	nan := math.NaN()
	return frame{
		at: screenNow, status: tournament.Status{Playing: 2, Limit: 2},
		games: []*liveGame{over, liveAt(t, r, 11, "f5 d6 c3"), liveAt(t, r, 12, "")},
		tally: &Tally{
			Done: 12, Of: 100, Late: 83 * time.Microsecond, Transit: 18 * time.Microsecond, WorstError: 1234 * time.Microsecond, Measured: 3,
			Rows: []Row{
				{Rank: 1, Name: "second", Points: 8.5, Wins: 8, Draws: 1, Losses: 3, Elo: 120.4, Error: 150.2},
				{Rank: 2, Name: "a-first-engine-with-a-long-name", Points: 3.5, Wins: 3, Draws: 1, Losses: 8, Elo: -3.21, Error: 1.23},
				{Rank: 3, Name: "third", Elo: nan, Error: nan},
			},
			Test: &rating.Standing{Model: "logistic", Elo1: 5, LLR: -0.35, Lower: -2.94, Upper: 2.94, Decision: "continue"},
		},
		results:  []string{"9 second - third 1-0 count", "10 third - second ½-½ count"},
		warnings: []string{"game 000009: an answer came late", "second: did not end in time"},
		held:     1,
	}
}

// renamed gives the engines of a frame short names.
func renamed(f frame) frame {
	for _, g := range f.games {
		g.names = [2]string{"alpha", "beta-2"}
	}
	for i, name := range []string{"beta-2", "alpha", "gamma"} {
		f.tally.Rows[i].Name = name
	}
	f.results = []string{"9 beta-2 - gamma 1-0 count", "10 gamma - beta-2 ½-½ count"}
	f.warnings, f.held = []string{"game 000009: an answer came late"}, 0
	return f
}

// The screens of testdata are what people see; -update writes them anew. The one
// of docs/match.md is among them.
func TestScreens(t *testing.T) {
	for _, c := range []struct {
		name       string
		wide, high int
		keys       []string
	}{
		{"grid-80x24", 80, 24, nil},
		{"grid-120x40", 120, 40, nil},
		{"page-80x24", 80, 24, nil},
		{"large-80x24", 80, 24, []string{"tab"}},
		{"below-50x30", 50, 30, nil},
		{"list-80x12", 80, 12, []string{"p"}},
		{"list-60x12", 60, 12, []string{"d"}},
		{"help-80x24", 80, 24, []string{"?"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, _ := newModel(t, "othello", c.wide, c.high)
			f := tuiSample(t, m.facts.Rules)
			if c.name == "page-80x24" {
				f = renamed(f)
			}
			m = then(m, frameMsg(f))
			for _, k := range c.keys {
				m = then(m, press(k))
			}
			got := clearLines(m.screen()) + "\n"
			name := filepath.Join("testdata", c.name+".txt")
			if *update {
				if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
			}
		})
	}
}

// No screen of any size is larger than the terminal, with colours and without, and
// nothing that an engine writes moves the cursor.
func TestFitsEverySize(t *testing.T) {
	for _, spec := range []string{"othello", "connect6", "surakarta"} {
		for _, keys := range [][]string{nil, {"tab"}, {"?", "q"}} {
			m, _ := newModel(t, spec, 1, 1)
			f := tuiSample(t, open(t, "othello"))
			if spec != "othello" {
				f.games = []*liveGame{liveAt(t, m.facts.Rules, 1, "")}
				v := rulesView(t, m.facts.Rules)
				f.games[0].view = &v
			}
			m.colour = true
			m = then(m, frameMsg(f))
			for _, k := range keys {
				m = then(m, press(k))
			}
			for wide := 1; wide <= 140; wide += 13 {
				for high := 1; high <= 50; high += 7 {
					m = then(m, tea.WindowSizeMsg{Width: wide, Height: high})
					checkSize(t, m.screen(), wide, high)
				}
			}
		}
	}
}

func checkSize(t *testing.T, screen string, wide, high int) {
	t.Helper()
	lines := strings.Split(screen, "\n")
	if len(lines) > high {
		t.Fatalf("%d lines on a terminal of %dx%d", len(lines), wide, high)
	}
	for _, line := range lines {
		if n := ansi.StringWidth(line); n > wide {
			t.Fatalf("%d columns on a terminal of %dx%d: %q", n, wide, high, line)
		}
		if plain := ansi.Strip(line); strings.ContainsAny(plain, "\x1b\r\a") || strings.Contains(line, "[2J") && strings.Contains(line, "\x1b[2J") {
			t.Fatalf("%q moves the cursor", line)
		}
	}
}

func open(t *testing.T, spec string) rules.Rules {
	t.Helper()
	r, err := games.Open(spec)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// rulesView is the initial position as the public sees it.
func rulesView(t *testing.T, r rules.Rules) game.View {
	t.Helper()
	b := rules.NewBoard(func(game.Spec) (rules.Rules, error) { return r, nil })
	if err := b.Reset(r.Spec(), ""); err != nil {
		t.Fatal(err)
	}
	return b.View(game.Public)
}

// Keys give the run the orders that they stand for, and the screen says so.
func TestKeys(t *testing.T) {
	for _, c := range []struct {
		keys, orders, foot string
	}{
		{"p", "pause", "did pause"},
		{"p p", "pause continue", "did continue"},
		{"d p", "drain", "ends with the games that run"},
		{"+ + -", "+1 +1 -1", "3 games at a time"},
		{"=", "+1", "3 games at a time"},
		{"q", "drain", "q once more stops at once"},
		{"q q", "drain stop", "did stop"},
		{"ctrl+c ctrl+c", "drain stop", "did stop"},
		{"d q", "drain drain", "q once more stops at once"},
		{"tab alt+d", "drain", "did drain"},
		{"x", "", "p pause"},
	} {
		m, s := newModel(t, "othello", 80, 24)
		m = then(m, frameMsg(tuiSample(t, m.facts.Rules)))
		for k := range strings.FieldsSeq(c.keys) {
			m = then(m, press(k))
		}
		lines := strings.Split(m.screen(), "\n")
		if got := strings.Join(s.orders, " "); got != c.orders {
			t.Errorf("%s: orders %q instead of %q", c.keys, got, c.orders)
		}
		if foot := lines[len(lines)-1]; !strings.Contains(foot, c.foot) {
			t.Errorf("%s: %q instead of %q", c.keys, foot, c.foot)
		}
	}
}

// What a signal says stands on the screen, and the next q is the second.
func TestNotice(t *testing.T) {
	m, s := newModel(t, "othello", 80, 24)
	m = then(m, frameMsg(tuiSample(t, m.facts.Rules)), noticeMsg("running games end"), press("q"))
	if !slices.Equal(s.orders, []string{"stop"}) {
		t.Error(s.orders)
	}
	m, _ = newModel(t, "othello", 80, 24)
	f := tuiSample(t, m.facts.Rules)
	m = then(m, frameMsg(f), press("p"))
	f.at = f.at.Add(noticeTime)
	if m = then(m, frameMsg(f)); !strings.Contains(m.screen(), "p pause") {
		t.Error("the answer to a key stays for ever")
	}
}

// Tab goes through the games that run and back to the first.
func TestSteps(t *testing.T) {
	m, _ := newModel(t, "othello", 80, 24)
	m = then(m, frameMsg(tuiSample(t, m.facts.Rules)))
	for _, c := range [][2]string{{"tab", "000011"}, {"tab", "000012"}, {"tab", "000011"}, {"shift+tab", "000012"}, {"esc", ""}, {"shift+tab", "000012"}} {
		if m = then(m, press(c[0])); m.large != c[1] {
			t.Errorf("%s: %q instead of %q", c[0], m.large, c[1])
		}
	}
}

// A game keeps its place; one that is over gives it to one that begins.
func TestPlaced(t *testing.T) {
	g := func(id string, over bool) *liveGame {
		out := &liveGame{id: id}
		if over {
			out.result = &game.Result{}
		}
		return out
	}
	for _, c := range []struct {
		before []string
		games  []*liveGame
		places int
		want   []string
	}{
		{nil, nil, 0, []string{}},
		{nil, nil, 2, []string{"", ""}},
		{nil, []*liveGame{g("1", false), g("2", false), g("3", false)}, 2, []string{"1", "2"}},
		{[]string{"1", "2"}, []*liveGame{g("1", true), g("2", false), g("3", false)}, 2, []string{"3", "2"}},
		{[]string{"1", "2"}, []*liveGame{g("1", true), g("2", false)}, 2, []string{"1", "2"}},
		{[]string{"1", "2"}, []*liveGame{g("2", false)}, 3, []string{"", "2", ""}},
		{[]string{"1", "2"}, []*liveGame{g("1", true), g("2", false), g("3", false)}, 1, []string{"2"}},
		{nil, []*liveGame{g("1", true), g("2", true), g("3", false)}, 2, []string{"3", "2"}},
	} {
		if got := placed(c.before, c.games, c.places); !slices.Equal(got, c.want) {
			t.Errorf("%q after %q", got, c.before)
		}
	}
}

// Clocks in a few characters.
func TestClockText(t *testing.T) {
	for _, c := range []struct {
		control string
		spent   time.Duration
		want    string
	}{
		{"300", 10 * time.Second, "4:50"},
		{"300", 290500 * time.Millisecond, "9.5"},
		{"300", 301 * time.Second, "0.0"},
		{"7200", 0, "2:00:00"},
		{"inf", 3 * time.Second, "+3.0"},
	} {
		control, err := clock.Parse(c.control)
		if err != nil {
			t.Fatal(err)
		}
		if got := clockText(clock.New(control).Spend(c.spent)); got != c.want {
			t.Errorf("%s after %s: %q instead of %q", c.control, c.spent, got, c.want)
		}
	}
	if got := clockText(clock.New(clock.Control{Periods: 3, Period: 30 * time.Second}).Spend(40 * time.Second)); got != "0:20x2" {
		t.Errorf("byo-yomi: %q", got)
	}
	if got := clockText(clock.New(clock.Control{Turn: 5 * time.Second}).Spend(2 * time.Second)); got != "3.0" {
		t.Errorf("a time for each move: %q", got)
	}
}

// The bar of a sequential test has its mark between the bounds, whatever they are.
func TestLLRBar(t *testing.T) {
	for _, c := range []struct {
		x, low, high float64
		want         string
	}{
		{0, -2.94, 2.94, "[----#----]"},
		{-9, -2.94, 2.94, "[#---|----]"},
		{2.94, -2.94, 2.94, "[----|---#]"},
		{1, 1, 1, ""},
	} {
		if got := llrBar(c.x, c.low, c.high, 11); got != c.want {
			t.Errorf("%v: %s instead of %s", c.x, got, c.want)
		}
	}
}

// The picture in docs/match.md is the screen.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/match.md")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/page-80x24.txt")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "```\n"+string(want)+"```\n") {
		t.Errorf("docs/match.md does not show\n%s", want)
	}
}
