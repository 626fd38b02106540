package gtp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"kibitz/game"
	"kibitz/player"
)

// turnBooks are what the engine side remembers of its commands: how much undo takes
// back, and, where each point has a command, what belongs to a turn that is not
// complete.
type turnBooks struct {
	done   []doing
	chosen bool       // the piece that moves was named
	origin game.Point // its place
	plan   []game.Point
	anew   bool // the running command has begun from the board as it is
}

// doing is what one command has done.
type doing struct {
	steps  int  // decisions made
	chosen bool // a piece was named, and moves later
	origin game.Point
}

// begin notes the state before a command; the function that it returns notes what
// the command has done.
func (e *engine) begin() (end func()) {
	before := e.s.Position.Len()
	d := doing{chosen: e.turn.chosen, origin: e.turn.origin}
	e.turn.anew = false
	return func() {
		if d.steps = e.s.Position.Len(); !e.turn.anew {
			d.steps -= before
		}
		e.turn.done = append(e.turn.done, d)
	}
}

// undo takes back what the latest command of play or genmove did.
func (e *engine) undo(context.Context, []string) (string, error) {
	k := len(e.turn.done)
	if k == 0 {
		return "", errors.New("cannot undo")
	}
	d := e.turn.done[k-1]
	if d.steps > 0 {
		if err := e.session.Undo(d.steps); err != nil {
			return "", errors.New("cannot undo")
		}
	}
	e.turn.done, e.turn.plan = e.turn.done[:k-1], nil
	e.turn.chosen, e.turn.origin = d.chosen, d.origin
	return "", nil
}

// play makes a move of either colour. Managers that leave forced passes out are
// helped, and a turn may come whole or in parts.
func (e *engine) play(ctx context.Context, args []string) (string, error) {
	if err := e.opponentBegins(ctx); err != nil {
		return "", err
	}
	end := e.begin()
	plan := e.turn.plan
	e.turn.plan = nil
	if err := e.tryPlay(args[0], strings.Join(args[1:], " ")); err != nil {
		e.s.Logf("play %s: %v", strings.Join(args, " "), err)
		e.turn.plan = plan
		if errors.Is(err, errSyntax) {
			return "", err
		}
		return "", errors.New("illegal move")
	}
	end()
	return "", nil
}

// opponentBegins gives the player its game before the first move, if it cannot begin
// later: who is told a move before he is asked for one is the second to move.
func (e *engine) opponentBegins(ctx context.Context) error {
	s := e.s.Position.Turn().Seat
	if e.s.Position.Len() > 0 || !s.IsPlayer() {
		return nil
	}
	if p, ok := e.s.Player.(player.Positioner); ok && p.CanStart(e.s.Position.Spec()) >= player.FromHistory {
		return nil
	}
	return e.session.Ready(ctx, s.Other())
}

var errSyntax = errors.New("syntax error")

func (e *engine) tryPlay(colour, text string) error {
	var buf [4]game.Point
	points, err := readPoints(buf[:0], e.points, []byte(text), e.form.Turn.Points)
	if err != nil {
		_, err2 := e.seat(colour)
		return errors.Join(err2, err)
	}
	if e.style != whole && e.form.Turn.Points > 1 {
		return e.playPoints(colour, points)
	}
	seat, err := e.seat(colour)
	if err != nil {
		return err
	}
	var steps [4]game.Move
	list, err := e.form.Turn.steps(steps[:0], e.begun(), points)
	if err != nil {
		return err
	}
	if err := e.turnTo(seat); err != nil {
		return err
	}
	before := e.s.Position.Len()
	if err := e.session.Play(list...); err != nil {
		return errors.Join(err, e.back(before))
	}
	return nil
}

// turnTo gives the turn to a seat, also out of turn where the game can: what was done
// before cannot be taken back then.
func (e *engine) turnTo(seat game.Seat) error {
	before := e.session.Games()
	err := e.session.TurnTo(seat)
	if e.session.Games() != before {
		e.turn.done, e.turn.anew = nil, true
	}
	return err
}

// back takes back what was done since the position had so many decisions.
func (e *engine) back(before int) error {
	if n := e.s.Position.Len() - before; n > 0 {
		return e.session.Undo(n)
	}
	return nil
}

// begun returns the decisions of the running turn that were made last.
func (e *engine) begun() []game.Move {
	h := e.session.History()
	if len(h) == 0 || e.s.Position.Turn().Step == 0 {
		return nil
	}
	return h[len(h)-1].Steps
}

// at returns how many points of the running turn were named.
func (e *engine) at() int {
	step := e.s.Position.Turn().Step
	switch {
	case e.form.Turn.Stepwise:
		return step
	case step > 0:
		return 2
	case e.turn.chosen:
		return 1
	}
	return 0
}

// onTurn checks that a command of a colour is due for the next point.
func (e *engine) onTurn(colour string) error {
	c, err := colourOf(colour)
	if err != nil {
		return errSyntax
	}
	s := e.s.Position.Turn().Seat
	if !s.IsPlayer() || e.style.colourAt(e.colour(s), e.at()) != c {
		return errors.New("wrong color")
	}
	return nil
}

