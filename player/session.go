package player

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"kibitz/clock"
	"kibitz/game"
)

// Session plays a Player on a Position for the engine side of a protocol, which
// may be asked for a move of either seat at any time. It gives the player the
// position anew when it was set or taken back, and otherwise tells it each
// decision.
//
// The Position holds all that the engine knows; in games with hidden facts that
// is less than the game, and the protocol keeps its own books.
//
// Whether a game is over that a count has ended (Position.Prolong) is for the manager
// to say, who may not count. The player is told that end; if it is asked again, it is
// given the board as the start of a game that goes on.
type Session struct {
	Player   Player
	Position Position
	// Now is the time source; with it the player is told how long it thought.
	// It may be nil.
	Now func() time.Time
	// Clocks are both seats' clocks; the protocol sets them as it learns them.
	Clocks [2]clock.Clock
	Limits Limits
	Names  [2]string

	games   int // begun so far
	start   string
	toMove  game.Seat // on turn in the start position
	history []Update
	beyond  []beyond
	stale   bool // the player must be given the position anew
	both    bool // the player has been asked for both seats
	running bool // the player has been given a game and not its end
	result  game.Result
	seat    game.Seat
	used    time.Duration // what the player's latest answer took
}

// beyond is a position that a count had ended and from which the game went on.
type beyond struct {
	at     int // updates before it
	text   string
	toMove game.Seat
}

// ErrNotPlayers is the answer to a question for a move when chance is on turn or
// the game is over.
var ErrNotPlayers = errors.New("neither seat is on turn")

// viewer shows a position to one seat.
type viewer struct {
	p    Position
	seat game.Seat
}

// View implements Viewer; whoever plays both seats sees what is public.
func (v viewer) View() game.View {
	if !v.seat.IsPlayer() {
		return v.p.View(game.Public)
	}
	return v.p.View(game.To(v.seat))
}

// NewGame starts a game of the specification from a text position, or from the
// initial position if start is empty. The player is prepared when it is first
// needed, or by Ready.
func (s *Session) NewGame(spec game.Spec, start string) error {
	if err := s.Position.Reset(spec, start); err != nil {
		return err
	}
	s.start, s.history, s.stale, s.both, s.used = start, s.history[:0], true, false, 0
	s.games++
	s.beyond = s.beyond[:0]
	s.goOn()
	s.toMove = s.Position.Turn().Seat
	return nil
}

// Arrange begins the game in force anew with stones that lie where they are said to,
// and a seat on turn: what came before cannot be taken back any more.
func (s *Session) Arrange(owner func(game.Point) game.Seat, toMove game.Seat) error {
	if p, ok := s.Player.(Positioner); ok && p.CanStart(s.Position.Spec()) < FromPosition {
		return errors.New("the player cannot begin from a position")
	}
	a, ok := s.Position.(Arranger)
	if !ok {
		return ErrUnsupported
	}
	text, ok := a.Arrange(owner, toMove)
	if !ok {
		return ErrUnsupported
	}
	return s.NewGame(s.Position.Spec(), text)
}

// TurnTo gives the turn to a seat: by the forced pass of the other, or where the game
// can, as if the stones had been put there.
func (s *Session) TurnTo(seat game.Seat) error {
	err := s.PassTo(seat)
	if _, over := s.Position.Result(); err == nil || over || !seat.IsPlayer() {
		return err
	}
	v := s.Position.View(game.Public)
	if s.Arrange(func(p game.Point) game.Seat { return v.At(p).Owner }, seat) != nil {
		return err
	}
	return nil
}

// goOn lets a game that a count alone has ended go on, in case the manager does. The
// player does not know the position that it goes on from.
func (s *Session) goOn() {
	if _, over := s.Position.Result(); over && s.Position.Prolong() {
		s.beyond = append(s.beyond, beyond{len(s.history), s.Position.Text(), s.Position.Turn().Seat})
		s.stale = true
	}
}

// Games returns how many games were begun.
func (s *Session) Games() int { return s.games }

