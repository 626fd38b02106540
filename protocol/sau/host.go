package sau

import (
	"time"

	"kibitz/game"
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
	forms Forms
	cfg   protocol.Config
	opt   hostOptions

	protocol.Wire
	once bool // the engine cannot be trusted with a second game in one process
	name string

	// The running game.
	form    *Form
	width   int
	height  int
	seat    game.Seat
	loose   bool
	told    bool        // a turn of the game was told
	playing bool        // the engine was told of the game and not of its end
	owes    bool        // the engine was prompted last and has not answered
	held    []byte      // news that wait for the prompt
	turn    []game.Move // the opponent's turn so far
	fail    *player.Failure

	buf   []byte
	steps []game.Move
}

// NewHost returns a player that drives an engine. Nothing is started before its
// first NewGame. The error names a switch or value that does not exist.
func (l Forms) NewHost(cfg protocol.Config) (player.Player, error) {
	opt, err := readOptions(&cfg)
	if err != nil {
		return nil, err
	}
	bye := func() ([]byte, time.Duration) { return appendWord(nil, wordQuit), quitGrace }
	return &Host{forms: l, cfg: cfg, opt: opt, Wire: protocol.Wire{Hint: hint, Now: cfg.Now, Bye: bye}}, nil
}

// EngineName returns the name that the engine gave, as UTF-8.
func (h *Host) EngineName() string { return h.name }

// Stop does nothing: the protocol has no word for it.
func (h *Host) Stop() {}

// Over ends the game: an engine that was not told by the rules is told end, unless
// its process is to be ended anyway because it lost by a fault of its own. A process
// that is started anew for every game is ended by whoever closes it, or by the next
// game.
func (h *Host) Over(r game.Result) {
	h.EndWatch()
	lost := protocol.AtFault(r, h.seat)
	quit := h.cfg.Restart == protocol.RestartEachGame || h.cfg.Restart == protocol.RestartAuto && (h.once || lost)
	if h.Conn() != nil && h.playing && (!lost || !quit) {
		b := h.buf[:0]
		if h.told && len(h.held) > 0 { // the turn that nobody is asked to answer any more
			b = append(b, h.held...)
			h.owes = true
		}
		h.write(h.appendEnd(b, r))
	}
	h.held, h.playing = h.held[:0], false
	protocol.EndGame(h.Conn())
	if quit && h.cfg.Restart == protocol.RestartAuto {
		h.Leave(&h.cfg)
	}
}

func (h *Host) appendEnd(b []byte, r game.Result) []byte {
	if w := r.Winner(); h.opt.winner && w.IsPlayer() {
		return appendArg(b, wordEnd, sideNames[w])
	}
	return appendWord(b, wordEnd)
}

// write sends in one piece; what goes wrong surfaces at the next Choose.
func (h *Host) write(b []byte) {
	h.buf = b
	if h.Conn() == nil {
		return
	}
	if err := h.Send(b); err != nil && h.fail == nil {
		h.fail = h.Failed(err, game.ByCrash, "sending news")
	}
}

var (
	_ player.Player    = (*Host)(nil)
	_ player.Suspender = (*Host)(nil)
	_ player.Namer     = (*Host)(nil)
	_ player.Witness   = (*Host)(nil)
	_ player.Explainer = (*Host)(nil)
	_ player.Meter     = (*Host)(nil)
)
