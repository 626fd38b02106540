package gtp

import (
	"cmp"
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
func (g *runningGame) begin() (end func()) {
	before := g.s.Position.Len()
	d := doing{chosen: g.turn.chosen, origin: g.turn.origin}
	g.turn.anew = false
	return func() {
		if d.steps = g.s.Position.Len(); !g.turn.anew {
			d.steps -= before
		}
		g.turn.done = append(g.turn.done, d)
	}
}

// undo takes back what the latest command of play or genmove did.
func (g *runningGame) undo(context.Context, []string) (string, error) {
	k := len(g.turn.done)
	if k == 0 {
		return "", errors.New("cannot undo")
	}
	d := g.turn.done[k-1]
	if d.steps > 0 {
		if err := g.session.Undo(d.steps); err != nil {
			return "", errors.New("cannot undo")
		}
	}
	g.turn.done, g.turn.plan = g.turn.done[:k-1], nil
	g.turn.chosen, g.turn.origin = d.chosen, d.origin
	return "", nil
}

// play makes a move of either colour. Managers that leave forced passes out are
// helped, and a turn may come whole or in parts.
func (g *runningGame) play(ctx context.Context, args []string) (string, error) {
	if err := g.opponentBegins(ctx); err != nil {
		return "", err
	}
	end := g.begin()
	plan := g.turn.plan
	g.turn.plan = nil
	if err := g.tryPlay(args[0], strings.Join(args[1:], " ")); err != nil {
		g.s.Logf("play %s: %v", strings.Join(args, " "), err)
		g.turn.plan = plan
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
func (g *runningGame) opponentBegins(ctx context.Context) error {
	s := g.s.Position.Turn().Seat
	if g.s.Position.Len() > 0 || !s.IsPlayer() {
		return nil
	}
	if p, ok := g.s.Player.(player.Positioner); ok && p.CanStart(g.s.Position.Spec()) >= player.FromHistory {
		return nil
	}
	return g.session.Ready(ctx, s.Other())
}

var errSyntax = errors.New("syntax error")

func (g *runningGame) tryPlay(colour, text string) error {
	var buf [4]game.Point
	points, err := readPoints(buf[:0], g.points, []byte(text), g.form.Turn.Points)
	if err != nil {
		_, err2 := g.seat(colour)
		return errors.Join(err2, err)
	}
	if g.style != whole && g.form.Turn.Points > 1 {
		return g.playPoints(colour, points)
	}
	seat, err := g.seat(colour)
	if err != nil {
		return err
	}
	var steps [4]game.Move
	list, err := g.form.Turn.steps(steps[:0], g.begun(), points)
	if err != nil {
		return err
	}
	if err := g.turnTo(seat); err != nil {
		return err
	}
	before := g.s.Position.Len()
	if err := g.session.Play(list...); err != nil {
		return errors.Join(err, g.back(before))
	}
	return nil
}

// turnTo gives the turn to a seat, also out of turn where the game can: what was done
// before cannot be taken back then.
func (g *runningGame) turnTo(seat game.Seat) error {
	before := g.session.Games()
	err := g.session.TurnTo(seat)
	if g.session.Games() != before {
		g.turn.done, g.turn.anew = nil, true
	}
	return err
}

// back takes back what was done since the position had so many decisions.
func (g *runningGame) back(before int) error {
	if n := g.s.Position.Len() - before; n > 0 {
		return g.session.Undo(n)
	}
	return nil
}

// begun returns the decisions of the running turn that were made last.
func (g *runningGame) begun() []game.Move {
	h := g.session.History()
	if len(h) == 0 || g.s.Position.Turn().Step == 0 {
		return nil
	}
	return h[len(h)-1].Steps
}

// at returns how many points of the running turn were named.
func (g *runningGame) at() int {
	step := g.s.Position.Turn().Step
	switch {
	case g.form.Turn.Stepwise:
		return step
	case step > 0:
		return 2
	case g.turn.chosen:
		return 1
	}
	return 0
}

// onTurn checks that a command of a colour is due for the next point.
func (g *runningGame) onTurn(colour string) error {
	c, err := colourOf(colour)
	if err != nil {
		return errSyntax
	}
	s := g.s.Position.Turn().Seat
	if !s.IsPlayer() || g.style.colourAt(g.colour(s), g.at()) != c {
		return errors.New("wrong color")
	}
	return nil
}

// playPoints plays one point after the other: all of them or none.
func (g *runningGame) playPoints(colour string, points []game.Point) error {
	if err := g.onTurn(colour); err != nil {
		return err
	}
	seat, before, old := g.s.Position.Turn().Seat, g.s.Position.Len(), g.turn
	for i, p := range points {
		err := fmt.Errorf("one point too many: the turn ends after %d", i)
		if now := g.s.Position.Turn().Seat; now == seat && (i == 0 || g.at() > 0) {
			err = g.point(p)
		}
		if err != nil {
			g.turn.chosen, g.turn.origin = old.chosen, old.origin
			return errors.Join(err, g.back(before))
		}
	}
	return nil
}

// point plays the next point of a turn.
func (g *runningGame) point(p game.Point) error {
	switch {
	case g.form.Turn.Stepwise || p == game.NoPoint:
		return g.session.Play(placeOrPass(p))
	case g.s.Position.Turn().Step > 0:
		return g.session.Play(game.ShootAt(p))
	case g.turn.chosen:
		if err := g.session.Play(game.ShiftTo(g.turn.origin, p)); err != nil {
			return err
		}
		g.turn.chosen = false
		return nil
	}
	for _, m := range g.s.Position.Legal(nil) {
		if m.From == p {
			g.turn.chosen, g.turn.origin = true, p
			return nil
		}
	}
	return fmt.Errorf("no piece of %s on %s can move", g.s.Position.Turn().Seat, g.points.Format(p))
}

// due returns the point of a legal decision that is to be named next.
func (b *turnBooks) due(m game.Move) (game.Point, bool) {
	switch {
	case m.Op != game.Shift:
		return m.To, true
	case !b.chosen:
		return m.From, true
	}
	return m.To, m.From == b.origin
}

// generator is the command that asks for a move, and plays it if told so.
func (g *runningGame) generator(play bool) handler {
	return func(ctx context.Context, args []string) (string, error) { return g.generate(ctx, args[0], play) }
}

// generate asks the player for a move of the colour, and plays it if told so. Whether
// the game is over is for the manager to say: asked after its end the engine passes, or
// resigns where nobody passes.
func (g *runningGame) generate(ctx context.Context, colour string, play bool) (string, error) {
	parts := g.style != whole && g.form.Turn.Points > 1
	if parts && !play && !g.form.Turn.Stepwise {
		return "", errors.New("a single point is no move")
	}
	if _, over := g.s.Position.Result(); over {
		_, err := g.seat(colour)
		return cmp.Or(g.form.Over, "pass"), err
	}
	end := g.begin()
	before := g.s.Position.Len()
	decide := g.generateTurn
	if parts {
		decide = g.generatePoint
	}
	text, err := decide(ctx, colour, play)
	if err != nil || text == "resign" {
		return text, errors.Join(err, g.back(before))
	}
	if play {
		end()
	}
	return text, nil
}

// generateTurn decides a whole turn, or the rest of one.
func (g *runningGame) generateTurn(ctx context.Context, colour string, play bool) (string, error) {
	seat, err := g.seat(colour)
	if err != nil {
		return "", err
	}
	if err := g.turnTo(seat); err != nil {
		return "", errors.New("wrong color")
	}
	if m, forced := g.session.ForcedPass(); forced {
		if play {
			err = g.session.Play(m)
		}
		return "pass", err
	}
	before, several := g.s.Position.Len(), g.form.Turn.Points > 1
	steps, err := g.think(ctx, seat, several)
	if err != nil {
		return "", err
	}
	if steps[len(steps)-1].Op == game.Resign {
		return "resign", nil
	}
	text, ok := g.form.Turn.write(nil, g.points, steps)
	if !ok {
		return "", fmt.Errorf("the player's decision %v has no words in GTP", steps)
	}
	g.endTurn(seat)
	switch {
	case several && !play:
		err = g.back(before)
	case !several && play:
		if err = g.session.Play(steps...); err != nil {
			err = fmt.Errorf("the player's own move is illegal: %w", err)
		}
	}
	return string(text), err
}

// think asks the player, for a whole turn, which is played then, or for one answer,
// which is not, and runs its clock.
func (g *runningGame) think(ctx context.Context, seat game.Seat, turn bool) ([]game.Move, error) {
	began := g.s.Now()
	ask := g.session.Choose
	if turn {
		ask = g.session.PlayTurn
	}
	ans, err := ask(ctx, noDeadline)
	g.spend(seat, g.s.Now().Sub(began))
	if err == nil && len(ans.Steps) == 0 {
		err = errors.New("the player answered without a decision")
	}
	if err != nil {
		g.session.Forget()
		return nil, fmt.Errorf("no move: %w", err)
	}
	return ans.Steps, nil
}

// generatePoint decides the next point of a turn.
func (g *runningGame) generatePoint(ctx context.Context, colour string, play bool) (string, error) {
	if err := g.onTurn(colour); err != nil {
		return "", err
	}
	plan, seat := g.turn.plan, g.s.Position.Turn().Seat
	if len(plan) == 0 {
		if g.turn.chosen {
			return "", fmt.Errorf("the piece on %s was named by play: its move must be as well", g.points.Format(g.turn.origin))
		}
		steps, err := g.think(ctx, seat, false)
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
	text, ok := appendVertex(nil, g.points, plan[0])
	if !ok {
		return "", fmt.Errorf("the player's decision is off the board")
	}
	if !play {
		return string(text), nil
	}
	g.turn.plan = nil
	if err := g.point(plan[0]); err != nil {
		return "", fmt.Errorf("the player's own move is illegal: %w", err)
	}
	if g.at() > 0 {
		g.turn.plan = plan[1:]
	} else {
		g.endTurn(seat)
	}
	return string(text), nil
}