// SessionID is the Setup.ID of the n-th game of a session, from 1: another one for
// each game, so that players that draw by it do not repeat themselves.
func SessionID(n int) string { return "session " + strconv.Itoa(n) }

// History returns what was decided since the start; callers must not change it.
func (s *Session) History() []Update { return s.history }

// Play applies decisions of the seat on turn, with the dealer's that follow them:
// all of them or none. Steps after the one that ends the game are left out; steps
// beyond the turn are an error.
func (s *Session) Play(steps ...game.Move) error {
	forced := false
	if len(steps) == 1 && steps[0].Op == game.Pass {
		_, forced = s.ForcedPass() // the manager says what it need not
	}
	return s.play(forced, steps)
}

func (s *Session) play(forced bool, steps []game.Move) error {
	if len(steps) == 0 {
		return errors.New("no decision to play")
	}
	by := s.Position.Turn().Seat
	if !by.IsPlayer() {
		return fmt.Errorf("playing %s: %w", steps[0], ErrNotPlayers)
	}
	u := Update{By: by, Clocks: s.Clocks, Forced: forced, Used: s.used}
	s.used = 0
	for i, m := range steps {
		if _, over := s.Position.Result(); over {
			break
		}
		err := s.inTurn(by, i, m)
		var notices []game.Notice
		if err == nil {
			notices, err = s.Position.Apply(m)
		}
		if err != nil {
			if undo := s.Position.Undo(i); undo != nil {
				return fmt.Errorf("%w (and taking back failed: %w)", err, undo)
			}
			return err
		}
		u.Steps = append(u.Steps, m)
		for _, n := range notices {
			if n.Kind != game.Played && n.To.Includes(game.To(s.seat)) {
				u.Notices = append(u.Notices, n)
			}
		}
	}
	s.finish(&u)
	s.history = append(s.history, u)
	if !s.stale {
		u.View = viewer{s.Position, s.seat}
		s.Player.Tell(&u)
		if u.Result != nil {
			s.result = *u.Result
		}
	}
	s.goOn()
	return nil
}

// inTurn says whether m, the step number i of a list, still belongs to by's turn.
func (s *Session) inTurn(by game.Seat, i int, m game.Move) error {
	t := s.Position.Turn()
	if i == 0 || t.Seat == game.Dealer || t.Seat == by && t.Step > 0 {
		return nil
	}
	return fmt.Errorf("%s is one decision too many: the turn ends after %d", s.Position.FormatMove(m), i)
}

// finish completes an update after its last step.
func (s *Session) finish(u *Update) {
	u.Next = s.Position.Turn()
	u.Ended = u.Next.Seat != u.By || u.Next.Step == 0
	u.Colours = s.Position.Colours()
	u.Result = nil
	if r, over := s.Position.Result(); over {
		u.Result = &r
	}
}

// ForcedPass returns the pass of the seat on turn if it is all it may do.
func (s *Session) ForcedPass() (game.Move, bool) {
	var buf [2]game.Move
	legal := s.Position.Legal(buf[:0])
	if len(legal) == 1 && legal[0].Op == game.Pass {
		return legal[0], true
	}
	return game.Move{}, false
}

// PassTo plays the forced pass that stands between the position and the seat's
// turn, for managers that leave it out. It does nothing when the seat is on turn
// already and fails when the other seat has a choice.
func (s *Session) PassTo(seat game.Seat) error {
	t := s.Position.Turn()
	if t.Seat == seat {
		return nil
	}
	m, forced := s.ForcedPass()
	if !forced || t.Seat != seat.Other() {
		return fmt.Errorf("%s is to move, not %s", t.Seat, seat)
	}
	return s.play(true, []game.Move{m})
}

// Undo takes back the latest n decisions (steps, not answers; the dealer's count).
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
		last.Notices = nil
		s.finish(last)
		n = 0
	}
	s.stale, s.used = true, 0
	for n := len(s.beyond); n > 0 && s.beyond[n-1].at >= len(s.history); n-- {
		s.beyond = s.beyond[:n-1]
	}
	s.goOn()
	return nil
}

