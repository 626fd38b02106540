package playertest_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/link"
	"kibitz/player"
)

// nboard drives an Othello engine: every change of position is followed by a
// ping, and a ping is what ends a hint or a search.
type nboard struct {
	wire
	pings int

	mu       sync.Mutex
	choosing bool
}

func (h *nboard) NewGame(_ context.Context, s *player.Setup) error {
	h.seat, h.err = s.Seat, nil
	h.send("nboard 2\nset game (;GM[Othello];)\n")
	return h.sync(func(string) {})
}

// sync sends a ping and passes on what comes before its pong. An interrupt that
// comes too late for what it was meant to end is dropped here.
func (h *nboard) sync(stale func(line string)) error {
	h.pings++
	h.send(fmt.Sprintf("ping %d\n", h.pings))
	pong := fmt.Sprintf("pong %d", h.pings)
	for {
		err := h.until(noTime, func(l string) bool {
			if l != pong {
				stale(l)
			}
			return l == pong
		})
		if !errors.Is(err, link.ErrInterrupted) {
			return err
		}
	}
}

func (h *nboard) Tell(u *player.Update) {
	for _, m := range u.Steps {
		text := "PA"
		if m.Op == game.Place {
			text = strings.ToUpper(string([]byte{'a' + byte(m.To.X), '1' + byte(m.To.Y)}))
		}
		h.send(fmt.Sprintf("move %s//%.2f\n", text, u.Used.Seconds()))
	}
	h.err = h.sync(func(string) {})
}

func (h *nboard) running(on bool) {
	h.mu.Lock()
	h.choosing = on
	h.mu.Unlock()
}

// Stop interrupts a search and does nothing outside of one.
func (h *nboard) Stop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.choosing {
		h.conn.Interrupt()
	}
}

func (h *nboard) Choose(_ context.Context, p *player.Prompt) (player.Answer, error) {
	h.send("go\n")
	h.running(true)
	var ans player.Answer
	take := func(l string) bool {
		f := strings.Fields(l)
		if len(f) < 2 || f[0] != "===" {
			return false
		}
		ans.Steps = []game.Move{game.PlaceAt(game.Pt(int(f[1][0]|32-'a'), int(f[1][1]-'1')))}
		return true
	}
	err := h.until(p.Deadline, take)
	h.running(false)
	if errors.Is(err, link.ErrInterrupted) {
		err = h.sync(func(l string) { take(l) })
	}
	return ans, err
}

// Analyse streams hints until the context ends, the reader has enough or the
// budget is used up; then a ping stops the engine.
func (h *nboard) Analyse(ctx context.Context, q player.Question, yield func(game.Info) bool) error {
	defer context.AfterFunc(ctx, h.conn.Interrupt)()
	h.send(fmt.Sprintf("hint %d\n", q.Lines))
	var end time.Time
	if q.Budget > 0 {
		end = time.Now().Add(q.Budget)
	}
	err := h.until(end, func(l string) bool {
		f := strings.Fields(l)
		if len(f) < 5 || f[0] != "search" {
			return false
		}
		in := game.Info{Text: f[1], Eval: game.Eval{Unit: game.Discs}}
		_, _ = fmt.Sscan(f[2], &in.Eval.Lo)
		_, _ = fmt.Sscan(f[4], &in.Depth)
		in.Eval.Hi = in.Eval.Lo
		return !yield(in)
	})
	_ = err // however the stream ended, the engine must be idle again
	return h.sync(func(string) {})
}

func (h *nboard) Over(game.Result) {}

var _ player.Analyst = (*nboard)(nil)

func newNBoard(t *testing.T, text string) (*nboard, *Script) {
	t.Helper()
	s := NewScript(t, text)
	h := &nboard{wire: wire{conn: s}}
	if err := h.NewGame(context.Background(), &player.Setup{Spec: "othello", Seat: game.Nobody}); err != nil {
		t.Fatal(err)
	}
	return h, s
}

const hello = `
	> nboard 2
	> set game (;GM[Othello];)
	> ping 1
	< set myname X
	< pong 1
`

func TestHintStream(t *testing.T) {
	ends := []struct {
		name, event string
		stopAfter   int
		cancel      bool
		budget      time.Duration
	}{
		{name: "reader has enough", stopAfter: 2},
		{name: "context ends", event: "! wait", cancel: true, stopAfter: 99},
		{name: "budget is used up", event: "! wait", budget: 10 * time.Millisecond, stopAfter: 99},
		{name: "interrupt comes late", cancel: true, stopAfter: 2},
	}
	for _, tt := range ends {
		t.Run(tt.name, func(t *testing.T) {
			h, s := newNBoard(t, hello+`
				> hint 3
				< status thinking
				< search F5 0.50 0 8
				< nodestats 1 2
				< search D6 -1.25 0 9
				`+tt.event+`
				> ping 2
				< search C4 9 0 10
				< pong 2
				> move F5//0.00
				> ping 3
				< pong 3
			`)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			var got []string
			err := h.Analyse(ctx, player.Question{Lines: 3, Budget: tt.budget}, func(in game.Info) bool {
				got = append(got, fmt.Sprintf("%s %.2f %d", in.Text, in.Eval.Mid(), in.Depth))
				if tt.cancel && len(got) == 2 {
					cancel()
				}
				return len(got) < tt.stopAfter
			})
			if err != nil {
				t.Fatal(err)
			}
			if want := "[F5 0.50 8 D6 -1.25 9]"; fmt.Sprint(got) != want {
				t.Fatalf("streamed %v, want %s", got, want)
			}
			// An interrupt that nobody waited for may be left over; the next
			// exchange must survive it.
			h.Tell(&player.Update{Steps: []game.Move{game.PlaceAt(game.Pt(5, 4))}})
			if h.err != nil {
				t.Fatal(h.err)
			}
			s.Done()
		})
	}
}

// TestMoveNow stops a search: the engine prints its best move before the pong.
func TestMoveNow(t *testing.T) {
	h, s := newNBoard(t, hello+`
		> go
		! wait
		> ping 2
		< status thinking
		< === f5 0.00 0.1
		< pong 2
	`)
	h.Stop() // nothing runs yet: no effect
	done := make(chan struct{})
	defer close(done)
	go func() { // until it is heard
		for {
			select {
			case <-time.After(time.Millisecond):
				h.Stop()
			case <-done:
				return
			}
		}
	}()
	ans, err := h.Choose(context.Background(), &player.Prompt{Moves: nil})
	if err != nil || len(ans.Steps) != 1 || ans.Steps[0] != game.PlaceAt(game.Pt(5, 4)) {
		t.Fatalf("got %v, %v", ans.Steps, err)
	}
	s.Done()
}
