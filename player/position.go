package player

import (
	"context"
	"fmt"
	"time"

	"kibitz/clock"
	"kibitz/game"
)

// Position is the board that the engine side of a protocol keeps. Protocols know
// no rules; whoever serves an engine passes one in.
type Position interface {
	// Reset starts the game of the specification, from a text position if start
	// is not empty. Unknown specifications are an error for people.
	Reset(spec game.Spec, start string) error
	Spec() game.Spec
	Size() (width, height int)
	Turn() game.Turn
	// Colours are what the seats play with now.
	Colours() [2]game.Colour
	Legal(dst []game.Move) []game.Move
	Check(m game.Move) error
	// Apply makes a decision of the seat on turn, the dealer's included.
	Apply(m game.Move) ([]game.Notice, error)
	// Undo takes back the latest n decisions.
	Undo(n int) error
	// Len returns how many decisions were applied since the start.
	Len() int
	Result() (game.Result, bool)
	View(a game.Audience) game.View
	Text() string
	ParseMove(text string) (game.Move, error)
	FormatMove(m game.Move) string
}

// Session plays a Player on a Position for the engine side of a protocol, which
// may be asked for a move of either seat at any time. It restarts the player's
// game when the position was set anew and otherwise tells it each decision.
type Session struct {
	Player   Player
	Position Position
	// Now is the time source.
	Now func() time.Time
	// Clocks are both seats' clocks; the protocol sets them as it learns them.
	Clocks [2]clock.Clock
	Limits Limits
	Names  [2]string
	// AutoPass lets the session play forced passes by itself, for protocols
	// that leave them out.
	AutoPass bool

	start   string
	history []Update
	stale   bool // the player must be given the position anew
	seat    game.Seat
}

// NewGame starts a game of the specification from a text position, or from the
// initial position if start is empty.
func (s *Session) NewGame(spec game.Spec, start string) error {
	if err := s.Position.Reset(spec, start); err != nil {
		return err
	}
	s.start, s.history, s.stale = start, s.history[:0], true
	return nil
}

// Play applies decisions of one seat: all of them or none.
func (s *Session) Play(steps ...game.Move) error {
	by := s.Position.Turn().Seat
	u := Update{By: by, Steps: append([]game.Move(nil), steps...), Clocks: s.Clocks}
	for i, m := range steps {
		n, err := s.Position.Apply(m)
		if err != nil {
			if undo := s.Position.Undo(i); undo != nil {
				return fmt.Errorf("%w (and taking back failed: %w)", err, undo)
			}
			return err
		}
		for _, x := range n {
			if x.Kind != game.Played {
				u.Notices = append(u.Notices, x)
			}
		}
	}
	u.Next = s.Position.Turn()
	u.Ended = u.Next.Seat != by || u.Next.Step == 0
	if r, over := s.Position.Result(); over {
		u.Result = &r
	}
	s.history = append(s.history, u)
	if !s.stale {
		s.Player.Tell(&s.history[len(s.history)-1])
	}
	if s.AutoPass {
		return s.playForcedPass()
	}
	return nil
}

func (s *Session) playForcedPass() error {
	var buf [2]game.Move
	legal := s.Position.Legal(buf[:0])
	if len(legal) == 1 && legal[0].Op == game.Pass {
		return s.Play(legal[0])
	}
	return nil
}

// Undo takes back the latest n decisions (steps, not answers).
func (s *Session) Undo(n int) error {
	if err := s.Position.Undo(n); err != nil {
		return err
	}
	for n > 0 && len(s.history) > 0 {
		last := &s.history[len(s.history)-1]
		if k := len(last.Steps); k <= n {
			n -= k
			s.history = s.history[:len(s.history)-1]
			continue
		}
		last.Steps = last.Steps[:len(last.Steps)-n]
		last.Result, last.Ended = nil, false
		n = 0
	}
	s.stale = true
	return nil
}

// Ready gives the player the current position if it does not have it, for the
// seat that is to be asked.
func (s *Session) Ready(ctx context.Context, seat game.Seat) error {
	if !s.stale && s.seat == seat {
		return nil
	}
	w, h := s.Position.Size()
	setup := &Setup{
		ID: "session", Spec: s.Position.Spec(), Width: w, Height: h, Seat: seat, Names: s.Names,
		Start: s.start, History: s.history, Clocks: s.Clocks, Limits: s.Limits,
	}
	if len(s.history) > 0 {
		setup.ToMove = s.history[0].By
	} else {
		setup.ToMove = s.Position.Turn().Seat
	}
	if err := s.Player.NewGame(ctx, setup); err != nil {
		return err
	}
	s.stale, s.seat = false, seat
	return nil
}

// Choose asks the player for a decision of the seat on turn, without applying it.
// A zero deadline waits for ever.
func (s *Session) Choose(ctx context.Context, deadline time.Time) (Answer, error) {
	turn := s.Position.Turn()
	if !turn.Seat.IsPlayer() {
		return Answer{}, fmt.Errorf("nobody is on turn")
	}
	if err := s.Ready(ctx, turn.Seat); err != nil {
		return Answer{}, err
	}
	return s.Player.Choose(ctx, &Prompt{
		Seat: turn.Seat, Turn: turn, Moves: s.Position, Clocks: s.Clocks, Deadline: deadline, Limits: s.Limits,
	})
}
