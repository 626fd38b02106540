package dotsandboxes

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"
	"time"

	"kibitz/bot"
	"kibitz/game"
	rule "kibitz/games/dotsandboxes"
	"kibitz/player"
	"kibitz/rules"
)

// In positions of which the best is known by trying everything, also in the middle
// of a turn, the engine's turn is complete, loses nothing and is valued right.
func TestTurnsAreBest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	asked, inTurn, left := 0, 0, 0
	n := 300
	if testing.Short() {
		n = 60
	}
	for i := range n {
		spec := []game.Spec{"dotsandboxes:size=2", "dotsandboxes:size=3", "dotsandboxes:size=4", "dotsandboxes:size=5"}[i%4]
		rs, err := rules.Open([]rules.Game{rule.Game()}, string(spec))
		if err != nil {
			t.Fatal(err)
		}
		st := rs.New().(*rule.State)
		for b := st.Board(); b.Open().Count() > 10; b = st.Board() {
			list := st.Legal(nil)
			m := list[r.IntN(len(list))]
			for range 4 { // mostly lines that give nothing away
				if c := st.Clone().(*rule.State); apply(t, c, m) && c.Perft(1) <= uint64(len(list)) {
					break
				}
				m = list[r.IntN(len(list))]
			}
			apply(t, st, m)
		}
		b := st.Board()
		memo := map[rule.Lines]int{}
		want := brute(b.Drawn(), b.Open(), memo)
		p := New(bot.Options{Level: 9, Seed: uint64(i), Now: time.Now})
		if err := p.NewGame(context.Background(), &player.Setup{Spec: spec, Start: st.Text(), ToMove: st.Turn().Seat}); err != nil {
			t.Fatal(err)
		}
		a, err := p.Choose(context.Background(), &player.Prompt{Seat: st.Turn().Seat, Turn: st.Turn(), Moves: st})
		if err != nil {
			t.Fatal(err)
		}
		asked++
		if b.Step() > 0 {
			inTurn++
		}
		seat := st.Turn().Seat
		lead := b.Boxes(seat) - b.Boxes(seat.Other())
		if e := a.Info.Eval; e.Unit != game.Points || a.Info.Bound != game.Exact || e.Lo != float64(lead+want) {
			if len(a.Steps) > 1 || b.Open().Count() > 1 {
				t.Fatalf("%s: evaluation %+v, want %d exactly", st.Text(), a.Info, lead+want)
			}
		}
		for k, m := range a.Steps {
			if st.Turn().Seat != seat {
				t.Fatalf("%s: step %d of %v is not in the turn", st.Text(), k, a.Steps)
			}
			apply(t, st, m)
		}
		if st.Turn().Seat == seat {
			t.Fatalf("%s: %v is no whole turn", st.Text(), a.Steps)
		}
		b = st.Board()
		if !b.Drawn().Capturing(b.Open()).Empty() && len(a.Steps) > 1 {
			left++
		}
		got := b.Boxes(seat) - b.Boxes(seat.Other()) - brute(b.Drawn(), b.Open(), memo)
		if got != lead+want {
			t.Fatalf("after %v: %s leads to %d, best is %d", a.Steps, st.Text(), got, lead+want)
		}
	}
	if inTurn < n/30 || left < n/30 {
		t.Errorf("of %d positions only %d in the middle of a turn, %d with boxes left over", asked, inTurn, left)
	}
}

func apply(t *testing.T, st *rule.State, m game.Move) bool {
	t.Helper()
	if _, err := st.Apply(m, nil); err != nil {
		t.Fatal(err)
	}
	return true
}

