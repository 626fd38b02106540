package gtp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/grid"
	"kibitz/link"
	"kibitz/player"
	"kibitz/protocol"
)

// Limits of waiting where the configuration has none.
const (
	startLimit = 30 * time.Second
	replyLimit = 10 * time.Second
	quitLimit  = 2 * time.Second
)

// Host plays through an engine that speaks GTP. It implements player.Player and,
// beside it, Positioner, Suggester, Suspender, Namer and Witness.
//
// The host keeps the turns that it was told and how many of them the engine has
// on its board; before it asks for a move it brings the engine there with play
// and undo, or with clear_board and the whole game. All that and the question are
// one write.
type Host struct {
	cfg     protocol.Config
	letters string
	rows    string
	long    bool // colours are words
	ids     bool
	timing  string
	setGame string
	passes  string

	conn     link.Conn
	broken   bool // the process is out of step and must not be used again
	evidence []string
	name     string
	listed   bool // the engine answered list_commands
	commands map[string]bool
	games    int
	skips    bool // the engine is not told of forced passes: it passes by itself

	// The running game.
	form    *form
	points  grid.Names
	seat    game.Seat
	colours [2]game.Colour
	moves   []game.Move // all steps, as told
	turns   []turn      // complete turns among them
	sent    int         // turns that the engine has on its board
	extra   int         // turns on its board after those, which are wrong or not yet told
	answer  [4]game.Move
	asked   int // steps of answer that the engine has played
	fail    *player.Failure

	mu       sync.Mutex // guards conn against Stop, and the two below
	choosing bool
	stopped  bool
	watched  context.Context
	unwatch  func() bool

	out     []byte
	expect  []expectation
	nextID  int
	firstID int // of the replies that are awaited
	steps   [4]game.Move
}

// turn is one complete turn: a run of h.moves.
type turn struct {
	from, n int
	colour  game.Colour
	forced  bool
}

// expectation is a command whose reply has not been read.
type expectation uint8

const (
	wantDone   expectation = iota // a refusal is a fault
	wantPass                      // a forced pass: engines that pass by themselves may refuse it
	wantNotice                    // a refusal has no consequence
	wantMove
)

// NewHost returns a host. The engine is started by the first game.
func NewHost(c protocol.Config) (*Host, error) {
	if c.Dial == nil || c.Now == nil {
		return nil, errors.New("gtp: the configuration lacks a dialer or a time source")
	}
	list := dialects()
	if err := c.CheckDialects("gtp", list); err != nil {
		return nil, err
	}
	return &Host{
		cfg: c, letters: c.Switch(list, "letters"), rows: c.Switch(list, "rows"), long: c.Switch(list, "colour") == "long",
		ids: c.Switch(list, "ids") == "on", timing: c.Switch(list, "time"), setGame: c.Switch(list, "set_game"), passes: c.Switch(list, "passes"),
	}, nil
}

// CanStart implements player.Positioner: a game is replayed with play; positions
// cannot be set.
func (h *Host) CanStart(game.Spec) player.Start { return player.FromHistory }

// EngineName implements player.Namer.
func (h *Host) EngineName() string { return h.name }

// Evidence implements player.Witness.
func (h *Host) Evidence() []string {
	if h.conn == nil {
		return h.evidence
	}
	return protocol.Evidence(h.conn)
}

// Suspend implements player.Suspender.
func (h *Host) Suspend() error {
	if p, ok := h.conn.(link.Process); ok {
		return p.Suspend()
	}
	return player.ErrUnsupported
}

// Resume implements player.Suspender.
func (h *Host) Resume() error {
	if p, ok := h.conn.(link.Process); ok {
		return p.Resume()
	}
	return player.ErrUnsupported
}

