package piskvork

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/player"
	"kibitz/protocol"
)

// Host plays through an engine that speaks the protocol. It implements
// player.Player and, beside it, Positioner, Analyst, Suggester, Ponderer,
// Suspender, Namer and Witness.
//
// The host knows no rules: it keeps the list of decisions it was told and a
// second list of the stones it believes the engine has on its board, and brings
// the second to the first by the shortest command: TURN, TAKEBACK and TURN, or
// RESTART and BOARD.
type Host struct {
	cfg protocol.Config
	opt hostOptions

	protocol.Wire
	broken   bool // the process must not be used again
	identity Identity
	asked    bool // the process was asked ABOUT
	answers  bool // and answers it
	strays   int  // ERROR and UNKNOWN lines that its INFO block provokes
	ponder   bool // what the next game is to be told
	ponders  bool // what the process was told last

	// The running game.
	id            string
	spec          game.Spec
	width, height int
	seat          game.Seat
	rule          int
	limits        player.Limits
	against       player.Against
	swap2         bool
	moves         []game.Move  // all decisions, as told
	stones        []game.Point // the placements among them
	plies         []int        // the number of stones and passes before each of stones
	passes        int          // the passes among them
	choices       int          // the choices among them
	scored        []scored     // lines of a continuous game
	warned        int
	prosed        bool // plain text has been remarked
	fail          *player.Failure

	// The engine.
	boardW, boardH int          // size of its board, 0 before the first START
	boardRule      int          // the rule that START was sent under
	view           []game.Point // stones on its board
	own            int          // parity of the numbers of its own stones there
	dirty          bool         // its board is unknown or beyond TURN: RESTART before BOARD
	diverged       bool         // view may differ from stones
	board          bool         // the next stones must come as a BOARD
	noTakeback     bool
	noRestart      bool // it does not know RESTART
	noSwap2        bool
	informed       bool // an INFO was sent since that an engine may complain about
	mute           bool // it was silent on SWAP2BOARD, whichever process
	fields         int  // numbers in a line of SWAP2BOARD
	budget         int  // stray lines still tolerated
	sent           sentValues

	buf    []byte
	steps  [MaxCoords + 1]game.Move
	raw    map[game.Point]string
	detail Detail
}

// scored notes which stones died when n stones were on the board.
type scored struct {
	n      int
	points []game.Point
}

// sentValues are the INFO values that the engine has, or one of the constants.
type sentValues struct{ turn, depth, nodes int64 }

const (
	unsent  = -1 // the engine goes by its own default
	foreign = -2 // the engine has a value that is none of this game's
)

// NewHost returns a player that drives an engine. Nothing is started before its
// first NewGame. The error names a switch or value that does not exist.
func NewHost(cfg protocol.Config) (player.Player, error) {
	opt, err := readOptions(&cfg)
	if err != nil {
		return nil, err
	}
	if cfg.Dial == nil || cfg.Now == nil {
		return nil, errors.New("piskvork: a host needs a dialer and a clock")
	}
	return &Host{cfg: cfg, opt: opt, Wire: protocol.Wire{Hint: hint}, raw: make(map[game.Point]string), fields: opt.fields}, nil
}

// CanStart tells that a game may begin after any history of moves.
func (h *Host) CanStart(game.Spec) player.Start { return player.FromHistory }

func (h *Host) write(b []byte) error { return h.Send(h.ended(b)) }

// ended returns commands, whose lines end by CR LF, with the line ends that the engine
// is to have, in the same memory.
func (h *Host) ended(b []byte) []byte {
	if !h.opt.lf {
		return b
	}
	return slices.DeleteFunc(b, func(c byte) bool { return c == '\r' })
}

// EngineName returns the name that the engine gave to ABOUT.
func (h *Host) EngineName() string { return h.identity.Name }

// Identity returns all that the engine said to ABOUT.
func (h *Host) Identity() Identity { return h.identity }

// NewGame starts the engine if need be and gives it the game.
func (h *Host) NewGame(ctx context.Context, s *player.Setup) error {
	h.Watch(ctx)
	if err := h.take(s); err != nil {
		return err
	}
	if h.broken && h.cfg.Restart == protocol.RestartNever {
		return player.Fail(game.ByCrash, nil, "%s failed in an earlier game and restart=never", h.cfg.Name)
	}
	if h.cfg.Restart == protocol.RestartEachGame {
		h.quit()
	}
	reused := h.Conn() != nil
	err := h.open(ctx, s)
	if err != nil && reused && ctx.Err() == nil && h.cfg.Restart != protocol.RestartNever {
		h.cfg.Warnf("%s: no new game in the same process, starting it anew: %v", h.cfg.Name, err)
		h.quit()
		err = h.open(ctx, s)
	}
	if err != nil {
		h.discard()
		return err
	}
	return nil
}

