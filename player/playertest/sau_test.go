package playertest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/player"
	"kibitz/player/playertest"
)

// phantom drives a Phantom Go engine of the SAU platform, just enough to prove
// that the interface carries its groups of lines.
type phantom struct{ wire }

func (h *phantom) NewGame(_ context.Context, s *player.Setup) error {
	h.seat, h.err = s.Seat, nil
	h.send("name?\n")
	if err := h.until(noTime, func(l string) bool { return strings.HasPrefix(l, "name ") }); err != nil {
		return err
	}
	if h.seat == game.First {
		h.held = "new black\n" // the engine thinks from here on: wait for the prompt
		return nil
	}
	h.send("new white\n")
	return h.err
}

func (h *phantom) Tell(u *player.Update) {
	var b strings.Builder
	own := u.By == h.seat
	refused := false
	for _, n := range u.Notices {
		if n.Kind == game.Refused {
			b.WriteString("refuse\n")
			refused = true
		}
	}
	switch pass := len(u.Steps) > 0 && u.Steps[0].Op == game.Pass; {
	case own && !pass && !refused:
		b.WriteString("accept\n")
	case !own && pass:
		b.WriteString("move pass\n")
	}
	for _, n := range u.Notices {
		switch n.Kind {
		case game.Took:
			fmt.Fprintf(&b, "take %d %s\n", len(n.Points), letters(n.Points))
		case game.Lost:
			fmt.Fprintf(&b, "taked %d %s\n", len(n.Points), letters(n.Points))
		}
	}
	if u.Result == nil && !own && len(u.Steps) == 0 {
		b.WriteString("move go\n")
	}
	if u.Result != nil {
		b.WriteString("end\n")
	}
	switch {
	case b.Len() == 0:
	case u.Result == nil && u.Next.Seat == h.seat:
		h.held += b.String() // news and prompt in one write, when the clock starts
	default:
		h.send(b.String())
	}
}

func (h *phantom) Choose(_ context.Context, p *player.Prompt) (player.Answer, error) {
	if p.Rejected == player.AnswerIllegal {
		h.held = "error\n"
	}
	h.send("")
	var ans player.Answer
	err := h.until(p.Deadline, func(l string) bool {
		arg, ok := strings.CutPrefix(l, "move ")
		switch {
		case !ok:
			return false
		case arg == "pass":
			ans.Steps = []game.Move{game.PassMove()}
		default:
			ans.Steps = []game.Move{game.PlaceAt(game.Pt(int(arg[0]-'A'), int(arg[1]-'A')))}
		}
		return true
	})
	return ans, err
}

func (h *phantom) Over(game.Result) {}

func letters(ps []game.Point) string {
	s := ""
	for _, p := range ps {
		s += string([]byte{'A' + byte(p.X), 'A' + byte(p.Y)})
	}
	return s
}

// TestPhantomGo plays the ko and capture sequences of the specification, a
// refused and an illegal attempt, and two passes.
func TestPhantomGo(t *testing.T) {
	turn := func(s game.Seat) game.Turn { return game.Turn{Seat: s, Phase: "place"} }
	at := func(s string) game.Move { return game.PlaceAt(game.Pt(int(s[0]-'A'), int(s[1]-'A'))) }
	placed := func(by game.Seat, m game.Move, took ...game.Point) []game.Notice {
		n := []game.Notice{
			{To: game.To(by), Kind: game.Played, By: by, Move: m},
			{To: game.To(by.Other()), Kind: game.Moved, By: by},
		}
		if len(took) > 0 {
			n = append(n, game.Notice{To: game.To(by), Kind: game.Took, By: by, Points: took},
				game.Notice{To: game.To(by.Other()), Kind: game.Lost, By: by, Points: took})
		}
		return n
	}
	end := game.Win(game.First, "score", "")
	two := []game.Point{game.Pt(0, 0), game.Pt(0, 1)}
	pos := &staged{
		spec: "phantomgo", w: 9, h: 9, first: turn(0), colours: [2]game.Colour{game.Black, game.White},
		plies: []ply{
			{move: at("BA"), notices: placed(0, at("BA")), next: turn(1)},
			{move: at("BA"), notices: []game.Notice{{To: game.ToSecond, Kind: game.Refused, By: 1, Move: at("BA")}}, next: turn(1)},
			{move: at("AC"), notices: placed(1, at("AC"), two...), next: turn(0)},
			{move: game.PassMove(), notices: []game.Notice{{To: game.Public, Kind: game.Played, By: 0, Move: game.PassMove()}}, next: turn(1)},
			{
				move: game.PassMove(), notices: []game.Notice{{To: game.Public, Kind: game.Played, By: 1, Move: game.PassMove()}},
				next: game.Turn{Seat: game.Nobody}, result: &end,
			},
		},
	}
	black := NewScript(t, `
		> name?
		< chatter
		< name Alpha
		> new black
		< move BA
		> accept
		> taked 2 AAAB
		>+ move go
		< move pass
		> move pass
		>+ end
	`)
	white := NewScript(t, `
		> name?
		< name Beta
		> new white
		> move go
		< move BA
		> refuse
		< move ZZ
		> error
		< move AC
		> accept
		>+ take 2 AAAB
		> move pass
		< move pass
		> end
	`)
	black.Strict, white.Strict = true, true
	play(t, pos, &phantom{wire{conn: black}}, &phantom{wire{conn: white}}, func(tb *playertest.Table) { tb.Retries = 1 })
	black.Done()
	white.Done()
}
