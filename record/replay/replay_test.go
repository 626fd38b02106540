package replay_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kibitz/internal/shared"

	"kibitz/game"
	"kibitz/games/darkchess"
	"kibitz/games/gomoku"
	"kibitz/games/othello"
	"kibitz/games/phantomgo"
	"kibitz/record"
	"kibitz/record/ggf"
	"kibitz/record/replay"
	"kibitz/record/sgf"
	"kibitz/record/wthor"
	"kibitz/rules"
)

func open(spec game.Spec) (rules.Rules, error) {
	return rules.Open([]rules.Game{othello.Game(), gomoku.Game(), phantomgo.Game(), darkchess.Game()}, string(spec))
}

// game builds a record from words: "b:f5" says whose decision it is, "f5" does
// not.
func build(t *testing.T, spec game.Spec, start, words string) *record.Game {
	t.Helper()
	r, err := open(spec)
	if err != nil {
		t.Fatal(err)
	}
	g := &record.Game{Spec: spec, Start: start, Line: 1}
	for i, w := range strings.Fields(words) {
		s := record.Step{By: game.Nobody, Line: 1 + i/10, Column: 1 + i%10}
		if by, rest, ok := strings.Cut(w, ":"); ok {
			s.By, w = map[string]game.Seat{"1": game.First, "2": game.Second, "d": game.Dealer}[by], rest
		}
		if s.Move, err = r.ParseMove(w); err != nil {
			t.Fatal(err)
		}
		g.Steps = append(g.Steps, s)
	}
	return g
}

