package sau

import (
	"context"
	"errors"
	"slices"
	"sync"

	"kibitz/game"
	"kibitz/link"
	"kibitz/player"
	"kibitz/protocol"
)

// Host plays through an engine that speaks the protocol. It implements
// player.Player and, beside it, Suspender, Namer and Witness.
//
// The host knows no rules. The protocol can neither set up a position nor take
// back, and has no word of time: a game begins at its initial position, and an
// engine that is asked again is told error or refuse.
type Host struct {
	cfg protocol.Config
	opt hostOptions
	ctx context.Context // of the call that is running

	conn     link.Conn
	broken   bool     // the process must not be used again
	once     bool     // the engine cannot be trusted with a second game in one process
	evidence []string // of a process that was ended
	name     string

	// The running game.
	form    *form
	seat    game.Seat
	loose   bool
	told    bool        // a turn of the game was told
	playing bool        // the engine was told of the game and not of its end
	owes    bool        // the engine was prompted last and has not answered
	held    []byte      // news that wait for the prompt
	turn    []game.Move // the opponent's turn so far
	fail    *player.Failure

	mu      sync.Mutex // guards conn
	watched context.Context
	unwatch func() bool
	buf     []byte
	steps   []game.Move
}

// NewHost returns a player that drives an engine. Nothing is started before its
// first NewGame. The error names a switch or value that does not exist.
func NewHost(cfg protocol.Config) (player.Player, error) {
	opt, err := readOptions(&cfg)
	if err != nil {
		return nil, err
	}
	if cfg.Dial == nil || cfg.Now == nil {
		return nil, errors.New("sau: a host needs a dialer and a clock")
	}
	return &Host{cfg: cfg, opt: opt, ctx: context.Background()}, nil
}

// EngineName returns the name that the engine gave, as UTF-8.
func (h *Host) EngineName() string { return h.name }

// Evidence returns the latest lines of the engine's stderr and how it ended.
func (h *Host) Evidence() []string {
	if h.conn != nil {
		return protocol.Evidence(h.conn)
	}
	return slices.Clone(h.evidence)
}

// Stop does nothing: the protocol has no word for it.
func (h *Host) Stop() {}

// Over ends the game: an engine that was not told by the rules is told end, unless
// its process is to be ended anyway because it lost by a fault of its own.
func (h *Host) Over(r game.Result) {
	h.endWatch()
	lost := protocol.AtFault(r, h.seat)
	quit := h.cfg.Restart == protocol.RestartEachGame || h.cfg.Restart == protocol.RestartAuto && (h.once || lost)
	if h.conn != nil && h.playing && (!lost || !quit) {
		h.write(h.appendEnd(h.buf[:0], r))
	}
	h.playing = false
	protocol.EndGame(h.conn)
	if quit {
		h.quit()
	}
}

// appendEnd appends the end of the game.
func (h *Host) appendEnd(b []byte, r game.Result) []byte {
	if w := r.Winner(); h.opt.winner && w.IsPlayer() {
		return appendArg(b, wordEnd, sideNames[w])
	}
	return appendWord(b, wordEnd)
}

// write sends in one piece; what goes wrong surfaces at the next Choose.
func (h *Host) write(b []byte) {
	h.buf = b
	if h.conn == nil {
		return
	}
	if err := h.conn.Write(b); err != nil && h.fail == nil {
		h.fail = protocol.Failed(h.conn, err, game.ByCrash, "sending news")
	}
}

// quit is Close between two games, where nobody waits for the error.
func (h *Host) quit() {
	if err := h.shutdown(); err != nil {
		h.cfg.Warnf("%s: ending the process: %v", h.cfg.Name, err)
	}
}

// Close ends the engine: quit, a second of grace, then the end of the process.
func (h *Host) Close() error {
	h.endWatch()
	return h.shutdown()
}

// shutdown ends a process in good order.
func (h *Host) shutdown() error {
	if h.conn == nil {
		return nil
	}
	conn := h.conn
	h.setConn(nil)
	p, isProcess := conn.(link.Process)
	if isProcess {
		_ = p.Resume() // a stopped process could not read quit
	}
	var err error
	if conn.Write(appendWord(nil, wordQuit)) == nil && isProcess {
		err = p.CloseAfter(quitGrace)
	} else {
		err = conn.Close()
	}
	h.evidence = protocol.Evidence(conn)
	return err
}

// discard ends a process that must not be used again, at once.
func (h *Host) discard() {
	if h.conn == nil {
		return
	}
	h.broken = true
	h.abandon()
}

// abandon ends the process without a word.
func (h *Host) abandon() {
	conn := h.conn
	h.setConn(nil)
	if err := conn.Close(); err != nil {
		h.cfg.Warnf("%s: ending the process: %v", h.cfg.Name, err)
	}
	h.evidence = protocol.Evidence(conn)
}

// Suspend stops the engine's process, Resume continues it.
func (h *Host) Suspend() error {
	if p, ok := h.conn.(link.Process); ok {
		return p.Suspend()
	}
	return player.ErrUnsupported
}

// Resume continues a suspended process.
func (h *Host) Resume() error {
	if p, ok := h.conn.(link.Process); ok {
		return p.Resume()
	}
	return player.ErrUnsupported
}

func (h *Host) setConn(c link.Conn) {
	h.mu.Lock()
	h.conn = c
	h.mu.Unlock()
}

// interrupt abandons what the host is reading.
func (h *Host) interrupt() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.conn != nil {
		h.conn.Interrupt()
	}
}

// watch makes the end of ctx end a running read; it costs nothing while ctx stays
// the same.
func (h *Host) watch(ctx context.Context) {
	if ctx == h.watched {
		return
	}
	h.endWatch()
	h.ctx, h.watched = ctx, ctx
	if ctx.Done() != nil {
		h.unwatch = context.AfterFunc(ctx, h.interrupt)
	}
}

func (h *Host) endWatch() {
	if h.unwatch != nil {
		h.unwatch()
	}
	h.watched, h.unwatch = nil, nil
}

var (
	_ player.Player    = (*Host)(nil)
	_ player.Suspender = (*Host)(nil)
	_ player.Namer     = (*Host)(nil)
	_ player.Witness   = (*Host)(nil)
)