func TestSettleKeepsTheBestRemainder(t *testing.T) {
	for _, c := range []struct {
		position    string
		size        int
		taken, hand int
	}{
		{"+.+-+/..I../+.+.+/...../+.+.+ b", 2, 0, 0},
		// one box, whose line leads out or to a box with other lines
		{"+-+.+/I.I../+.+.+/...../+.+.+ b", 2, 1, 0},
		{"+-+.+/I...I/+-+.+/...../+.+.+ b", 2, 1, 0},
		// two boxes in a row with a way out at the end, and without
		{"+-+-+/I..../+-+-+/...../+.+.+ b", 2, 0, 2},
		{"+-+-+/I...I/+-+-+/...../+.+.+ b", 2, 2, 0},
		// a loop of four
		{"+-+-+/I.I.I/+.+.+/I...I/+-+-+ b", 2, 0, 4},
		// a star with a box of three lines, whose arms can all be taken, a chain of two
		// and a single box: the end of the chain is the one to keep
		{"+-+-+-+-+/I.I.IbI.I/+.+.+-+.+/I.I.I...I/+-+.+-+.+/I.....I../+-+-+-+-+/IbI....../+-+.+-+-+ b", 4, 9, 2},
	} {
		rs, err := rules.Open([]rules.Game{rule.Game()}, fmt.Sprintf("dotsandboxes:size=%d", c.size))
		if err != nil {
			t.Fatal(err)
		}
		st, err := rs.Position(c.position)
		if err != nil {
			t.Fatal(err)
		}
		b := st.(*rule.State).Board()
		q := quiet{b.Drawn(), b.Open()}
		s := newSolver(c.size)
		o := s.settle(&q)
		if o.taken != c.taken || o.hand != c.hand || !q.drawn.Capturing(q.open).Empty() {
			t.Errorf("%s: %+v, want %d taken and %d in hand", c.position, o, c.taken, c.hand)
		}
		if n := bits.OnesCount64(q.drawn.Closed()) - bits.OnesCount64(b.Drawn().Closed()); n != c.taken+c.hand {
			t.Errorf("%s: %d boxes are closed", c.position, n)
		}
	}
}

func TestAnalysisShowsLines(t *testing.T) {
	for _, start := range []string{"", "+-+-+/I.I.I/+.+.+/I...I/+-+-+ b", "+.+-+/I.I../+.+-+/..I../+-+-+ w"} {
		p := New(bot.Options{Now: time.Now})
		if err := p.NewGame(context.Background(), &player.Setup{Spec: "dotsandboxes:size=2", Start: start}); err != nil {
			t.Fatal(err)
		}
		var got []game.Info
		err := p.(player.Analyst).Analyse(context.Background(), player.Question{Lines: 3, Depth: 2}, func(i game.Info) bool {
			got = append(got, i)
			return true
		})
		if err != nil || len(got) == 0 {
			t.Fatalf("%q: %d lines, %v", start, len(got), err)
		}
		for i, info := range got {
			if info.Depth == 0 || len(info.PV) == 0 || info.Eval.Unit != game.Points {
				t.Errorf("%q: line %d: %+v", start, i, info)
			}
			if info.Rank > 1 && info.Bound == game.Exact && info.Eval.Lo > got[i-1].Eval.Lo {
				t.Errorf("%q: line %d is better than the one before it: %+v", start, i, info)
			}
		}
	}
}

func TestWhatCannotBeFollowed(t *testing.T) {
	p := New(bot.Options{Now: time.Now})
	for _, s := range []player.Setup{
		{Spec: "othello"},
		{Spec: "dotsandboxes:size=9"},
		{Spec: "dotsandboxes:size=5", Start: "nonsense"},
	} {
		if err := p.NewGame(context.Background(), &s); err == nil {
			t.Errorf("%+v was begun", s)
		}
	}
	for _, m := range []game.Move{game.PassMove(), game.EdgeAt(game.Pt(5, 0), false), game.EdgeAt(game.Pt(-1, 0), false), game.PlaceAt(game.Pt(0, 0))} {
		e := &engine{}
		if err := e.Reset(&player.Setup{Spec: "dotsandboxes:size=5"}); err != nil {
			t.Fatal(err)
		}
		if err := e.Update(&player.Update{Steps: []game.Move{m}}); err == nil {
			t.Errorf("%v was followed", m)
		}
	}
}
