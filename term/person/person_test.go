package person

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/bot/random"
	"kibitz/game"
	"kibitz/games"
	"kibitz/internal/syncbuf"
	"kibitz/journal"
	"kibitz/match"
	"kibitz/player"
	"kibitz/term"
)

// TestPointsOfNotices: a person reads points as they stand at the edges of the board,
// also where a point alone is no move.
func TestPointsOfNotices(t *testing.T) {
	for spec, want := range map[string]string{
		"surakarta": "You captured d3\n",
		"connect6":  "You captured d4\n",
		"phantomgo": "You captured d6\n",
	} {
		r, err := games.Open(spec)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		h := New(Desk{Out: &out}, r, false)
		view := r.New().View(game.ToFirst)
		h.latest = &view
		h.notice(game.Notice{Kind: game.Took, By: game.First, Points: []game.Point{game.Pt(3, 3)}})
		if out.String() != want {
			t.Errorf("%s: %q instead of %q", spec, out.String(), want)
		}
	}
}

// typist is a terminal at which a test types.
type typist struct {
	lines chan string
	left  []byte
}

func (p *typist) Read(buf []byte) (int, error) {
	for len(p.left) == 0 {
		line, ok := <-p.lines
		if !ok {
			return 0, io.EOF
		}
		p.left = []byte(line + "\n")
	}
	n := copy(buf, p.left)
	p.left = p.left[n:]
	return n, nil
}

// minuteman thinks for a minute, unless it is stopped.
type minuteman struct {
	player.Player
	stop chan struct{}
}

func (p *minuteman) Choose(ctx context.Context, q *player.Prompt) (player.Answer, error) {
	select {
	case <-p.stop: // it was meant for nobody
	default:
	}
	select {
	case <-time.After(time.Minute):
	case <-p.stop:
	}
	return p.Player.Choose(ctx, q)
}

func (p *minuteman) Stop() {
	select {
	case p.stop <- struct{}{}:
	default:
	}
}

func (p *minuteman) CanStart(game.Spec) player.Start { return player.FromPosition }

// TestPersonActs: at a terminal moves are taken back while the engine thinks and on one's
// own turn, to a chosen move too; what is no move is never taken for one, and what was
// typed ahead is not lost.
func TestPersonActs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, err := games.Open("othello")
		if err != nil {
			t.Fatal(err)
		}
		var out syncbuf.Buffer
		keys := &typist{lines: make(chan string)}
		h := New(Desk{In: &term.Lines{R: keys}, Out: &out, Live: true, Now: time.Now}, r, false)
		g := &match.Game{ID: "g", Rules: r, Now: time.Now, Policy: match.Policy{Undo: true, Stall: -1}}
		g.Sides[0] = match.Side{Player: h, Name: "you"}
		g.Sides[1] = match.Side{Player: &minuteman{random.New(random.Options{Seed: 1}), make(chan struct{}, 1)}, Name: "engine"}
		var rewinds []int
		g.Sink = func(ev *journal.Event) {
			if ev.Rewind != nil {
				rewinds = append(rewinds, ev.Rewind.Steps)
			}
		}
		var o match.Outcome
		done := make(chan struct{})
		go func() { defer close(done); o = match.Play(t.Context(), g) }()
		do := func(line, want string) {
			t.Helper()
			synctest.Wait()
			before := len(out.String())
			keys.lines <- line
			time.Sleep(time.Second)
			synctest.Wait()
			if got := out.String()[before:]; !strings.Contains(got, want) {
				t.Errorf("%s: %q, want %q", line, got, want)
			}
		}
		do("undo", "you have made no move")
		do("f5", "You: f5")
		do("undo", "1 decision taken back") // the engine thinks
		do("f5", "You: f5")
		time.Sleep(time.Minute)
		do("undo 1", "1 decision taken back")  // the engine's reply: it thinks again
		do("draw", "engine cannot be asked")   // while it thinks
		do("undo 7", "move 7 is not behind")   // while it thinks
		do("moves", "")                        // waits for one's turn
		time.Sleep(time.Minute)                // the engine moves
		do("undo 0", "2 decisions taken back") // on one's own turn
		do("dance", `"dance"`)                 // no move, no act
		do("d3", "You: d3")
		do("resign", "You lost")
		<-done
		close(keys.lines)
		if o.Result.Reason != game.ByResign || len(o.Steps) != 1 || !slices.Equal(rewinds, []int{1, 1, 2}) {
			t.Errorf("%+v, %d steps, taken back %v\n%s", o.Result, len(o.Steps), rewinds, out.String())
		}
	})
}