// Tell implements player.Player: it takes notes, which the next question sends.
func (h *Host) Tell(u *player.Update) {
	if u.Rewind > 0 {
		h.rewind(u.Rewind)
		return
	}
	h.moves = append(h.moves, u.Steps...)
	h.setColours(u.Colours)
	if !u.Ended && u.Result == nil {
		return
	}
	from := 0
	if n := len(h.turns); n > 0 {
		from = h.turns[n-1].from + h.turns[n-1].n
	}
	if n := len(h.moves) - from; n > 0 {
		h.turns = append(h.turns, turn{from, n, h.colour(u.By), u.Forced})
		h.confirm()
	}
}

// confirm takes the engine's own move as played if it is what the newest turn
// says.
func (h *Host) confirm() {
	n := len(h.turns) - 1
	if h.sent != n || h.extra != 1 || h.asked == 0 {
		return
	}
	t := h.turns[n]
	if t.n != h.asked {
		return
	}
	for i, m := range h.answer[:h.asked] {
		if h.moves[t.from+i] != m {
			return
		}
	}
	h.sent, h.extra, h.asked = n+1, 0, 0
}

// rewind takes back n steps.
func (h *Host) rewind(n int) {
	h.moves = h.moves[:max(0, len(h.moves)-n)]
	for k := len(h.turns); k > 0 && h.turns[k-1].from+h.turns[k-1].n > len(h.moves); k-- {
		if h.sent >= k {
			h.sent--
			if !h.skips || !h.turns[k-1].forced { // a pass of its own goes with the move before
				h.extra++
			}
		}
		h.turns = h.turns[:k-1]
	}
}

func (h *Host) setColours(c [2]game.Colour) {
	if c[0] != game.NoColour {
		h.colours = c
	}
}

func (h *Host) colour(s game.Seat) game.Colour {
	if s.IsPlayer() {
		return h.colours[s]
	}
	return game.NoColour
}

// Choose implements player.Player with genmove.
func (h *Host) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	ans, err := h.ask(ctx, p, "genmove")
	if err == nil && len(ans.Steps) > 0 && ans.Steps[0].Op != game.Resign {
		h.extra++
		h.asked = copy(h.answer[:], ans.Steps)
	}
	return ans, err
}

// Suggest implements player.Suggester with reg_genmove.
func (h *Host) Suggest(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	if !h.knows("reg_genmove") {
		return player.Answer{}, player.ErrUnsupported
	}
	return h.ask(ctx, p, "reg_genmove")
}

// ask brings the engine to the position and asks for a move.
func (h *Host) ask(ctx context.Context, p *player.Prompt, command string) (player.Answer, error) {
	if h.fail != nil {
		return player.Answer{}, h.fail
	}
	if h.conn == nil || h.broken || h.form == nil {
		return player.Answer{}, player.Fail(game.ByProtocol, nil, "no game has been started")
	}
	h.setColours(p.Colours)
	began := h.cfg.Now()
	h.begin()
	if err := h.sync(); err != nil {
		return player.Answer{}, err
	}
	h.tellTime(p)
	h.word(command)
	h.out = append(h.out, ' ')
	h.out = append(h.out, h.colourWord(h.colour(p.Seat))...)
	h.end(wantMove)

	h.watch(ctx)
	h.running(true)
	text, err := h.exchange(p.Deadline, game.ByTime, "waiting for the move")
	h.running(false)
	if err != nil {
		return player.Answer{}, err
	}
	used := h.cfg.Now().Sub(began)
	steps, bad := h.read(text)
	if bad != nil {
		return player.Answer{}, h.broke(&player.Failure{
			Reason: game.ByProtocol, Err: bad, Detail: fmt.Sprintf("%s was answered with %q", command, text),
			Evidence: protocol.Evidence(h.conn),
		})
	}
	return player.Answer{Steps: steps, Raw: string(text), Used: used, Measured: true}, nil
}

// read understands the answer of genmove.
func (h *Host) read(text []byte) ([]game.Move, error) {
	if isWord(text, "resign") {
		h.steps[0] = game.ResignMove()
		return h.steps[:1], nil
	}
	return h.form.moves.read(h.steps[:0], h.points, text)
}

