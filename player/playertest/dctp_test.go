package playertest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/player"
	"kibitz/player/playertest"
)

var noTime time.Time

// dctp drives a dark chess engine over its text protocol: every accepted ply is
// echoed to both engines with the mover's remaining time.
type dctp struct {
	wire
	colours [2]game.Colour
}

func (h *dctp) call(id, args string, deadline time.Time) (string, error) {
	h.send(strings.TrimSpace(id+" "+args) + "\n")
	var reply string
	num, _, _ := strings.Cut(id, " ")
	err := h.until(deadline, func(l string) bool {
		rest, ok := strings.CutPrefix(l, "="+num)
		reply = strings.TrimSpace(rest)
		return ok && (rest == "" || rest[0] == ' ')
	})
	return reply, err
}

func (h *dctp) order(id, args string) {
	if h.err == nil {
		_, h.err = h.call(id, args, noTime)
	}
}

func (h *dctp) NewGame(_ context.Context, s *player.Setup) error {
	h.seat, h.err, h.colours = s.Seat, nil, s.Colours
	h.order("7 reset_board", "")
	h.order("15 time_settings", fmt.Sprint(s.Clocks[s.Seat].Remaining().Milliseconds()))
	h.order("14 ready", "")
	for i := range s.History {
		h.plies(&s.History[i])
	}
	return h.err
}

func (h *dctp) plies(u *player.Update) {
	for i, m := range u.Steps {
		switch m.Op {
		case game.Shift:
			h.order("10 move", square(m.From)+" "+square(m.To))
		case game.Flip:
			h.order("11 flip", square(m.To)+" "+string(game.DarkChessPieces[u.Steps[i+1].Arg]))
		}
	}
}

func (h *dctp) Tell(u *player.Update) {
	h.plies(u)
	h.colours = u.Colours
	if left := u.Clocks[u.By].Remaining(); left != clock.Unlimited {
		h.order("16 time_left", fmt.Sprintf("%s %d", u.Colours[u.By], left.Milliseconds()))
	}
}

func (h *dctp) Choose(_ context.Context, p *player.Prompt) (player.Answer, error) {
	if h.err != nil {
		return player.Answer{}, h.err
	}
	text, err := h.call("12 genmove", p.Colours[p.Seat].String(), p.Deadline)
	f := strings.Fields(text)
	if err != nil || len(f) != 2 {
		return player.Answer{}, fmt.Errorf("genmove %q: %w", text, err)
	}
	m := game.ShiftTo(pt(f[0]), pt(f[1]))
	if f[0] == f[1] {
		m = game.FlipAt(pt(f[0]))
	}
	return player.Answer{Steps: []game.Move{m}, Raw: text}, nil
}

func (h *dctp) Over(r game.Result) {
	word := "draw"
	if w := r.Winner(); w.IsPlayer() {
		word = h.colours[w].String()
	}
	h.order("13 game_over", word)
}

func square(p game.Point) string { return string([]byte{'a' + byte(p.X), '8' - byte(p.Y)}) }
func pt(s string) game.Point     { return game.Pt(int(s[0]-'a'), int('8'-s[1])) }

// darkLine is a flip by each seat and a capture that ends the game.
func darkLine() *staged {
	turn := func(s game.Seat) game.Turn { return game.Turn{Seat: s, Phase: "move"} }
	dealer := game.Turn{Seat: game.Dealer, Phase: "deal"}
	known := [2]game.Colour{game.Black, game.Red}
	end := game.Win(game.First, "captured", "")
	flip1, deal1 := game.FlipAt(pt("b6")), game.DealAt(pt("b6"), 7)
	flip2, deal2 := game.FlipAt(pt("b5")), game.DealAt(pt("b5"), 6)
	take := game.ShiftTo(pt("b6"), pt("b5"))
	return &staged{
		spec: "darkchess", w: 4, h: 8, first: turn(0),
		plies: []ply{
			{move: flip1, notices: seen(flip1), next: dealer},
			{move: deal1, notices: seen(deal1), next: turn(1), colours: known},
			{move: flip2, notices: seen(flip2), next: dealer, colours: known},
			{move: deal2, notices: seen(deal2), next: turn(0), colours: known},
			{move: take, notices: seen(take), next: game.Turn{Seat: game.Nobody}, colours: known, result: &end},
		},
	}
}

// fixedTime makes a player claim the same thinking time for each decision.
type fixedTime struct {
	player.Player
	used time.Duration
}

func (p fixedTime) Choose(ctx context.Context, q *player.Prompt) (player.Answer, error) {
	a, err := p.Player.Choose(ctx, q)
	a.Used, a.Measured = p.used, true
	return a, err
}

func twoClocks(tb *playertest.Table) {
	tb.Clocks[0] = clock.New(clock.Control{Main: 100 * time.Second})
	tb.Clocks[1] = clock.New(clock.Control{Main: 200 * time.Second})
}

func TestDCTP(t *testing.T) {
	first := NewScript(t, `
		> 7 reset_board
		< <8>    X    X    X    X
		<
		< =7
		> 15 time_settings 100000
		< =15
		> 14 ready
		< =14
		> 12 genmove unknown
		< =12 b6 b6
		> 11 flip b6 k
		< =11
		> 16 time_left black 99000
		< =16
		> 11 flip b5 P
		< =11
		> 16 time_left red 198000
		< =16
		> 12 genmove black
		< =12 b6 b5
		> 10 move b6 b5
		< =10
		> 16 time_left black 98000
		< =16
		> 13 game_over black
		< =13
	`)
	second := NewScript(t, `
		> 7 reset_board
		< =7
		> 15 time_settings 200000
		< =15
		> 14 ready
		< =14
		> 11 flip b6 k
		< =11
		> 16 time_left black 99000
		< =16
		> 12 genmove red
		< =12 b5 b5
		> 11 flip b5 P
		< =11
		> 16 time_left red 198000
		< =16
		> 10 move b6 b5
		< =10
		> 16 time_left black 98000
		< =16
		> 13 game_over black
		< =13
	`)
	play(t, darkLine(), fixedTime{&dctp{wire: wire{conn: first}}, time.Second},
		fixedTime{&dctp{wire: wire{conn: second}}, 2 * time.Second}, twoClocks)
	first.Done()
	second.Done()
}

// TestDCTPResumed replays a flip from the history before the first genmove, whose
// colour is then known.
func TestDCTPResumed(t *testing.T) {
	first := NewScript(t, `
		> 7 reset_board
		< =7
		> 15 time_settings 100000
		< =15
		> 14 ready
		< =14
		> 11 flip b6 k
		< =11
		> 11 flip b5 P
		< =11
		> 12 genmove black
		< =12 b6 b5
		> 10 move b6 b5
		< =10
		> 16 time_left black 99000
		< =16
		> 13 game_over black
		< =13
	`)
	pos := darkLine()
	play(t, pos, fixedTime{&dctp{wire: wire{conn: first}}, time.Second}, &mute{}, func(tb *playertest.Table) {
		twoClocks(tb)
		for _, p := range pos.plies[:4] {
			tb.Opening = append(tb.Opening, p.move)
		}
	})
	first.Done()
}