func text(l *replay.Line) string {
	var out []string
	for _, s := range l.Steps {
		w := map[game.Seat]string{game.First: "1:", game.Second: "2:", game.Dealer: "d:"}[s.By] + l.Rules.FormatMove(s.Move)
		if s.Forced {
			w += "!"
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

// Black takes b1 by d1, White can never move again, Black ends it with f8.
const wipe = "-XO----- -------- -------- -------- -------- -------- -------- ------OX X"

func TestLines(t *testing.T) {
	five := "1:h8 2:a1 1:i8 2:a2 1:j8 2:a3 1:k8 2:a4 1:l8"
	tests := []struct {
		name, spec, start, words string
		want, illegal            string
		over                     game.Reason
		warn                     string
	}{
		{name: "plain", spec: "othello", words: "1:f5 2:d6", want: "1:f5 2:d6"},
		{name: "seats found", spec: "othello", words: "f5 d6 c3", want: "1:f5 2:d6 1:c3"},
		{name: "pass inserted", spec: "othello", start: wipe, words: "d1 f8", want: "1:d1 2:pa! 1:f8", over: "wipeout"},
		{name: "pass inserted for a named seat", spec: "othello", start: wipe, words: "1:d1 1:f8", want: "1:d1 2:pa! 1:f8", over: "wipeout"},
		{name: "pass given", spec: "othello", start: wipe, words: "1:d1 2:pa 1:f8", want: "1:d1 2:pa 1:f8", over: "wipeout"},
		{name: "pass at the end of the record", spec: "othello", start: wipe, words: "d1", want: "1:d1"},
		{name: "passes after the end", spec: "othello", start: wipe, words: "d1 f8 pa pa", want: "1:d1 2:pa! 1:f8", over: "wipeout"},
		{name: "wrong seat", spec: "othello", words: "1:f5 1:d6", want: "1:f5", illegal: "line 1:2: decision 2, d6: it is second's turn, not first's"},
		{name: "illegal", spec: "othello", words: "f5 d6 a1 c3", want: "1:f5 2:d6", illegal: "line 1:3: decision 3, a1"},
		{name: "voluntary pass", spec: "othello", words: "f5 pa", want: "1:f5", illegal: "decision 2, pa"},
		{name: "five", spec: "gomoku", words: five, want: five, over: "five"},
		{name: "moves after the end", spec: "gomoku", words: five + " o15", want: five, over: "five", warn: "1 decisions after the end"},
		{name: "occupied", spec: "gomoku", words: "h8 h8", want: "1:h8", illegal: "decision 2, h8"},
		{
			name: "swap2", spec: "gomoku:opening=swap2", words: "h8 i8 j10 two a1 b2 stay c3 d4",
			want: "1:h8 1:i8 1:j10 2:two 2:a1 2:b2 1:stay 1:c3 2:d4",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l, err := replay.Play(build(t, game.Spec(tt.spec), tt.start, tt.words), open)
			if err != nil {
				t.Fatal(err)
			}
			if got := text(l); got != tt.want {
				t.Errorf("played %s\nwant   %s", got, tt.want)
			}
			illegal := ""
			if l.Illegal != nil {
				illegal = l.Illegal.Error()
			}
			if (tt.illegal == "") != (illegal == "") || !strings.Contains(illegal, tt.illegal) {
				t.Errorf("illegal: %q, want %q", illegal, tt.illegal)
			}
			if b := l.Verdict.Board; (b != nil) != (tt.over != "") || b != nil && b.Reason != tt.over {
				t.Errorf("on the board: %+v, want %q", b, tt.over)
			}
			if w := strings.Join(l.Warnings, "\n"); (tt.warn == "") != (w == "") || !strings.Contains(w, tt.warn) {
				t.Errorf("warnings %q, want %q", w, tt.warn)
			}
		})
	}
}

func TestNothingToPlay(t *testing.T) {
	for _, g := range []*record.Game{
		{Spec: "checkers", Line: 7},
		{Spec: "othello", Start: "XXX", Line: 7},
	} {
		_, err := replay.Play(g, open)
		e, ok := err.(*record.Error) //nolint:errorlint // the type is the contract
		if !ok || e.Line != 7 {
			t.Errorf("%s: %v", g.Spec, err)
		}
	}
}

func TestVerdicts(t *testing.T) {
	five := "1:h8 2:a1 1:i8 2:a2 1:j8 2:a3 1:k8 2:a4 1:l8"
	open3 := "1:h8 2:a1 1:i8"
	scored := game.Win(game.First, "", "")
	scored.Board, scored.HasBoard = [2]float64{64, 0}, true
	wrong := scored
	wrong.Board = [2]float64{40, 24}
	win := func(s game.Seat, why game.Reason) *game.Result { r := game.Win(s, why, ""); return &r }
	draw := game.Drawn("", "")
	tests := []struct {
		name, spec, start, words string
		stored                   *game.Result
		issue, warn              string
		final                    game.Reason
		winner                   game.Seat
	}{
		{"agrees", "gomoku", "", five, win(game.First, "five"), "", "", "five", game.First},
		{"reason from the board", "gomoku", "", five, win(game.First, ""), "", "", "five", game.First},
		{"nothing stored", "gomoku", "", five, nil, "", "", "five", game.First},
		{"other winner", "gomoku", "", five, win(game.Second, ""), "second wins", "", "five", game.Second},
		{"draw against win", "gomoku", "", five, &draw, "a draw", "", "five", game.Nobody},
		{"other reason", "gomoku", "", five, win(game.First, "full"), "full", "", "full", game.First},
		{"resigned", "gomoku", "", open3, win(game.Second, game.ByResign), "", "", game.ByResign, game.Second},
		{"breaks off", "gomoku", "", open3, win(game.Second, ""), "", "breaks off", "", game.Second},
		{"ended by code too early", "gomoku", "", open3, win(game.Second, "five"), "not over on the board", "", "five", game.Second},
		{"lost on time with the last move", "gomoku", "", five, win(game.Second, game.ByTime), "", "", game.ByTime, game.Second},
		{"score agrees", "othello", wipe, "d1 f8", &scored, "", "", "wipeout", game.First},
		{"score differs", "othello", wipe, "d1 f8", &wrong, "40-24", "", "wipeout", game.First},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := build(t, game.Spec(tt.spec), tt.start, tt.words)
			g.Result = tt.stored
			l, err := replay.Play(g, open)
			if err != nil || l.Illegal != nil {
				t.Fatal(err, l.Illegal)
			}
			issues := strings.Join(l.Verdict.Issues, "\n")
			if (tt.issue == "") != (issues == "") || !strings.Contains(issues, tt.issue) {
				t.Errorf("issues %q, want %q", issues, tt.issue)
			}
			if w := strings.Join(l.Warnings, "\n"); (tt.warn == "") != (w == "") || !strings.Contains(w, tt.warn) {
				t.Errorf("warnings %q, want %q", w, tt.warn)
			}
			f := l.Verdict.Final()
			if f == nil || f.Reason != tt.final || f.Winner() != tt.winner {
				t.Errorf("final %+v, want %s by %s", f, tt.winner, tt.final)
			}
		})
	}
}

