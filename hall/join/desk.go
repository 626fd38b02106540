package join

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"kibitz/game"
	"kibitz/player"
)

// desk is where the person acts beside his moves.
type desk struct {
	v *visit
}

// Answering implements player.Desk: the hall judges.
func (d *desk) Answering() bool { return true }

// Act implements player.Desk.
func (d *desk) Act(a player.Act, told func(player.Reply)) {
	body := map[string]any{"act": string(a.Do)}
	if a.Do == player.AskUndo && a.Ply >= 0 {
		body["ply"] = a.Ply
	}
	d.v.within(func() {
		d.v.order("acts", body, func(status int, answer []byte) {
			r := player.Reply{Effect: player.Done}
			if status/100 != 2 {
				r = player.No(player.NoDeed, problemText(status, answer))
			} else if err := json.Unmarshal(answer, &r); err != nil || r.Effect == "" {
				r.Effect = player.Done
			}
			told(r)
		})
	})
}

// within has the visit's own goroutine do something.
func (v *visit) within(f func()) {
	select {
	case v.do <- f:
	case <-v.ctx.Done():
	}
}

// adviser asks the hall for hints, where it gives any.
type adviser struct {
	player.Player
	v *visit
}

// NewGame implements player.Player.
func (*adviser) NewGame(context.Context, *player.Setup) error { return nil }

// Tell implements player.Player.
func (*adviser) Tell(*player.Update) {}

// Over implements player.Player.
func (*adviser) Over(game.Result) {}

// Suggest implements player.Suggester. The hall tells more each time, up to the decision.
func (a *adviser) Suggest(ctx context.Context, _ *player.Prompt) (player.Answer, error) {
	body := map[string]any{"act": "hint"}
	h, err := a.ask(ctx, func(h *liveHint) bool { return len(h.Steps) > 0 }, body, body)
	if err != nil {
		return player.Answer{}, err
	}
	steps, err := moves(h.Steps)
	return player.Answer{Steps: steps}, err
}

// Analyse implements player.Analyst: the hall lists decisions in order of value.
func (a *adviser) Analyse(ctx context.Context, q player.Question, yield func(game.Info) bool) error {
	h, err := a.ask(ctx, func(h *liveHint) bool { return len(h.Lines) > 0 }, map[string]any{"act": "hint", "lines": q.Lines})
	if err != nil {
		return err
	}
	for i := range h.Lines {
		in, err := h.Lines[i].info()
		if err != nil {
			return err
		}
		if in.Rank = i + 1; !yield(in) {
			break
		}
	}
	return nil
}

// ask sends acts and waits until what is advised is enough.
func (a *adviser) ask(ctx context.Context, enough func(*liveHint) bool, acts ...map[string]any) (*liveHint, error) {
	got, refused := make(chan *liveHint, 1), make(chan string, len(acts))
	a.v.within(func() {
		a.v.advising, a.v.enough = got, enough
		for _, body := range acts {
			a.v.order("acts", body, func(status int, body []byte) {
				if status/100 != 2 {
					refused <- problemText(status, body)
				}
			})
		}
	})
	select {
	case h := <-got:
		if h.Failed {
			return nil, player.Fail(game.ByAbort, nil, "nothing came of it")
		}
		return h, nil
	case why := <-refused:
		return nil, player.Fail(game.ByAbort, nil, "%s", why)
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(hallTimeout):
		return nil, player.Fail(game.ByAbort, nil, "the hall does not answer")
	}
}

func problemText(status int, body []byte) string {
	var p struct {
		Detail string `json:"detail"`
	}
	if json.Unmarshal(body, &p) != nil || p.Detail == "" {
		return http.StatusText(status)
	}
	return game.Shown(p.Detail, 300)
}