// take copies what the game needs out of the setup.
func (h *Host) take(s *player.Setup) error {
	h.fail = nil
	if s.Start != "" {
		return player.Fail(game.ByStart, player.ErrUnsupported, "the protocol cannot start from a set-up position, only from moves")
	}
	if id := s.Spec.ID(); id != GameID {
		return player.Fail(game.ByStart, player.ErrUnsupported, "the protocol plays %s, not %q", GameID, id)
	}
	if s.Width < 1 || s.Height < 1 || s.Width > 127 || s.Height > 127 {
		return player.Fail(game.ByStart, player.ErrUnsupported, "a board of %dx%d is beyond the protocol's 1 to 127", s.Width, s.Height)
	}
	if err := carries(s.Spec, h.cfg.Dialect); err != nil {
		return player.Fail(game.ByStart, player.ErrUnsupported, "the engine %v", err)
	}
	code, err := h.opt.codes.Code(s.Spec)
	if err != nil {
		return player.Fail(game.ByStart, player.ErrUnsupported, "%v", err)
	}
	h.id, h.spec, h.width, h.height, h.seat = s.ID, s.Spec, s.Width, s.Height, s.Seat
	h.rule, h.limits, h.swap2, h.against = code, s.Limits, isSwap2(s.Spec), min(s.Against, player.OverNetwork)
	h.moves, h.stones, h.scored, h.choices, h.warned, h.prosed = h.moves[:0], h.stones[:0], h.scored[:0], 0, 0, false
	h.plies, h.passes = h.plies[:0], 0
	for i := range s.History {
		h.apply(&s.History[i])
	}
	h.board = len(h.stones) > 0
	return nil
}

// Tell keeps what was decided; the engine learns it with the next command.
func (h *Host) Tell(u *player.Update) {
	if u.Rewind > 0 {
		h.rewind(u.Rewind)
		return
	}
	h.apply(u)
}

func (h *Host) apply(u *player.Update) {
	for _, m := range u.Steps {
		switch m.Op {
		case game.Place:
			if i := len(h.stones); i < len(h.view) && h.view[i] != m.To {
				h.diverged = true
			}
			h.plies = append(h.plies, h.ply())
			h.stones = append(h.stones, m.To)
		case game.Pass:
			h.passes++
			h.dirty = true // TURN cannot tell it
		case game.Choose:
			h.choices++
		}
		h.moves = append(h.moves, m)
	}
	for i := range u.Notices {
		if n := &u.Notices[i]; n.Kind == game.Scored && len(n.Points) > 0 {
			h.scored = append(h.scored, scored{len(h.stones), slices.Clone(n.Points)})
			h.dirty = true // TURN cannot tell dead stones
		}
	}
}

// ply is the number of stones and passes: even if it is Black's turn.
func (h *Host) ply() int { return len(h.stones) + h.passes }

func (h *Host) rewind(n int) {
	h.diverged = true
	for ; n > 0 && len(h.moves) > 0; n-- {
		switch h.moves[len(h.moves)-1].Op {
		case game.Place:
			h.stones = h.stones[:len(h.stones)-1]
			h.plies = h.plies[:len(h.stones)]
		case game.Pass:
			h.passes--
			h.dirty = true // TAKEBACK cannot take it back
		case game.Choose:
			h.choices--
		}
		h.moves = h.moves[:len(h.moves)-1]
	}
	for len(h.scored) > 0 && h.scored[len(h.scored)-1].n > len(h.stones) {
		h.scored = h.scored[:len(h.scored)-1]
		h.dirty = true // TAKEBACK cannot revive dead stones
	}
}

// Over ends the game; the protocol has no word for it. A process that has lost by its
// own fault is ended here, in the time between two games; one that is started anew for
// every game by whoever closes it, or by the next game.
func (h *Host) Over(r game.Result) {
	h.EndWatch()
	protocol.EndGame(h.Conn())
	if h.cfg.Restart == protocol.RestartAuto && protocol.AtFault(r, h.seat) {
		h.quit()
	}
}

// quit is Close between two games, where nobody waits for the error.
func (h *Host) quit() { h.cfg.WarnEnd(h.shutdown()) }

// Close ends the engine: END, a second of grace, then the end of the process.
func (h *Host) Close() error {
	h.EndWatch()
	return h.shutdown()
}

// shutdown ends a healthy process.
func (h *Host) shutdown() error { return h.Quit(h.ended(AppendVerb(nil, End)), endGrace) }

// discard ends a process that must not be used again, at once.
func (h *Host) discard() {
	if h.Conn() == nil {
		return
	}
	h.broken = true
	h.cfg.WarnEnd(h.Kill())
}

// Ponder lets the engine think in the opponent's time from the next game on, in
// the Yixin dialect.
func (h *Host) Ponder(on bool) error {
	if !h.opt.yixin {
		return fmt.Errorf("%w: the protocol knows pondering only in the yixin dialect", player.ErrUnsupported)
	}
	h.ponder = on
	return nil
}

// warnf passes on what is odd but harmless, a few times a game.
func (h *Host) warnf(format string, args ...any) {
	const perGame = 10
	switch h.warned++; {
	case h.warned < perGame:
		h.cfg.Warnf("%s: "+format, append([]any{h.cfg.Name}, args...)...)
	case h.warned == perGame:
		h.cfg.Warnf("%s: further remarks on this game are left out", h.cfg.Name)
	}
}

// clip shortens a line for messages.
func clip(line []byte) string {
	const most = 200
	s := strings.ToValidUTF8(string(line[:min(len(line), most)]), "?")
	if len(line) > most {
		s += "..."
	}
	return s
}

var (
	_ player.Player     = (*Host)(nil)
	_ player.Positioner = (*Host)(nil)
	_ player.Analyst    = (*Host)(nil)
	_ player.Suggester  = (*Host)(nil)
	_ player.Ponderer   = (*Host)(nil)
	_ player.Suspender  = (*Host)(nil)
	_ player.Namer      = (*Host)(nil)
	_ player.Witness    = (*Host)(nil)
	_ player.Meter      = (*Host)(nil)
)