func TestViews(t *testing.T) {
	g := build(t, "gomoku", "", "h8 a1 i8 a2 j8 a3 k8 a4 l8")
	l, err := replay.Play(g, open)
	if err != nil {
		t.Fatal(err)
	}
	for n := range l.Len() + 1 {
		v, err := l.View(n, game.Public)
		if err != nil {
			t.Fatal(err)
		}
		stones := 0
		for _, c := range v.Cells {
			if c.Piece != 0 {
				stones++
			}
		}
		if stones != n || (v.Result != nil) != (n == l.Len()) {
			t.Errorf("position %d shows %d stones, result %v", n, stones, v.Result)
		}
		legal, err := l.Legal(n)
		if err != nil || n < l.Len() && len(legal) != 225-n {
			t.Errorf("position %d has %d legal decisions, %v", n, len(legal), err)
		}
	}
	for _, n := range []int{-1, l.Len() + 1} {
		if _, err := l.View(n, game.Public); err == nil {
			t.Errorf("position %d exists", n)
		}
	}
	rec := l.Record()
	if rec.Spec != "gomoku:rule=freestyle,size=15" || rec.Steps[1].By != game.Second || rec.Result == nil {
		t.Errorf("completed record %s %+v", rec.Spec, rec.Steps[1])
	}
	if g.Steps[1].By != game.Nobody {
		t.Error("the original record was changed")
	}
}

// TestHidden shows a Phantom Go record to each audience.
func TestHidden(t *testing.T) {
	l, err := replay.Play(build(t, "phantomgo", "", "1:e5 2:e5 2:d4 1:pass"), open)
	if err != nil || l.Illegal != nil {
		t.Fatal(err, l.Illegal)
	}
	count := func(a game.Audience) (stones int) {
		v, err := l.View(l.Len(), a)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range v.Cells {
			if c.Piece != 0 {
				stones++
			}
		}
		return stones
	}
	if a, b, all := count(game.ToFirst), count(game.ToSecond), count(game.Arbiter); a != 1 || b != 1 || all != 2 {
		t.Errorf("first sees %d stones, second %d, the arbiter %d", a, b, all)
	}
	refusal := l.Notices[1]
	if len(refusal) != 1 || refusal[0].Kind != game.Refused || refusal[0].To.Includes(game.ToFirst) || !refusal[0].To.Includes(game.ToSecond) {
		t.Errorf("of a refused attempt is told %v", refusal)
	}
	for a, want := range map[game.Audience][]int{
		game.ToFirst: {0, 1, 3, 4}, game.ToSecond: {0, 1, 2, 3, 4}, game.Public: {0, 1, 3, 4}, game.Arbiter: {0, 1, 2, 3, 4},
	} {
		if got := l.Known(a); !slices.Equal(got, want) {
			t.Errorf("%s knows of the positions %v, want %v", a, got, want)
		}
	}
}

