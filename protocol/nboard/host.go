package nboard

import (
	"context"
	"fmt"
	"time"

	"kibitz/game"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/record/ggf"
)

// Host plays through an engine that speaks the protocol. It implements
// player.Player and, beside it, Positioner, Analyst, Suggester, Learner,
// Suspender, Namer and Witness.
//
// What was decided is collected and sent when the engine is next needed: the
// moves and a ping in one write, then go after the pong. Everything that the
// engine says before the pong of the latest ping belongs to an earlier position
// and is dropped; so a search that was given up needs no more than a ping.
type Host struct {
	cfg protocol.Config
	opt hostOptions

	protocol.Wire
	name string

	// The synchronisation with the process.
	ping, pong int64 // the latest that was sent, the latest that came
	depth      int   // as the engine has it, 0 before the first set depth
	owing      bool  // a search was given up: its answer may still come
	learned    bool  // the process may be saving a book when it ends

	// The running game.
	game     gameText
	limits   player.Limits
	told     int  // steps that the engine has
	reset    bool // the engine must be given the whole game
	restarts int
	mutes    int // restarts because no pong came
	remarks  protocol.Remarks
	fail     *player.Failure

	buf    []byte
	last   []byte // the latest search line of this turn
	answer [1]game.Move
}

// NewHost returns a player that drives an engine. Nothing is started before its
// first NewGame. The error names a switch or an option that cannot be.
func NewHost(cfg protocol.Config) (player.Player, error) {
	opt, err := readOptions(&cfg)
	if err != nil {
		return nil, err
	}
	h := &Host{cfg: cfg, opt: opt, game: gameText{version: opt.version}, Wire: protocol.Wire{Hint: hint, Ack: "pong "}}
	h.Bye = h.bye
	return h, nil
}

// CanStart tells that a game may begin anywhere.
func (h *Host) CanStart(game.Spec) player.Start { return player.FromPosition }

// EngineName returns the name that the engine gave by set myname.
func (h *Host) EngineName() string { return h.name }

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
	if h.Conn() == nil {
		return h.launch()
	}
	err := h.update()
	if err == nil || ctx.Err() != nil {
		return err
	}
	if h.cfg.Restart == protocol.RestartNever {
		h.Discard(&h.cfg)
		return err
	}
	h.cfg.Warnf("%s: no new game in the same process, starting it anew: %v", h.cfg.Name, err)
	h.Discard(&h.cfg)
	return h.launch()
}

// take copies what the game needs out of the setup.
func (h *Host) take(s *player.Setup) error {
	h.fail = nil
	if s.Spec != GameID {
		return player.Fail(game.ByStart, player.ErrUnsupported, "the protocol plays %s, not %q", GameID, s.Spec)
	}
	board := ggf.StandardBoard(8)
	if s.Start != "" {
		var err error
		if board, err = ggf.ParseText(s.Start, 8); err != nil {
			return player.Fail(game.ByStart, err, "the start position cannot be sent: %v", err)
		}
	}
	if n := board.Discs(); n < 4 && !h.opt.fewDiscs {
		return player.Fail(game.ByStart, player.ErrUnsupported,
			"the start position has %d discs, and engines are known to crash below 4 (dialect.fewdiscs=allow plays on)", n)
	}
	h.game.begin(board, s)
	h.limits, h.told, h.reset, h.restarts, h.mutes, h.remarks = s.Limits, 0, true, 0, 0, protocol.Remarks{}
	return nil
}

// Tell keeps what was decided; the engine learns it with the next command.
func (h *Host) Tell(u *player.Update) {
	if u.Rewind > 0 {
		h.game.rewind(u)
		h.reset = true
		return
	}
	h.game.add(u)
}

// Over ends the game; the protocol has no word for it. The last moves stay
// collected, and the process stays, for Learn; one that has lost by its own fault
// is ended. A loss on time is no such fault: the ping that ends the search proves
// that the process is in step.
func (h *Host) Over(r game.Result) {
	protocol.EndGame(h.Conn())
	h.EndWatch()
	if h.cfg.Restart != protocol.RestartNever && protocol.AtFault(r, h.game.seat) && r.Reason != game.ByTime {
		h.Leave(&h.cfg)
	}
}

// bye is quit, and two seconds of grace; ten after learn, for the book.
func (h *Host) bye() ([]byte, time.Duration) {
	if h.learned {
		return []byte("quit\n"), bookGrace
	}
	return []byte("quit\n"), quitGrace
}

// warnf passes on what is odd but harmless, a few times a game.
func (h *Host) warnf(format string, args ...any) { h.remarks.Warnf(&h.cfg, format, args...) }

func clip(line []byte) string {
	const most = 200
	s := text(line[:min(len(line), most)])
	if len(line) > most {
		s += "..."
	}
	return fmt.Sprintf("%q", s)
}

var (
	_ player.Player     = (*Host)(nil)
	_ player.Positioner = (*Host)(nil)
	_ player.Analyst    = (*Host)(nil)
	_ player.Suggester  = (*Host)(nil)
	_ player.Learner    = (*Host)(nil)
	_ player.Suspender  = (*Host)(nil)
	_ player.Namer      = (*Host)(nil)
	_ player.Witness    = (*Host)(nil)
	_ player.Meter      = (*Host)(nil)
)
