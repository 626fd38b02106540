package analysis_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"kibitz/analysis"
	"kibitz/bot"
	"kibitz/bot/amazons"
	"kibitz/bot/connect6"
	"kibitz/bot/darkchess"
	"kibitz/bot/dotsandboxes"
	"kibitz/bot/gomoku"
	"kibitz/bot/nogo"
	"kibitz/bot/othello"
	"kibitz/bot/phantomgo"
	"kibitz/bot/surakarta"
	"kibitz/game"
	"kibitz/games"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/record"
	"kibitz/record/replay"
	"kibitz/rules"
)

func open(spec game.Spec) (rules.Rules, error) { return games.Open(string(spec)) }

// line plays words of the game's text form, then perhaps a resignation.
func line(t *testing.T, spec, start, words string) analysis.Game {
	t.Helper()
	r, err := games.Open(spec)
	if err != nil {
		t.Fatal(err)
	}
	g := &record.Game{Spec: r.Spec(), Start: start}
	for w := range strings.FieldsSeq(words) {
		m, err := r.ParseMove(w)
		if err != nil {
			t.Fatal(err)
		}
		g.Steps = append(g.Steps, record.Step{By: game.Nobody, Move: m})
	}
	return played(t, g)
}

func played(t *testing.T, g *record.Game) analysis.Game {
	t.Helper()
	l, err := replay.Play(g, open)
	if err != nil || l.Illegal != nil {
		t.Fatal(err, l.Illegal)
	}
	return analysis.Game{Line: l, Set: g.Start != "", Names: [2]string{"A", "B"}}
}

// teller is an analyst that says what it is told to, by the number of decisions
// made, and notes what it is asked.
type teller struct {
	playertest.Random
	says  map[int][]game.Info
	whole bool
	can   player.Start
	at    int
	asked []string
	setup player.Setup
	fails int // the position at which it fails, if above 0
}

func (p *teller) CanStart(game.Spec) player.Start { return p.can }

func (p *teller) NewGame(_ context.Context, s *player.Setup) error {
	p.setup, p.at = *s, 0
	for _, u := range s.History {
		p.at += len(u.Steps)
	}
	p.asked = append(p.asked, fmt.Sprint("new ", p.at))
	return nil
}

func (p *teller) Tell(u *player.Update) { p.at += len(u.Steps) - u.Rewind }

func (p *teller) Analyse(_ context.Context, q player.Question, yield func(game.Info) bool) error {
	if q.WholeGame {
		p.asked = append(p.asked, "whole")
		if !p.whole {
			return player.ErrUnsupported
		}
		for n := p.at; n >= 0; n-- {
			if in := p.says[n]; in != nil && !yield(game.Info{Eval: in[0].Eval, Rank: n}) {
				return nil
			}
		}
		return nil
	}
	p.asked = append(p.asked, fmt.Sprint(p.at))
	if p.fails > 0 && p.at == p.fails {
		return player.Fail(game.ByCrash, nil, "it fell over")
	}
	for _, in := range p.says[p.at] {
		if !yield(in) {
			return nil
		}
	}
	return nil
}

func (p *teller) Choose(_ context.Context, pr *player.Prompt) (player.Answer, error) {
	p.asked = append(p.asked, fmt.Sprint("choose ", p.at, " as ", pr.Seat))
	in := p.says[p.at]
	if in == nil {
		return player.Answer{Steps: pr.Moves.Legal(nil)[:1]}, nil
	}
	return player.Answer{Steps: in[0].PV[:1], Info: game.Info{Eval: in[0].Eval}}, nil
}

func of(unit game.Unit, v float64) game.Eval { return game.Eval{Unit: unit, Lo: v, Hi: v} }

// info is a line of discs.
func info(t *testing.T, spec string, e game.Eval, depth int, pv string) game.Info {
	t.Helper()
	r, err := games.Open(spec)
	if err != nil {
		t.Fatal(err)
	}
	in := game.Info{Eval: e, Depth: depth}
	for w := range strings.FieldsSeq(pv) {
		m, err := r.ParseMove(w)
		if err != nil {
			t.Fatal(err)
		}
		in.PV = append(in.PV, m)
	}
	return in
}

func now() time.Time { return time.Unix(0, 0) }

