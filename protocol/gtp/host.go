package gtp

import (
	"strings"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/player"
	"kibitz/protocol"
)

// Limits of waiting where the configuration has none.
const (
	startLimit = player.StartLimit
	replyLimit = 10 * time.Second
	quitLimit  = 2 * time.Second
)

// Host plays through an engine that speaks GTP. It implements player.Player and,
// beside it, Positioner, Suggester, Suspender, Namer and Witness.
//
// The host keeps what it was told and what the engine has on its board; before it
// asks for a move it brings the engine there with play and undo, or with
// clear_board and the whole game. All that and the question are one write.
type Host struct {
	forms   Forms
	cfg     protocol.Config
	letters string
	rows    string
	first   string
	timing  string
	setGame string
	passes  string
	turn    string
	join    string

	protocol.Wire
	broken  bool // the process is out of step and must not be used again
	name    string
	can     abilities
	games   int
	skips   bool  // the engine is not told of forced passes: it passes by itself
	style   style // how this process wants turns
	settled bool  // the style is known, not only assumed

	// The running game.
	form    *Form
	points  grid.Names
	seat    game.Seat
	colours palette
	board   board
	hidden  books
	fail    *player.Failure

	batch   batch
	refused bool // a turn in one command was not understood
	steps   [4]game.Move
	heard   [4]game.Point
	text    []byte // the points of an answer that came one by one
}

// NewHost returns a host. The engine is started by the first game.
func (l Forms) NewHost(c protocol.Config) (*Host, error) {
	list := dialects()
	if err := c.CheckDialects("gtp", list); err != nil {
		return nil, err
	}
	return &Host{
		Wire: protocol.Wire{Hint: hint}, forms: l, cfg: c,
		letters: c.Switch(list, "letters"), rows: c.Switch(list, "rows"), first: c.Switch(list, "first"), join: c.Switch(list, "join"),
		timing: c.Switch(list, "time"), setGame: c.Switch(list, "set_game"), passes: c.Switch(list, "passes"), turn: c.Switch(list, "turn"),
		colours: palette{long: c.Switch(list, "colour") == "long"}, batch: batch{ids: c.Switch(list, "ids") == "on"},
	}, nil
}

// CanStart implements player.Positioner: a game is replayed with play; positions
// cannot be set.
func (h *Host) CanStart(game.Spec) player.Start { return player.FromHistory }

// EngineName implements player.Namer.
func (h *Host) EngineName() string { return h.name }

// Tell implements player.Player: it takes notes, which the next question sends.
func (h *Host) Tell(u *player.Update) {
	switch {
	case h.form != nil && h.form.Hidden && u.Rewind > 0:
		h.hidden.rewind(u.Rewind, u.Next)
	case h.form != nil && h.form.Hidden:
		h.hidden.tell(u)
	case u.Rewind > 0:
		h.board.rewind(u.Rewind)
	default:
		h.colours.set(u.Colours)
		for _, m := range u.Steps {
			h.board.add(m, h.colours.of(u.By), u.Forced)
		}
		if u.Ended || u.Result != nil {
			h.board.endTurn()
		}
	}
}

// tellTime appends the mover's clock.
func (h *Host) tellTime(p *player.Prompt) {
	k := p.Clocks[p.Seat]
	if k.Control.None() || !h.sendsTime("time_left") {
		return
	}
	h.about("time_left", h.colours.of(p.Seat))
	h.batch.out = append(h.batch.out, ' ')
	h.batch.out = appendLeft(h.batch.out, k, h.can.knows("kgs-time_settings"))
	h.batch.end(wantNotice)
}

func (h *Host) about(command string, c game.Colour) {
	h.batch.word(command)
	h.batch.arg(h.colours.word(c))
}

func (h *Host) sendsTime(command string) bool {
	return h.timing == "always" || h.timing == "auto" && h.can.lists(command)
}

// Over implements player.Player: the protocol has no word for it. A process that
// has lost by its own fault is ended.
func (h *Host) Over(r game.Result) {
	h.EndWatch()
	protocol.EndGame(h.Conn())
	h.form = nil
	if h.cfg.Restart != protocol.RestartNever && protocol.AtFault(r, h.seat) {
		h.cfg.WarnEnd(h.shut())
	}
}

// Close implements player.Player.
func (h *Host) Close() error {
	h.EndWatch()
	return h.shut()
}

// shut ends the engine: quit, a grace, then force.
func (h *Host) shut() error {
	h.form = nil
	if h.broken {
		return h.Kill()
	}
	return h.Quit([]byte("quit\n"), quitLimit)
}

var (
	_ player.Player     = (*Host)(nil)
	_ player.Positioner = (*Host)(nil)
	_ player.Suggester  = (*Host)(nil)
	_ player.Suspender  = (*Host)(nil)
	_ player.Namer      = (*Host)(nil)
	_ player.Witness    = (*Host)(nil)
	_ player.Meter      = (*Host)(nil)
)

// clockOf is the control of the seat, or of the first seat for one that has none.
func clockOf(s *player.Setup) clock.Control {
	if s.Seat.IsPlayer() {
		return s.Clocks[s.Seat].Control
	}
	return s.Clocks[0].Control
}

// firstLine cuts a text for a message.
func firstLine(text string) string {
	l, _, _ := strings.Cut(text, "\n")
	if len(l) > 120 {
		l = l[:120] + "…"
	}
	return l
}