// sync appends the commands that bring the engine's board to the turns.
func (h *Host) sync() error {
	if h.extra > 0 {
		if h.knows("undo") && h.form.moves.steps == 1 {
			for range h.extra {
				h.word("undo")
				h.end(wantDone)
			}
		} else {
			h.word("clear_board")
			h.end(wantDone)
			h.sent = 0
		}
		h.extra, h.asked = 0, 0
	}
	for ; h.sent < len(h.turns); h.sent++ {
		t := h.turns[h.sent]
		if t.forced && h.skips {
			continue
		}
		h.word("play")
		h.out = append(h.out, ' ')
		h.out = append(h.out, h.colourWord(t.colour)...)
		h.out = append(h.out, ' ')
		var ok bool
		steps := h.moves[t.from : t.from+t.n]
		if h.out, ok = h.form.moves.write(h.out, h.points, steps); !ok {
			return h.broke(player.Fail(game.ByProtocol, nil, "GTP has no words for the turn %v", steps))
		}
		if t.forced {
			h.end(wantPass)
		} else {
			h.end(wantDone)
		}
	}
	return nil
}

// tellTime appends the mover's clock.
func (h *Host) tellTime(p *player.Prompt) {
	k := p.Clocks[p.Seat]
	if k.Control.None() || !h.sendsTime("time_left") {
		return
	}
	h.word("time_left")
	h.out = append(h.out, ' ')
	h.out = append(h.out, h.colourWord(h.colour(p.Seat))...)
	h.out = append(h.out, ' ')
	h.out = appendLeft(h.out, k, h.knows("kgs-time_settings"))
	h.end(wantNotice)
}

func (h *Host) sendsTime(command string) bool {
	return h.timing == "always" || h.timing == "auto" && h.listed && h.commands[command]
}

// knows reports whether the engine has a command; one that does not list its
// commands is taken to have those that the protocol demands.
func (h *Host) knows(command string) bool {
	if h.listed {
		return h.commands[command]
	}
	return command == "undo"
}

func (h *Host) colourWord(c game.Colour) string {
	switch {
	case c == game.White && h.long:
		return "white"
	case c == game.White:
		return "w"
	case h.long:
		return "black"
	default:
		return "b"
	}
}

// Stop implements player.Player. The protocol cannot interrupt a search: the wait
// for it ends, and with it the use of the process.
func (h *Host) Stop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.choosing {
		h.stopped = true
		h.conn.Interrupt()
	}
}

func (h *Host) running(on bool) {
	h.mu.Lock()
	h.choosing, h.stopped = on, h.stopped && on
	h.mu.Unlock()
}

// Over implements player.Player: the protocol has no word for it. A process that
// has lost by its own fault is ended.
func (h *Host) Over(r game.Result) {
	protocol.EndGame(h.conn)
	h.form = nil
	if h.cfg.Restart == protocol.RestartNever || !protocol.AtFault(r, h.seat) {
		return
	}
	if err := h.shut(); err != nil {
		h.cfg.Warnf("%s: ending the engine: %v", h.cfg.Name, err)
	}
}

// Close implements player.Player.
func (h *Host) Close() error { return h.shut() }

// shut ends the engine: quit, a grace, then force.
func (h *Host) shut() error {
	if h.unwatch != nil {
		h.unwatch()
		h.watched, h.unwatch = nil, nil
	}
	if h.conn == nil {
		return nil
	}
	h.mu.Lock()
	conn := h.conn
	h.conn = nil
	h.mu.Unlock()
	h.form = nil
	if !h.broken {
		_ = conn.Write([]byte("quit\n")) // an engine that is gone already has quit
	}
	var err error
	if p, ok := conn.(link.Process); ok && !h.broken {
		err = p.CloseAfter(quitLimit)
	} else {
		err = conn.Close()
	}
	h.evidence = protocol.Evidence(conn)
	return err
}

var (
	_ player.Player     = (*Host)(nil)
	_ player.Positioner = (*Host)(nil)
	_ player.Suggester  = (*Host)(nil)
	_ player.Suspender  = (*Host)(nil)
	_ player.Namer      = (*Host)(nil)
	_ player.Witness    = (*Host)(nil)
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