func options() analysis.Options {
	return analysis.Options{To: -1, Lines: 1, Name: "teller", Now: now}
}

// brief prints a report: ply, evaluations, loss, best.
func brief(rep *analysis.Report) string {
	var list []string
	for _, p := range rep.Positions {
		if !p.Wanted {
			continue
		}
		text := fmt.Sprintf("%d:", p.Ply)
		for _, e := range []game.Eval{p.Before, p.After} {
			if e.Known() {
				text += fmt.Sprintf("%g/", e.Mid())
			} else {
				text += "?/"
			}
		}
		switch {
		case p.Forced:
			text += "forced"
		case p.Chance:
			text += "chance"
		case p.Loss.Swing != "":
			text += strings.ReplaceAll(p.Loss.Swing, " ", "_")
		case p.Loss.Known:
			text += fmt.Sprintf("%g", p.Loss.Value)
		default:
			text += "?"
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

// Black takes b1 by d1, White can never move again, Black ends it with f8.
const wipe = "-XO----- -------- -------- -------- -------- -------- -------- ------OX X"

// TestLosses: what turns lost, by evaluations that stand in the table.
func TestLosses(t *testing.T) {
	type says map[int]float64
	for _, x := range []struct {
		name, spec, start, words string
		unit                     game.Unit
		says                     says
		mates                    says
		want                     string
	}{
		{"signs", "othello", "", "f5 d6 c3", game.Discs, says{0: 2, 1: -1, 2: 4, 3: -4}, nil, "0:2/1/1 1:-1/-4/3 2:4/4/0 3:-4/?/?"},
		{"better than thought", "othello", "", "f5 d6", game.Discs, says{0: 1, 1: -5, 2: -3}, nil, "0:1/5/0 1:-5/3/0 2:-3/?/?"},
		{"unknown", "othello", "", "f5 d6", game.Discs, says{0: 1, 2: 3}, nil, "0:1/?/? 1:?/-3/? 2:3/?/?"},
		{"chances", "othello", "", "f5 d6", game.WinChance, says{0: 0.5, 1: 0.75, 2: 0.5}, nil, "0:0.5/0.25/0.25 1:0.75/0.5/0.25 2:0.5/?/?"},
		{"forced pass and the end", "othello", wipe, "d1 f8", game.Discs, says{0: 10, 2: 60}, nil, "0:10/60/0 1:-60/-60/forced 2:60/64/0"},
		{"lost at the end", "othello", wipe, "d1 f8", game.WinChance, says{0: 1, 2: 1}, nil, "0:1/1/0 1:0/0/forced 2:1/1/0"},
		{
			"swings", "gomoku", "", "h8 a1 i8 a2 j8 a3 k8 a4", game.Points,
			says{0: 10, 1: 5, 2: 7, 6: -30, 8: 3},
			says{3: -9, 4: 3, 5: 2, 7: 1},
			"0:10/-5/15 1:5/-7/12 2:7/9/0 3:-9/-3/0 4:3/-2/won_to_lost 5:2/30/won_to_open 6:-30/-1/open_to_lost 7:1/-3/won_to_open 8:3/?/?",
		},
		{"five", "gomoku", "", "h8 a1 i8 a2 j8 a3 k8 a4 l8", game.Points, says{7: -20, 8: 500}, nil, "0:?/?/? 1:?/?/? 2:?/?/? 3:?/?/? 4:?/?/? 5:?/?/? 6:?/20/? 7:-20/-500/480 8:500/1/0"},
		{"turns of two stones", "connect6", "", "j10 a1 a2 b1 b2", game.Points, says{0: 1, 1: 2, 3: 3, 5: 4}, nil, "0:1/-2/3 1:2/-3/5 3:3/-4/7 5:4/?/?"},
		{"a move and its shot", "amazons", "", "d1-d7 /g7", game.Points, says{0: 1, 2: 2}, nil, "0:1/-2/3 2:2/?/?"},
		{"half a turn at the end", "amazons", "", "d1-d7", game.Points, says{0: 1}, nil, "0:1/?/?"},
		{"the same seat goes on", "dotsandboxes:size=2", "", "a1h a1v a2h b1v b1h", game.Points, says{0: 0, 1: 0, 2: 1, 3: 2, 5: 9}, nil, "0:0/0/0 1:0/-1/1 2:1/-2/3 3:2/-9/11 5:9/?/?"},
	} {
		p := &teller{says: map[int][]game.Info{}, can: player.FromPosition}
		for n, v := range x.says {
			p.says[n] = []game.Info{{Eval: of(x.unit, v)}}
		}
		for n, v := range x.mates {
			p.says[n] = []game.Info{{Eval: of(game.MateIn, v)}}
		}
		rep, err := analysis.Run(t.Context(), line(t, x.spec, x.start, x.words), p, options())
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		if got := brief(rep); got != x.want {
			t.Errorf("%s:\n%s, want\n%s", x.name, got, x.want)
		}
	}
}

// TestBackwards: a game is given once and then taken back, and only what is wanted
// or follows it is asked about.
func TestBackwards(t *testing.T) {
	g := line(t, "othello", "", "f5 d6 c3 d3 c4")
	p := &teller{can: player.FromHistory}
	if _, err := analysis.Run(t.Context(), g, p, options()); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(p.asked, ","); got != "new 5,5,4,3,2,1,0" {
		t.Errorf("asked %s", got)
	}
	o := options()
	o.From, o.To = 1, 2
	p = &teller{can: player.FromHistory}
	rep, err := analysis.Run(t.Context(), g, p, o)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(p.asked, ","); got != "new 3,3,2,1" || brief(rep) != "1:?/?/? 2:?/?/?" {
		t.Errorf("asked %s for %s", got, brief(rep))
	}
	if n, err := analysis.Count(g, o); n != 3 || err != nil {
		t.Errorf("%d positions are announced, %v", n, err)
	}
	stop := make(chan struct{})
	o, p = options(), &teller{can: player.FromHistory}
	o.Stop = stop
	o.Progress = func(done int) {
		if done == 2 {
			close(stop)
		}
	}
	if rep, err = analysis.Run(t.Context(), g, p, o); err != nil || !rep.Cut || strings.Join(p.asked, ",") != "new 5,5,4" {
		t.Errorf("stopped after two positions: asked %v, %v", p.asked, err)
	}
	p = &teller{can: player.FromHistory, fails: 3, says: map[int][]game.Info{4: {{Eval: of(game.Discs, 1)}}}}
	rep, err = analysis.Run(t.Context(), g, p, options())
	if _, ok := errors.AsType[*player.Failure](err); !ok || rep == nil || !rep.Positions[4].Before.Known() {
		t.Errorf("a player that fails: %v", err)
	}
}

// TestMethods: the whole game where the player has that, with hints for what was
// lost; else hints; else moves.
func TestMethods(t *testing.T) {
	g := line(t, "othello", "", "f5 d6 c3")
	says := func() map[int][]game.Info {
		return map[int][]game.Info{
			0: {info(t, "othello", of(game.Discs, 1), 5, "f5")}, 1: {info(t, "othello", of(game.Discs, 3), 5, "f6 e6")},
			2: {info(t, "othello", of(game.Discs, 2), 5, "c3")}, 3: {info(t, "othello", of(game.Discs, -2), 5, "c4")},
		}
	}
	o := options()
	o.HasWhole = true
	p := &teller{can: player.FromHistory, whole: true, says: says()}
	rep, err := analysis.Run(t.Context(), g, p, o)
	if err != nil || rep.Method != analysis.Whole || strings.Join(p.asked, ",") != "new 3,whole,1,0" || brief(rep) != "0:1/-3/0 1:3/-2/5 2:2/2/0 3:-2/?/?" {
		t.Errorf("whole: %v, asked %v, %s", err, p.asked, brief(rep))
	}
	if len(rep.Positions[1].Best) != 1 || len(rep.Positions[2].Best) != 0 {
		t.Errorf("best %v", rep.Positions[1].Best)
	}
	p = &teller{can: player.FromHistory, says: says()}
	if rep, err = analysis.Run(t.Context(), g, p, o); err != nil || rep.Method != analysis.Hints || strings.Join(p.asked, ",") != "new 3,whole,3,2,1,0" {
		t.Errorf("whole refused: %v, asked %v", err, p.asked)
	}
	o.Method = analysis.Whole
	if _, err = analysis.Run(t.Context(), g, &teller{can: player.FromHistory}, o); !errors.Is(err, player.ErrUnsupported) {
		t.Errorf("whole alone: %v", err)
	}
	o.Method = analysis.Search
	p = &teller{can: player.FromHistory, says: says()}
	if rep, err = analysis.Run(t.Context(), g, p, o); err != nil || rep.Method != analysis.Search || brief(rep) != "0:1/-3/0 1:3/-2/5 2:2/2/0 3:-2/?/?" {
		t.Errorf("search: %v, %s", err, brief(rep))
	}
	if got := strings.Join(p.asked, ","); got != "new 3,choose 3 as second,new 2,choose 2 as first,new 1,choose 1 as second,new 0,choose 0 as first" {
		t.Errorf("search: asked %s", got)
	}
	if s := rep.Sides(); s[0].Turns != 2 || s[0].Agreed != 2 || s[1].Turns != 1 || s[1].Agreed != 0 || s[1].Mean() != 5 {
		t.Errorf("sides %+v", s)
	}
	if w := rep.Worst(3, nil); len(w) != 1 || w[0] != 1 || rep.Unit() != game.Discs {
		t.Errorf("worst %v in unit %v", w, rep.Unit())
	}
	o.Method = analysis.Hints
	if _, err = analysis.Run(t.Context(), g, playertest.NewRandom(1), o); err == nil || !strings.Contains(err.Error(), "method hint is not for it") {
		t.Errorf("hints of a player without: %v", err)
	}
	o.Method = analysis.Auto
	if rep, err = analysis.Run(t.Context(), g, playertest.NewRandom(1), o); err != nil || rep.Method != analysis.Search || rep.Unit() != game.NoUnit || !rep.Any() {
		t.Errorf("a player that evaluates nothing: %v", err)
	}
}

// TestLines: which of the lines that an engine streams count in the end.
func TestLines(t *testing.T) {
	d := func(v float64, depth int, pv string) game.Info {
		return info(t, "othello", of(game.Discs, v), depth, pv)
	}
	at := func(in game.Info, rank int) game.Info { in.Rank = rank; return in }
	exact := d(-2, 3, "d3")
	exact.Bound = game.Exact
	for i, x := range []struct {
		lines int
		heard []game.Info
		want  string
	}{
		{1, []game.Info{d(3, 1, "f5"), d(1, 2, "d3")}, "d3"},
		{1, []game.Info{d(3, 2, "f5"), d(4, 2, "d3"), d(1, 2, "c4")}, "d3"},
		{1, []game.Info{d(3, 9, "f5"), exact}, "d3"},
		{2, []game.Info{d(3, 1, "f5"), d(1, 1, "d3"), d(2, 2, "c4"), d(4, 2, "d3")}, "d3 c4"},
		{3, []game.Info{d(3, 1, "f5"), d(1, 1, "d3")}, "f5 d3"},
		{1, []game.Info{d(3, 1, "f5"), d(-3, 1, "f5")}, "f5"},
		// An engine's ranks may be of an earlier depth.
		{3, []game.Info{at(d(6.81, 9, "f5"), 1), at(d(5.38, 9, "d3"), 2), at(d(5.75, 8, "c4"), 3)}, "f5 c4 d3"},
		{2, []game.Info{at(d(2, 2, "f5"), 1), at(d(2, 2, "d3"), 2)}, "f5 d3"},
		{2, []game.Info{at(d(1, 2, "f5"), 1), at(d(3, 2, "d3"), 1)}, "d3 f5"},
		{1, []game.Info{{Eval: of(game.Discs, 1)}}, "-"},
		{4, []game.Info{
			info(t, "othello", of(game.MateIn, -2), 1, "f5"), info(t, "othello", of(game.MateIn, 5), 1, "d3"),
			info(t, "othello", of(game.MateIn, 2), 1, "c4"), info(t, "othello", of(game.MateIn, -7), 1, "e6"),
		}, "c4 d3 e6 f5"},
	} {
		p := &teller{says: map[int][]game.Info{0: x.heard}}
		o := options()
		o.Lines = x.lines
		rep, err := analysis.Run(t.Context(), line(t, "othello", "", ""), p, o)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for k, in := range rep.Positions[0].Lines {
			name := "-"
			if len(in.PV) > 0 {
				name = nameOf(t, in.PV[0])
			}
			got = append(got, name)
			if in.Rank != k+1 {
				t.Errorf("%d: line %d has rank %d", i, k+1, in.Rank)
			}
		}
		if s := strings.Join(got, " "); s != x.want {
			t.Errorf("%d: %s, want %s", i, s, x.want)
		}
	}
}

func nameOf(t *testing.T, m game.Move) string {
	t.Helper()
	r, err := games.Open("othello")
	if err != nil {
		t.Fatal(err)
	}
	return r.FormatMove(m)
}

// TestRefused: players that cannot be put on a position are refused in one line.
func TestRefused(t *testing.T) {
	for _, x := range []struct {
		start, words string
		can          player.Start
		want         string
	}{
		{"", "f5", player.FromNothing, "teller cannot start in the middle of a game, so it cannot evaluate this game"},
		{wipe, "", player.FromHistory, "teller cannot start from a position that was set up, so it cannot evaluate this game"},
		{"", "", player.FromNothing, ""},
		{wipe, "d1", player.FromPosition, ""},
	} {
		_, err := analysis.Run(t.Context(), line(t, "othello", x.start, x.words), &teller{can: x.can}, options())
		if got := fmt.Sprint(err); got != x.want && (err != nil || x.want != "") {
			t.Errorf("%q %q: %v", x.start, x.words, err)
		}
	}
}

// TestEveryGame has the built-in engines look at random games: every position that
// is not forced is evaluated, the best move is legal there, and where a game ends on
// the board the evaluation before the last move and the result do not contradict
// each other where it is proved.
func TestEveryGame(t *testing.T) {
	for spec, make := range map[string]func(bot.Options) player.Player{
		"othello": othello.New, "gomoku:size=9": gomoku.New, "gomoku:size=15,opening=swap2": gomoku.New, "connect6": connect6.New, "amazons": amazons.New,
		"nogo:size=7": nogo.New, "dotsandboxes:size=3": dotsandboxes.New, "phantomgo:size=5": phantomgo.New, "surakarta": surakarta.New, "darkchess": darkchess.New,
	} {
		if testing.Short() && spec != "othello" && spec != "darkchess" {
			continue
		}
		g := randomGame(t, spec)
		p := make(bot.Options{Level: 1, Now: now})
		o := options()
		o.Limits.Nodes = 20_000
		last := math.MaxInt
		rep, err := analysis.Run(t.Context(), g, p, o)
		if err != nil {
			t.Errorf("%s: %v", spec, err)
			continue
		}
		known := 0
		for i := len(rep.Positions) - 1; i >= 0; i-- {
			x := &rep.Positions[i]
			if x.Ply >= last {
				t.Errorf("%s: position %d after %d", spec, x.Ply, last)
			}
			last = x.Ply
			if x.Before.Known() {
				known++
			}
			s, err := g.Line.State(x.Ply)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range x.Best {
				if _, err := s.Apply(m, nil); err != nil {
					t.Errorf("%s: the best move at %d: %v", spec, x.Ply, err)
				}
			}
		}
		if known < len(rep.Positions)*3/4 {
			t.Errorf("%s: %d of %d positions were evaluated", spec, known, len(rep.Positions))
		}
	}
}

// randomGame plays forty decisions by chance.
func randomGame(t *testing.T, spec string) analysis.Game {
	t.Helper()
	r, err := games.Open(spec)
	if err != nil {
		t.Fatal(err)
	}
	g := &record.Game{Spec: r.Spec()}
	s, rng := r.New(), rand.New(rand.NewPCG(3, 3))
	for range 40 {
		var list []game.Move
		by := s.Turn().Seat
		if c, ok := s.(rules.Chance); ok && by == game.Dealer {
			for _, o := range c.Outcomes(nil) {
				list = append(list, o.Move)
			}
		} else {
			list = s.Legal(nil)
		}
		if len(list) == 0 {
			break
		}
		m := list[rng.IntN(len(list))]
		told, err := s.Apply(m, nil)
		if err != nil {
			t.Fatal(err)
		}
		no := slices.ContainsFunc(told, func(n game.Notice) bool { return n.Kind == game.Refused })
		g.Steps = append(g.Steps, record.Step{By: by, Move: m, Refused: no})
	}
	return played(t, g)
}