// Ready gives the player the current position if it does not have it, for the
// seat that is to be asked. A player that has been asked for both seats is given
// no seat of its own from then on, so that it keeps what it knows.
func (s *Session) Ready(ctx context.Context, seat game.Seat) error {
	if !s.stale && (s.both || s.seat == seat) {
		return nil
	}
	if !s.stale && s.seat != seat {
		s.both = true
	}
	if s.both {
		seat = game.Nobody
	}
	w, h := s.Position.Size()
	start, toMove, history := s.start, s.toMove, s.history
	if n := len(s.beyond); n > 0 {
		b := s.beyond[n-1]
		start, toMove, history = b.text, b.toMove, s.history[b.at:]
	}
	setup := &Setup{
		ID: SessionID(s.games), Spec: s.Position.Spec(), Width: w, Height: h, Seat: seat, Names: s.Names,
		Start: start, ToMove: toMove, Colours: s.Position.Colours(), History: history,
		View: viewer{s.Position, seat}, Clocks: s.Clocks, Limits: s.Limits,
	}
	s.Finish()
	if err := s.Player.NewGame(ctx, setup); err != nil {
		return err
	}
	s.stale, s.seat, s.running = false, seat, true
	s.result = game.Result{Reason: game.ByAbort}
	return nil
}

// Finish tells the player that its game is over: with the result of the board if
// it was told of one, otherwise as broken off. Ready does so before a new game;
// whoever stops using the session calls it once.
func (s *Session) Finish() {
	if s.running {
		s.running = false
		s.Player.Over(s.result)
	}
}

// Forget makes the session give the player the position anew before it asks
// again, after the player was asked to do something else in between or failed.
func (s *Session) Forget() { s.stale = true }

// Choose asks the player for a decision of the seat on turn, without applying it.
// A zero deadline waits for ever.
func (s *Session) Choose(ctx context.Context, deadline time.Time) (Answer, error) {
	turn := s.Position.Turn()
	if !turn.Seat.IsPlayer() {
		return Answer{}, ErrNotPlayers
	}
	if err := s.Ready(ctx, turn.Seat); err != nil {
		return Answer{}, err
	}
	var began time.Time
	if s.Now != nil {
		began = s.Now()
	}
	ans, err := s.Player.Choose(ctx, &Prompt{
		Seat: turn.Seat, Turn: turn, Moves: s.Position, Clocks: s.Clocks, Colours: s.Position.Colours(),
		View: viewer{s.Position, turn.Seat}, Deadline: deadline, Limits: s.Limits,
	})
	if s.Now != nil {
		s.used = s.Now().Sub(began)
	}
	return ans, err
}

// PlayTurn asks the player until the turn of the seat on turn is complete or the
// game is over, plays what it decides and returns all of it, with the first
// answer's remarks. A resignation is returned as it is and not played. When the
// player fails in the middle of its turn the steps before stay played.
func (s *Session) PlayTurn(ctx context.Context, deadline time.Time) (Answer, error) {
	var all Answer
	first := true
	by := s.Position.Turn().Seat
	for {
		ans, err := s.Choose(ctx, deadline)
		if err != nil {
			return all, err
		}
		if ans.Unread != "" {
			return all, fmt.Errorf("the player answered %q: %s", ans.Raw, ans.Unread)
		}
		if len(ans.Steps) == 0 {
			return all, errors.New("the player answered without a decision")
		}
		if first {
			all, first = ans, false
			all.Steps = nil
		}
		all.Steps = append(all.Steps, ans.Steps...)
		if ans.Steps[0].Op == game.Resign {
			return all, nil
		}
		if err := s.play(false, ans.Steps); err != nil {
			return all, err
		}
		next := s.Position.Turn()
		if next.Seat != by || next.Step == 0 {
			return all, nil
		}
		if ans.Whole {
			return all, fmt.Errorf("the turn is not complete after %s, which was meant to be all of it",
				s.Position.FormatMove(ans.Steps[len(ans.Steps)-1]))
		}
	}
}
