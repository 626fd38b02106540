package gtp

import (
	"context"
	"fmt"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/player"
)

// NewGame implements player.Player: it starts the engine if it does not run, sets
// board and clock and replays the history.
func (h *Host) NewGame(ctx context.Context, s *player.Setup) error {
	h.fail, h.form = nil, nil
	f, err := h.forms.of(s.Spec.ID())
	if err == nil {
		err = h.refusal(&f, s)
	}
	if err == nil {
		h.points, err = f.lettering(s.Width, s.Height, h.letters, h.rows)
	}
	if err != nil {
		return player.Fail(game.ByStart, err, "%v", err)
	}
	if err := h.process(ctx); err != nil {
		return err
	}
	h.Watch(ctx)
	h.games++
	h.seat, h.colours.seats = s.Seat, [2]game.Colour{game.Black, game.White}
	f = f.joined(h.join)
	h.colours.swapped = f.swapped(h.first)
	h.board.begin(h.style)
	h.hidden.begin(s.Seat)
	if f.Hidden {
		if m := h.can.missing(phantomCommands); len(m) > 0 {
			return player.Fail(game.ByStart, nil, "the engine does not list %s: %s over GTP needs these commands", strings.Join(m, ", "), f.Names[0])
		}
	}
	deadline := h.cfg.Until(h.cfg.ReplyLimit, replyLimit)
	if err := h.prepare(&f, s, deadline); err != nil {
		return err
	}
	if err := h.clock(s, deadline); err != nil {
		return err
	}
	h.form = &f
	for i := range s.History {
		h.Tell(&s.History[i])
	}
	h.colours.set(s.Colours)
	if err := h.bring(deadline, game.ByStart); err != nil {
		return err
	}
	_, err = h.exchange(deadline, game.ByStart, "replaying the opening")
	return err
}

// refusal says what of a game cannot be said over GTP.
func (h *Host) refusal(f *Form, s *player.Setup) error {
	if s.Start != "" {
		return fmt.Errorf("GTP engines cannot start from a position, only after moves from the initial one")
	}
	if v, ok := s.Spec.Option("opening"); ok && v == "swap2" {
		return fmt.Errorf("GTP has no words for swap2")
	}
	if v, ok := s.Spec.Option("continuous"); ok && v == "true" {
		return fmt.Errorf("GTP has no words for the continuous game")
	}
	if v, ok := s.Spec.Option("rulings"); ok && v != "proper" && h.games == 0 {
		h.cfg.Warnf("%s: GTP does not name the rulings %s; the engine must be set to them by itself or by an option", h.cfg.Name, v)
	}
	if v, ok := s.Spec.Option("rule"); ok && v != "freestyle" && h.games == 0 {
		h.cfg.Warnf("%s: GTP does not name the rule %s; the engine must be set to it by itself or by an option", h.cfg.Name, v)
	}
	if s.Width != s.Height && f.Square {
		return fmt.Errorf("%s is played on a square board, not %dx%d", f.Game, s.Width, s.Height)
	}
	if f.Hidden && !s.Seat.IsPlayer() {
		return fmt.Errorf("an engine cannot know both sides of %s", f.Names[0])
	}
	return nil
}

// process makes sure that a healthy engine runs.
func (h *Host) process(ctx context.Context) error {
	started, err := h.Renew(ctx, &h.cfg, h.broken, h.games > 0, h.shut)
	if err != nil || !started {
		return err
	}
	h.broken, h.skips = false, h.passes == "skip"
	h.style, h.settled = styleOf(h.turn), h.turn != "auto"
	h.Watch(ctx)
	if err := h.greet(); err != nil {
		return err
	}
	for _, o := range h.cfg.Options {
		if _, _, err := h.call(h.cfg.Until(h.cfg.ReplyLimit, replyLimit), wantDone, "%s", strings.TrimSpace(o.Key+" "+o.Value)); err != nil {
			return err
		}
	}
	return nil
}

