package piskvork

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"kibitz/game"
	"kibitz/player"
	"kibitz/protocol"
)

// Host plays through an engine that speaks the protocol. It implements
// player.Player and, beside it, Positioner, Analyst, Suggester, Consulter,
// Forbidder, Hasher, Ponderer, Suspender, Namer and Witness.
//
// The host knows no rules: it keeps the list of decisions it was told and a
// second list of the stones it believes the engine has on its board, and brings
// the second to the first by the shortest command: TURN, TAKEBACK and TURN, or
// RESTART and BOARD.
type Host struct {
	cfg protocol.Config
	opt hostOptions

	protocol.Wire
	name    string
	about   string
	asked   bool // the process was asked ABOUT
	answers bool // and answers it
	strays  int  // ERROR and UNKNOWN lines that its INFO block provokes
	info    infoValues

	// The running game.
	id            string
	spec          game.Spec
	width, height int
	seat          game.Seat
	swap2         bool
	past          history
	answered      time.Time // when the last answer was there
	remarks       protocol.Remarks
	prosed        bool // plain text has been remarked
	fail          *player.Failure

	// The engine.
	boardW, boardH int          // size of its board, 0 before the first START
	boardRule      int          // the rule that START was sent under
	view           []game.Point // stones on its board
	own            int          // parity of the numbers of its own stones there
	dirty          bool         // its board is unknown or beyond TURN: RESTART before BOARD
	diverged       bool         // view may differ from what was played
	board          bool         // the next stones must come as a BOARD
	noTakeback     bool
	noRestart      bool // it does not know RESTART
	noSwap2        bool
	informed       bool // an INFO was sent since that an engine may complain about
	mute           bool // it was silent on SWAP2BOARD, whichever process
	fields         int  // numbers in a line of SWAP2BOARD
	budget         int  // stray lines still tolerated

	// decide is asked about what the engine proposes by SUGGEST, nil for nobody; abandon ends
	// that, nil while nobody is asked.
	decide  func(context.Context, *player.Prompt, game.Move) game.Move
	abandon atomic.Pointer[context.CancelFunc]

	buf    []byte
	steps  [MaxCoords + 1]game.Move
	raw    rawLines
	detail Detail
}

// NewHost returns a player that drives an engine. Nothing is started before its
// first NewGame. The error names a switch or value that does not exist.
func NewHost(cfg protocol.Config) (player.Player, error) {
	opt, err := readOptions(&cfg)
	if err != nil {
		return nil, err
	}
	h := &Host{cfg: cfg, opt: opt, Wire: protocol.Wire{Hint: hint, Now: cfg.Now}, raw: rawLines{}, fields: opt.fields}
	h.Bye = func() ([]byte, time.Duration) { return h.opt.ended(AppendVerb(nil, End)), endGrace }
	h.info.opt, h.info.options = &h.opt, cfg.Options
	return h, nil
}

// CanStart tells that a game may begin after any history of moves.
func (h *Host) CanStart(game.Spec) player.Start { return player.FromHistory }

func (h *Host) write(b []byte) error { return h.Send(h.opt.ended(b)) }

// EngineName returns the name that the engine gave to ABOUT.
func (h *Host) EngineName() string { return h.name }

// EngineAbout returns what the engine answered to ABOUT.
func (h *Host) EngineAbout() string { return h.about }

// NewGame starts the engine if need be and gives it the game.
func (h *Host) NewGame(ctx context.Context, s *player.Setup) error {
	h.Watch(ctx)
	if err := h.take(s); err != nil {
		return err
	}
	if err := h.Usable(&h.cfg); err != nil {
		return err
	}
	if h.cfg.Restart == protocol.RestartEachGame {
		h.Leave(&h.cfg)
	}
	reused := h.Conn() != nil
	err := h.open(ctx, s)
	if err != nil && reused && ctx.Err() == nil && h.cfg.Restart != protocol.RestartNever {
		h.cfg.Warnf("%s: no new game in the same process, starting it anew: %v", h.cfg.Name, err)
		h.Leave(&h.cfg)
		err = h.open(ctx, s)
	}
	if err != nil {
		h.Discard(&h.cfg)
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
	h.info.rule, h.info.limits, h.info.against = code, s.Limits, min(s.Against, player.OverNetwork)
	h.swap2, h.remarks, h.prosed = isSwap2(s.Spec), protocol.Remarks{}, false
	h.past.clear()
	for i := range s.History {
		h.apply(&s.History[i])
	}
	h.board = len(h.past.stones) > 0
	return nil
}

// Tell keeps what was decided; the engine learns it with the next command.
func (h *Host) Tell(u *player.Update) {
	if u.Rewind == 0 {
		h.apply(u)
		return
	}
	h.diverged = true
	if !h.past.rewind(u.Rewind) {
		h.dirty = true
	}
}

func (h *Host) apply(u *player.Update) {
	n := len(h.past.stones)
	if !h.past.add(u) {
		h.dirty = true
	}
	for ; n < min(len(h.past.stones), len(h.view)); n++ {
		h.diverged = h.diverged || h.view[n] != h.past.stones[n]
	}
}

// Over ends the game; the protocol has no word for it. A process that has lost by its
// own fault is ended here, in the time between two games; one that is started anew for
// every game by whoever closes it, or by the next game.
func (h *Host) Over(r game.Result) {
	h.EndWatch()
	protocol.EndGame(h.Conn())
	if h.cfg.Restart == protocol.RestartAuto && protocol.AtFault(r, h.seat) {
		h.Leave(&h.cfg)
	}
}

// Ponder lets the engine think in the opponent's time from the next game on, in
// the Yixin dialect.
func (h *Host) Ponder(on bool) error {
	if !h.opt.yixin {
		return fmt.Errorf("%w: the protocol knows pondering only in the yixin dialect", player.ErrUnsupported)
	}
	h.info.ponder = on
	return nil
}

// warnf passes on what is odd but harmless, a few times a game.
func (h *Host) warnf(format string, args ...any) { h.remarks.Warnf(&h.cfg, format, args...) }

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
	_ player.Consulter  = (*Host)(nil)
	_ player.Forbidder  = (*Host)(nil)
	_ player.Hasher     = (*Host)(nil)
	_ player.Ponderer   = (*Host)(nil)
	_ player.Suspender  = (*Host)(nil)
	_ player.Namer      = (*Host)(nil)
	_ player.Describer  = (*Host)(nil)
	_ player.Hurrier    = (*Host)(nil)
	_ player.Witness    = (*Host)(nil)
	_ player.Meter      = (*Host)(nil)
)