// playPoints plays one point after the other: all of them or none.
func (e *engine) playPoints(colour string, points []game.Point) error {
	if err := e.onTurn(colour); err != nil {
		return err
	}
	seat, before, old := e.s.Position.Turn().Seat, e.s.Position.Len(), e.turn
	for i, p := range points {
		err := fmt.Errorf("one point too many: the turn ends after %d", i)
		if now := e.s.Position.Turn().Seat; now == seat && (i == 0 || e.at() > 0) {
			err = e.point(p)
		}
		if err != nil {
			e.turn.chosen, e.turn.origin = old.chosen, old.origin
			return errors.Join(err, e.back(before))
		}
	}
	return nil
}

// point plays the next point of a turn.
func (e *engine) point(p game.Point) error {
	switch {
	case e.form.Turn.Stepwise || p == game.NoPoint:
		return e.session.Play(placeOrPass(p))
	case e.s.Position.Turn().Step > 0:
		return e.session.Play(game.ShootAt(p))
	case e.turn.chosen:
		if err := e.session.Play(game.ShiftTo(e.turn.origin, p)); err != nil {
			return err
		}
		e.turn.chosen = false
		return nil
	}
	for _, m := range e.s.Position.Legal(nil) {
		if m.From == p {
			e.turn.chosen, e.turn.origin = true, p
			return nil
		}
	}
	return fmt.Errorf("no piece of %s on %s can move", e.s.Position.Turn().Seat, e.points.Format(p))
}

// due returns the point of a legal decision that is to be named next.
func (b *turnBooks) due(e *engine, m game.Move) (game.Point, bool) {
	switch {
	case m.Op != game.Shift:
		return m.To, true
	case !b.chosen:
		return m.From, true
	}
	return m.To, m.From == b.origin
}

// generate asks the player for a move of the colour, and plays it if told so.
func (e *engine) generate(ctx context.Context, colour string, play bool) (string, error) {
	parts := e.style != whole && e.form.Turn.Points > 1
	if parts && !play && !e.form.Turn.Stepwise {
		return "", errors.New("a single point is no move")
	}
	if _, over := e.s.Position.Result(); over {
		if _, err := e.seat(colour); err != nil {
			return "", err
		}
		if e.form.Over != "" {
			return e.form.Over, nil
		}
		return "", errors.New("the game is over")
	}
	end := e.begin()
	before := e.s.Position.Len()
	decide := e.generateTurn
	if parts {
		decide = e.generatePoint
	}
	text, err := decide(ctx, colour, play)
	if err != nil || text == "resign" {
		return text, errors.Join(err, e.back(before))
	}
	if play {
		end()
	}
	return text, nil
}

// generateTurn decides a whole turn, or the rest of one.
func (e *engine) generateTurn(ctx context.Context, colour string, play bool) (string, error) {
	seat, err := e.seat(colour)
	if err != nil {
		return "", err
	}
	if err := e.turnTo(seat); err != nil {
		return "", errors.New("wrong color")
	}
	if m, forced := e.session.ForcedPass(); forced {
		if play {
			err = e.session.Play(m)
		}
		return "pass", err
	}
	before, several := e.s.Position.Len(), e.form.Turn.Points > 1
	steps, err := e.think(ctx, seat, several)
	if err != nil {
		return "", err
	}
	if steps[len(steps)-1].Op == game.Resign {
		return "resign", nil
	}
	text, ok := e.form.Turn.write(nil, e.points, steps)
	if !ok {
		return "", fmt.Errorf("the player's decision %v has no words in GTP", steps)
	}
	e.endTurn(seat)
	switch {
	case several && !play:
		err = e.back(before)
	case !several && play:
		if err = e.session.Play(steps...); err != nil {
			err = fmt.Errorf("the player's own move is illegal: %w", err)
		}
	}
	return string(text), err
}

// think asks the player, for a whole turn, which is played then, or for one answer,
// which is not, and runs its clock.
func (e *engine) think(ctx context.Context, seat game.Seat, turn bool) ([]game.Move, error) {
	began := e.s.Now()
	ask := e.session.Choose
	if turn {
		ask = e.session.PlayTurn
	}
	ans, err := ask(ctx, noDeadline)
	e.spend(seat, e.s.Now().Sub(began))
	if err == nil && len(ans.Steps) == 0 {
		err = errors.New("the player answered without a decision")
	}
	if err != nil {
		e.session.Forget()
		return nil, fmt.Errorf("no move: %w", err)
	}
	return ans.Steps, nil
}

// generatePoint decides the next point of a turn.
func (e *engine) generatePoint(ctx context.Context, colour string, play bool) (string, error) {
	if err := e.onTurn(colour); err != nil {
		return "", err
	}
	plan, seat := e.turn.plan, e.s.Position.Turn().Seat
	if len(plan) == 0 {
		if e.turn.chosen {
			return "", fmt.Errorf("the piece on %s was named by play: its move must be as well", e.points.Format(e.turn.origin))
		}
		steps, err := e.think(ctx, seat, false)
		if err != nil {
			return "", err
		}
		if steps[0].Op == game.Resign {
			return "resign", nil
		}
		points, ok := appendPoints(nil, steps)
		if !ok {
			return "", fmt.Errorf("the player's decision %v has no words in GTP", steps)
		}
		plan = points
	}
	text, ok := appendVertex(nil, e.points, plan[0])
	if !ok {
		return "", fmt.Errorf("the player's decision is off the board")
	}
	if !play {
		return string(text), nil
	}
	e.turn.plan = nil
	if err := e.point(plan[0]); err != nil {
		return "", fmt.Errorf("the player's own move is illegal: %w", err)
	}
	if e.at() > 0 {
		e.turn.plan = plan[1:]
	} else {
		e.endTurn(seat)
	}
	return string(text), nil
}