// greet asks for what there is to know about the engine.
func (h *Host) greet() error {
	deadline := h.cfg.Until(h.cfg.StartLimit, startLimit)
	ok, text, err := h.call(deadline, wantNotice, "protocol_version")
	if err != nil {
		return err
	}
	if v := strings.TrimSuffix(text, ".0"); ok && v != "2" {
		h.cfg.Warnf("%s: the engine speaks GTP version %q; 2 is expected", h.cfg.Name, text)
	}
	if ok, text, err = h.call(deadline, wantNotice, "name"); err != nil {
		return err
	} else if ok {
		h.name = firstLine(text)
	}
	return h.list(deadline)
}

// list reads the commands of the engine: the reply goes on until that of the next
// question begins.
func (h *Host) list(deadline time.Time) error {
	ok, text, err := h.call(deadline, wantNotice, "list_commands")
	if err != nil {
		return err
	}
	h.can = abilities{ok, map[string]bool{}}
	h.can.note(text)
	h.batch.begin()
	h.batch.word("version")
	h.batch.end(wantNotice)
	if err := h.Send(h.batch.out); err != nil {
		return h.broke(h.Failed(err, game.ByStart, "sending version"))
	}
	for {
		line, err := h.ReadLine(deadline)
		if err != nil {
			return h.broke(h.Failed(err, game.ByStart, "reading the list of commands"))
		}
		if ok, _, text, is := splitReply(trim(line)); is {
			if v := string(text); ok && v != "" && h.name != "" && !strings.Contains(h.name, v) {
				h.name += " " + firstLine(v)
			}
			return nil
		}
		if h.can.listed {
			h.can.note(string(line))
		}
	}
}

// prepare chooses the game and clears a board of the right size.
func (h *Host) prepare(f *Form, s *player.Setup, deadline time.Time) error {
	if name := h.gameName(f); name != "" {
		if ok, text, err := h.call(deadline, wantNotice, "set_game %s", name); err != nil {
			return err
		} else if !ok {
			h.cfg.Warnf("%s: set_game %s is answered with %q", h.cfg.Name, name, "? "+text)
		}
	}
	size := fmt.Sprintf("boardsize %d", s.Width)
	if s.Width != s.Height {
		if !h.can.lists("rectangular_boardsize") {
			return player.Fail(game.ByStart, nil, "the engine knows square boards only, not %dx%d", s.Width, s.Height)
		}
		size = fmt.Sprintf("rectangular_boardsize %d %d", s.Width, s.Height)
	}
	if _, _, err := h.call(deadline, wantDone, "%s", size); err != nil {
		return err
	}
	if _, _, err := h.call(deadline, wantDone, "clear_board"); err != nil {
		return err
	}
	if komi, ok := s.Spec.Option("komi"); ok && f.Komi && h.can.knows("komi") {
		if _, _, err := h.call(deadline, wantDone, "komi %s", komi); err != nil {
			return err
		}
	}
	return nil
}

func (h *Host) gameName(f *Form) string {
	switch h.setGame {
	case "off":
		return ""
	case "auto":
		if h.can.lists("set_game") {
			return f.Names[0]
		}
		return ""
	default:
		return h.setGame
	}
}

func (h *Host) clock(s *player.Setup, deadline time.Time) error {
	c := clockOf(s)
	if !h.sendsTime("time_settings") && !h.sendsTime("kgs-time_settings") {
		if !c.None() && h.games == 1 && h.timing != "off" {
			h.cfg.Warnf("%s: the engine knows no time commands; it is not told of its clock", h.cfg.Name)
		}
		return nil
	}
	kgs := h.can.lists("kgs-time_settings")
	text, exact := settings(c, kgs)
	if !exact && h.games == 1 {
		h.cfg.Warnf("%s: GTP has no words for the time control; the nearest is %q", h.cfg.Name, text)
	}
	if ok, reply, err := h.call(deadline, wantNotice, "%s", text); err != nil {
		return err
	} else if !ok {
		h.cfg.Warnf("%s: %q is answered with %q", h.cfg.Name, text, "? "+firstLine(reply))
	}
	return nil
}