// TestVariations keeps the legal part of other continuations.
func TestVariations(t *testing.T) {
	games, err := sgf.Read([]byte("(;GM[2];B[f5](;W[d6];B[c3])(;W[f6];B[e6];W[a1])(;W[a1]))"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := replay.Play(games[0], open)
	if err != nil || l.Illegal != nil {
		t.Fatal(err, l.Illegal)
	}
	v := l.Steps[1].Variations
	if len(v) != 1 || len(v[0]) != 2 || len(l.Warnings) != 2 || !strings.Contains(l.Warnings[0], "a1") {
		t.Errorf("variations %v, warnings %q", v, l.Warnings)
	}
}

// TestDealt replays a flip with what it revealed.
func TestDealt(t *testing.T) {
	flip := game.FlipAt(game.Pt(0, 7))
	g := &record.Game{Spec: "darkchess", Steps: []record.Step{{By: game.First, Move: flip}, {By: game.Dealer, Move: game.DealAt(flip.To, 0)}}}
	l, err := replay.Play(g, open)
	if err != nil || l.Illegal != nil || l.Len() != 2 {
		t.Fatal(err, l.Illegal)
	}
	g.Steps = append(g.Steps[:1], record.Step{By: game.Second, Move: game.FlipAt(game.Pt(1, 7))})
	if l, err = replay.Play(g, open); err != nil || l.Illegal == nil {
		t.Errorf("a flip without its piece was accepted: %v %v", err, l.Illegal)
	}
}

// TestWTHOR replays the Othello database: complete games end with the stored
// score, the index says how many passes are implied and which games break off.
func TestWTHOR(t *testing.T) {
	index, err := os.ReadFile(shared.Path(t, "data/README.md"))
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^\\| `(wthor/WTH_\\d+\\.wtb)` .* (\\d+) complete with the stored score equal to the replayed one, (\\d+) break off .*; (\\d+) implied passes; (\\d+) illegal")
	rows := row.FindAllStringSubmatch(string(index), -1)
	if len(rows) < 7 {
		t.Fatalf("the index has %d rows", len(rows))
	}
	for _, m := range rows {
		data, err := os.ReadFile(filepath.Join(filepath.Dir(shared.Path(t, "data/README.md")), "othello", filepath.FromSlash(m[1])))
		if err != nil {
			t.Fatal(err)
		}
		base, err := wthor.ReadGames(data)
		if err != nil {
			t.Fatal(err)
		}
		complete, broken, passes, illegal := 0, 0, 0, 0
		for i := range base.Games {
			g, err := base.Record(i, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			l, err := replay.Play(g, open)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case l.Illegal != nil:
				illegal++
			case l.Verdict.Board == nil:
				broken++
			case len(l.Verdict.Issues) == 0:
				complete++
			default:
				t.Errorf("%s game %d: %v", m[1], i+1, l.Verdict.Issues)
			}
			for _, s := range l.Steps {
				if s.Forced {
					passes++
				}
			}
		}
		got := fmt.Sprint(complete, broken, passes, illegal)
		if want := strings.Join(m[2:6], " "); got != want {
			t.Errorf("%s: %s complete, broken, passes, illegal; the index says %s", m[1], got, want)
		}
	}
}

// TestGGF replays the games of a test collection.
func TestGGF(t *testing.T) {
	data, err := os.ReadFile(shared.Path(t, "data/othello/ggf/TestGames.ggf"))
	if err != nil {
		t.Fatal(err)
	}
	games, err := ggf.Read(data)
	if err != nil || len(games) != 12 {
		t.Fatalf("%d games, %v", len(games), err)
	}
	for i, g := range games {
		l, err := replay.Play(g, open)
		if err != nil || l.Illegal != nil || len(l.Verdict.Issues) > 0 {
			t.Errorf("game %d: %v %v %v", i+1, err, l.Illegal, l.Verdict.Issues)
		}
	}
}

// TestRefused marks the attempts that did not stand, whether the record says so or
// not.
func TestRefused(t *testing.T) {
	g := build(t, "phantomgo", "", "1:e5 2:e5 2:d4 1:pass")
	g.Steps[0].Refused = true // which is wrong
	l, err := replay.Play(g, open)
	if err != nil || l.Illegal != nil {
		t.Fatal(err, l.Illegal)
	}
	for i, s := range l.Record().Steps {
		if s.Refused != (i == 1) {
			t.Errorf("decision %d refused: %v", i+1, s.Refused)
		}
	}
	if len(l.Warnings) != 2 || !strings.Contains(l.Warnings[0], "e5 was refused; by the rules it stands") || !strings.Contains(l.Warnings[1], "e5 is refused by the rules and taken as an attempt") {
		t.Errorf("warnings %q", l.Warnings)
	}
}

// TestGoRepetition plays the games of Go on the board of Phantom Go: under simple
// ko every stone stands but those that the index calls a defect, with superko a
// stone is refused exactly where the index counts a repetition of the whole board.
func TestGoRepetition(t *testing.T) {
	index, err := os.ReadFile(shared.Path(t, "data/README.md"))
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^\\| `((?:fuego|littlego)/[^`]+)` .* (\\d+)x\\d+, .* ko violations 0, whole-board repetitions (\\d+),(.*)$")
	played, repeated := 0, 0
	for _, m := range row.FindAllStringSubmatch(string(index), -1) {
		if strings.Contains(m[1], "Illegal_games") && !strings.Contains(m[1], "superko") && !strings.Contains(m[1], "suicide") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(filepath.Dir(shared.Path(t, "data/go9x9/fuego")), filepath.FromSlash(m[1])))
		if err != nil {
			t.Fatal(err)
		}
		games, err := sgf.Read(data)
		if err != nil {
			t.Fatal(err)
		}
		refusals := func(options string) int {
			g := *games[0]
			g.Spec = game.Spec("phantomgo:size=" + m[2] + options)
			l, err := replay.Play(&g, open)
			if err != nil {
				t.Fatal(m[1], err)
			}
			n := 0
			for _, s := range l.Steps {
				if s.Refused {
					n++
				}
			}
			return n
		}
		defect := strings.Contains(m[4], "DEFECT")
		if n := refusals(""); n > 0 != defect {
			t.Errorf("%s: %d stones are refused under simple ko", m[1], n)
		}
		again := m[3] != "0"
		if n := refusals(",superko=true"); n > 0 != (again || defect) {
			t.Errorf("%s: %d stones are refused under superko, the index counts %s repetitions", m[1], n, m[3])
		}
		played++
		if again {
			repeated++
		}
	}
	if played < 60 || repeated < 5 {
		t.Errorf("%d games, %d with a repetition", played, repeated)
	}
}
