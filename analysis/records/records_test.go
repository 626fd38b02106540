package records

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"kibitz/analysis"
	"kibitz/bot"
	"kibitz/game"
	"kibitz/games"
	"kibitz/player"
	"kibitz/record"
	"kibitz/record/formats"
	"kibitz/rules"
	"kibitz/run/engines"
)

// failing fails when its second game begins.
type failing struct {
	player.Player
	games int
}

func (f *failing) NewGame(ctx context.Context, s *player.Setup) error {
	if f.games++; f.games > 1 {
		return &player.Failure{Reason: game.ByCrash, Detail: "gone"}
	}
	return f.Player.NewGame(ctx, s)
}

func (f *failing) CanStart(spec game.Spec) player.Start {
	return f.Player.(player.Positioner).CanStart(spec)
}

func (f *failing) Analyse(ctx context.Context, q player.Question, tell func(game.Info) bool) error {
	return f.Player.(player.Analyst).Analyse(ctx, q, tell)
}

// What is found before an engine fails is shown and kept; what is not legal is told, and what comes
// before it analysed.
func TestAnalyst(t *testing.T) {
	for _, tt := range []struct {
		name, text          string
		wrap                func(player.Player) player.Player
		positions, analysed int
		warned, fault       string
	}{
		{"one", "f5d6c3\n", nil, 4, 1, "", ""},
		{"two", "f5d6c3\nf5f6\n", nil, 7, 2, "", ""},
		{"not legal", "f5d6a1\n", nil, 3, 1, "what comes before is analysed", ""},
		{"fails", "f5d6\n", func(p player.Player) player.Player { return &failing{p, 1} }, 3, 0, "", "gone"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list, err := formats.New(games.OpenSpec).Read("a.moves", []byte(tt.text), "", "")
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			warned, made, done := "", 0, 0
			l := &engines.Launcher{Now: time.Now}
			n := &Analyst{
				File: "a.moves", Name: "bot", Open: games.OpenSpec, Scale: func(rules.Rules) analysis.Scale { return analysis.Scale{Slope: 0.12} }, W: &out, JSON: true, Worst: 5,
				Engine: func(r rules.Rules) (player.Player, bool, error) {
					made++
					p, err := l.Bot(r.Spec().ID(), "1", bot.Options{Seed: 1})
					if err == nil && tt.wrap != nil {
						p = tt.wrap(p)
					}
					return p, false, err
				},
				Options: analysis.Options{
					Method: analysis.Auto, To: -1, Lines: 1, Limits: player.Limits{Depth: 2}, Stop: make(chan struct{}), Name: "bot", Now: time.Now,
				},
				Warn: func(text string) { warned += text }, Progress: func(n int) { done = n },
			}
			defer n.Close()
			positions, err := n.Load(list, 1)
			if err != nil || positions != tt.positions {
				t.Fatalf("%d positions, %v, want %d", positions, err, tt.positions)
			}
			err = n.All(t.Context())
			var v *Verdict
			if tt.fault == "" && err != nil || tt.fault != "" && (!errors.As(err, &v) || !strings.Contains(v.Text, tt.fault)) {
				t.Errorf("%v, want %q", err, tt.fault)
			}
			if !strings.Contains(warned, tt.warned) || tt.warned == "" && warned != "" {
				t.Errorf("warned %q, want %q", warned, tt.warned)
			}
			if tt.fault != "" {
				return
			}
			if got := strings.Count(out.String(), `"type":"position"`); got != tt.positions || done != tt.positions || made != 1 {
				t.Errorf("%d positions shown, %d done by %d engines, want %d by one\n%s", got, done, made, tt.positions, out.String())
			}
			if len(n.Done) != tt.analysed || n.Done[0].Steps[0].Info == nil || !n.Done[0].Steps[0].Info.Eval.Known() {
				t.Errorf("%d games have evaluations, want %d", len(n.Done), tt.analysed)
			}
		})
	}
}

// The same game gives the same review, to the byte.
func TestReviewTwice(t *testing.T) {
	list, err := formats.New(games.OpenSpec).Read("a.moves", []byte("f5d6c3d3c4f4f6f3e6e7\n"), "", "")
	if err != nil {
		t.Fatal(err)
	}
	review := func() string { return reviewOf(t, list, player.Limits{Depth: 6}) }
	first := review()
	if again := review(); again != first || !strings.Contains(first, "first (first): accuracy ") {
		t.Errorf("%s\nand then\n%s", first, again)
	}
}

// Each turn is judged however few nodes the engine may look at, or it is said why not.
func TestEachTurnIsJudged(t *testing.T) {
	for file, want := range map[string]string{
		"connect6.ccgc": "", "othello.ggf": "", "darkchess.board": "because chance decided something after", "phantomgo.ccgc": "because seats evaluate by what each knows",
	} {
		data, err := os.ReadFile("../../cmd/kibitz/testdata/own/" + file)
		if err != nil {
			t.Fatal(err)
		}
		list, err := formats.New(games.OpenSpec).Read(file, data, "", "")
		if err != nil {
			t.Fatal(err)
		}
		text := reviewOf(t, list[:1], player.Limits{Nodes: 500})
		_, unjudged, some := strings.Cut(text, "not judged: ")
		if some != (want != "") || !strings.Contains(unjudged, want) || strings.Count(text, "not judged") > 1 {
			t.Errorf("%s: %s", file, text)
		}
	}
}

// reviewOf analyses games with the strongest built-in engine.
func reviewOf(t *testing.T, list []*record.Game, limits player.Limits) string {
	t.Helper()
	l := &engines.Launcher{Now: time.Now}
	var out bytes.Buffer
	n := &Analyst{
		File: "a.moves", Name: "bot", Open: games.OpenSpec, W: &out, Worst: 5,
		Scale: func(rules.Rules) analysis.Scale { return analysis.Scale{Slope: 0.12} },
		Engine: func(r rules.Rules) (player.Player, bool, error) {
			p, err := l.Bot(r.Spec().ID(), "9", bot.Options{Seed: 1})
			return p, false, err
		},
		Options: analysis.Options{Method: analysis.Auto, To: -1, Lines: 1, Limits: limits, Stop: make(chan struct{}), Now: time.Now},
		Warn:    func(text string) { t.Error(text) }, Progress: func(int) {},
	}
	defer n.Close()
	if _, err := n.Load(list, 1); err != nil {
		t.Fatal(err)
	}
	if err := n.All(t.Context()); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