// TestWholeTurnsAndHints: a line may hold a whole turn, what is wrong in it is said and the
// rest of it dropped; hint asks the adviser, who knows what the person knows.
func TestWholeTurnsAndHints(t *testing.T) {
	r, err := games.Open("connect6")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	in := "j10\nk9 k10\nhint\nk10,j10\nl9\nresign\n"
	h := New(Desk{
		In: &term.Lines{R: strings.NewReader(in)}, Out: &out, Now: time.Now, Unicode: true,
		Adviser: random.New(random.Options{Seed: 1}),
	}, r, false)
	g := &match.Game{ID: "g", Rules: r, Now: time.Now, Policy: match.Policy{Stall: -1}}
	g.Sides[0] = match.Side{Player: h, Name: "you"}
	g.Sides[1] = match.Side{Player: &corner{}, Name: "engine"}
	o := match.Play(t.Context(), g)
	if o.Result.Reason != game.ByResign || len(o.Steps) != 8 {
		t.Errorf("%+v, %d decisions\n%s", o.Result, len(o.Steps), out.String())
	}
	text := out.String()
	for _, want := range []string{
		"On the board: ● black stone, ○ white stone, in brackets the latest move.", "You: j10", "You: k9", "You: k10", "hint: ",
		"k10 is not legal here", "You: l9",
	} {
		i := strings.Index(text, want)
		if i < 0 {
			t.Fatalf("%q does not follow in\n%s", want, out.String())
		}
		text = text[i:]
	}
}

// TestTurnWithHyphens: a turn of Amazons is understood as GTP and records have it.
func TestTurnWithHyphens(t *testing.T) {
	r, err := games.Open("amazons")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"d1-d7-g7", "d1-d7(g7)", "D1-D7 /G7", "d1-d7, g7"} {
		var out bytes.Buffer
		h := New(Desk{In: &term.Lines{R: strings.NewReader(line + "\nresign\n")}, Out: &out, Now: time.Now}, r, false)
		g := &match.Game{ID: "g", Rules: r, Now: time.Now, Policy: match.Policy{Stall: -1}}
		g.Sides[0] = match.Side{Player: h, Name: "you"}
		g.Sides[1] = match.Side{Player: &corner{}, Name: "engine"}
		o := match.Play(t.Context(), g)
		if len(o.Steps) < 2 || r.FormatMove(o.Steps[0].Move) != "d1-d7" || !strings.HasSuffix(r.FormatMove(o.Steps[1].Move), "g7") {
			t.Errorf("%s: %d decisions\n%s", line, len(o.Steps), out.String())
		}
	}
}

// evaluator says what three moves are worth, of the first twice.
type evaluator struct{ *random.Player }

func (evaluator) Analyse(_ context.Context, q player.Question, yield func(game.Info) bool) error {
	for i, v := range []float64{9, 3, 5, 1} {
		m := game.PlaceAt(game.Point{X: int8(i % 3), Y: 0})
		yield(game.Info{PV: []game.Move{m}, Eval: game.Eval{Unit: game.Points, Lo: v, Hi: v}, Depth: i + 1, Rank: q.Lines})
	}
	return nil
}

// TestBestMoves: hint 2 lists two moves, the better first, by what was said of them last.
func TestBestMoves(t *testing.T) {
	r, err := games.Open("gomoku")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	h := New(Desk{
		In: &term.Lines{R: strings.NewReader("hint 2\nhint 0\nhint\nresign\n")}, Out: &out, Now: time.Now,
		Adviser: evaluator{random.New(random.Options{Seed: 1})},
	}, r, false)
	g := &match.Game{ID: "g", Rules: r, Now: time.Now, Policy: match.Policy{Stall: -1}}
	g.Sides[0], g.Sides[1] = match.Side{Player: h, Name: "you"}, match.Side{Player: &corner{}, Name: "engine"}
	match.Play(t.Context(), g)
	text := out.String()
	for _, want := range []string{"  1. +5       c1\n", "  2. +1       a1\n", "\"hint\" is not a point", "hint: "} {
		i := strings.Index(text, want)
		if i < 0 {
			t.Fatalf("%q does not follow in\n%s", want, out.String())
		}
		text = text[i:]
	}
}

// corner plays the last points of the list.
type corner struct{ random.Player }

func (*corner) Choose(_ context.Context, p *player.Prompt) (player.Answer, error) {
	legal := p.Moves.Legal(nil)
	return player.Answer{Steps: legal[len(legal)-1:]}, nil
}
