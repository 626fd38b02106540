package gtp

import (
	"context"
	"fmt"
	"slices"
	"time"

	"kibitz/game"
	"kibitz/player"
	"kibitz/protocol"
)

// Choose implements player.Player with genmove.
func (h *Host) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	ans, err := h.ask(ctx, p, "genmove")
	if err != nil || len(ans.Steps) == 0 || ans.Steps[0].Op == game.Resign {
		return ans, err
	}
	if h.form.Hidden {
		h.hidden.attempt = ans.Steps[0]
	} else {
		h.board.answered(ans.Steps, h.colours.of(p.Seat))
	}
	return ans, nil
}

// Suggest implements player.Suggester with reg_genmove.
func (h *Host) Suggest(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	if !h.can.knows("reg_genmove") || h.form == nil || h.form.Hidden || h.style != whole && !h.form.Turn.Stepwise {
		return player.Answer{}, player.ErrUnsupported
	}
	return h.ask(ctx, p, "reg_genmove")
}

// ask brings the engine to the position and asks for a move.
func (h *Host) ask(ctx context.Context, p *player.Prompt, command string) (player.Answer, error) {
	if h.fail != nil {
		return player.Answer{}, h.fail
	}
	if h.Conn() == nil || h.broken || h.form == nil {
		return player.Answer{}, player.Fail(game.ByProtocol, nil, "no game has been started")
	}
	h.colours.set(p.Colours)
	if h.unsettled() && p.Turn.Step > 0 {
		h.goPointwise("answers with one point of a turn")
	}
	h.Watch(ctx)
	began := h.cfg.Now()
	if err := h.bring(p.Deadline, game.ByTime); err != nil {
		return player.Answer{}, err
	}
	h.tellTime(p)
	h.Think(true)
	ans, err := h.question(p, command)
	h.Think(false)
	if err != nil {
		return player.Answer{}, err
	}
	ans.Used, ans.Measured = h.cfg.Now().Sub(began), true
	return ans, nil
}

// unsettled tells that the engine may yet turn out to know single points only.
func (h *Host) unsettled() bool {
	return h.turn == "auto" && !h.settled && h.form.Turn.Points > 1 && h.form.Turn.Stepwise
}

// goPointwise begins to speak of single points.
func (h *Host) goPointwise(why string) {
	h.cfg.Warnf("%s: the engine %s: from now on each point has a command of its own (as with dialect.turn=points)", h.cfg.Name, why)
	h.style, h.settled = pointwise, true
	h.board.split()
}

// bring begins the commands of a question with those that bring the engine's board
// to the game. While it is open whether the engine knows whole turns they are sent
// alone: had they been refused, the engine would think about another position.
func (h *Host) bring(deadline time.Time, late game.Reason) error {
	h.batch.begin()
	if err := h.sync(); err != nil {
		return err
	}
	if !h.unsettled() || !slices.Contains(h.batch.expect, wantTurn) {
		return nil
	}
	if _, err := h.exchange(deadline, late, "telling the game"); err != nil {
		return err
	}
	if h.refused {
		h.goPointwise("does not understand two points in one command")
		h.board.clear = true
	}
	h.batch.begin()
	return h.sync()
}

// question asks for the points that are missing in the turn and reads the answers.
func (h *Host) question(p *player.Prompt, command string) (player.Answer, error) {
	c, begun, at := h.colours.of(p.Seat), []game.Move(nil), 0
	if !h.form.Hidden {
		begun, at = h.board.begun()
	}
	single := h.style == whole || h.form.Turn.Stepwise // one answer is all
	var points []game.Point
	h.text = h.text[:0]
	for asked := at; ; asked++ {
		h.about(command, h.style.colourAt(c, asked))
		h.batch.end(wantMove)
		text, err := h.exchange(p.Deadline, game.ByTime, "waiting for the move")
		if err != nil {
			return player.Answer{}, err
		}
		if len(h.text) > 0 {
			h.text = append(h.text, ' ')
		}
		h.text = append(h.text, text...)
		if isWord(text, "resign") {
			h.steps[0] = game.ResignMove()
			return player.Answer{Steps: h.steps[:1], Raw: string(h.text)}, nil
		}
		var bad error
		points, bad = readPoints(h.heard[:0], h.points, h.text, h.form.Turn.Points)
		if bad != nil {
			return player.Answer{}, h.unread(command, bad)
		}
		if single || at+len(points) >= h.form.Turn.Points || points[0] == game.NoPoint {
			break
		}
		h.batch.begin()
	}
	return h.understood(command, begun, at, points)
}

func (h *Host) understood(command string, begun []game.Move, at int, points []game.Point) (player.Answer, error) {
	if h.style != whole && at == 0 {
		begun = nil // of an earlier command
	}
	steps, bad := h.form.Turn.steps(h.steps[:0], begun, points)
	if bad != nil {
		if !h.form.Turn.Stepwise && len(points) == 1 && h.turn == "auto" {
			bad = fmt.Errorf("%w; if the engine has a command for each point, set dialect.turn=points, "+
				"or alternate if their colours are to alternate", bad)
		}
		return player.Answer{}, h.unread(command, bad)
	}
	several := h.form.Turn.Points > 1 && h.style == whole
	if several && len(points) > 1 {
		h.settled = true
	}
	ans := player.Answer{Steps: steps, Raw: string(h.text)}
	switch {
	case h.form.Turn.Points == 1:
	case h.form.Turn.Stepwise:
		ans.Whole = several && h.settled || len(points) > 1
	default:
		ans.Whole = true
	}
	return ans, nil
}

// unread is the fault of an answer that says nothing.
func (h *Host) unread(command string, why error) *player.Failure {
	text := fmt.Sprintf("%s was answered with %q: %v", command, h.text, why)
	if len(h.text) == 0 {
		text = command + " was answered with nothing, as other commands are: was one of them answered twice?"
	}
	return h.broke(&player.Failure{Reason: game.ByProtocol, Err: why, Detail: text, Evidence: protocol.Evidence(h.Conn())})
}

// sync appends the commands that bring the engine's board to the game.
func (h *Host) sync() error {
	if h.form.Hidden {
		h.syncHidden()
		return nil
	}
	b := &h.board
	back, can := b.back()
	switch {
	case b.clear || len(b.has) > b.same && (!can || !h.can.knows("undo")):
		h.batch.word("clear_board")
		h.batch.end(wantDone)
		b.has, b.same, b.clear = b.has[:0], 0, false
	default:
		for range back {
			h.batch.word("undo")
			h.batch.end(wantDone)
		}
		b.has = b.has[:b.same]
	}
	for i := len(b.has); i < len(b.want); i++ {
		b.has = append(b.has, b.want[i])
		u := &b.has[i]
		if u.plays = b.plays(u); u.forced && h.skips {
			u.plays = 0
		} else if err := h.play(u); err != nil {
			return err
		}
	}
	b.same = len(b.has)
	return nil
}

// play appends the commands that tell a unit.
func (h *Host) play(u *unit) error {
	e := wantDone
	if u.forced {
		e = wantPass
	}
	if h.style == whole {
		if u.n > 1 {
			e = wantTurn
		}
		h.about("play", u.colour)
		h.batch.out = append(h.batch.out, ' ')
		var ok bool
		if h.batch.out, ok = h.form.Turn.write(h.batch.out, h.points, u.list()); !ok || int(u.n) > len(u.steps) {
			return h.unspeakable(u)
		}
		h.batch.end(e)
		return nil
	}
	var buf [4]game.Point
	points, ok := appendPoints(buf[:0], u.list())
	for i, p := range points {
		h.about("play", h.style.colourAt(u.colour, int(u.at)+i))
		h.batch.out = append(h.batch.out, ' ')
		if h.batch.out, ok = appendVertex(h.batch.out, h.points, p); !ok {
			break
		}
		h.batch.end(e)
	}
	if !ok {
		return h.unspeakable(u)
	}
	return nil
}

func (h *Host) unspeakable(u *unit) error {
	return h.broke(player.Fail(game.ByProtocol, nil, "GTP has no words for the turn %v", u.list()))
}
