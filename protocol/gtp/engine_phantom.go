package gtp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/player"
)

// phantomPhase is the word of Phantom Go for its turns.
const phantomPhase = "move"

// phantom is the engine side of a game with hidden stones: what the manager has
// told. The position of the session holds the size of the board and nothing else.
type phantom struct {
	ledger   player.Ledger
	begun    bool      // the player was given a game and not its end
	attempt  game.Move // the answer that the manager has not judged, NoOp if none
	refusals int       // in this turn
	games    int
}

// endPhantom tells the player that its game is over.
func (e *engine) endPhantom() {
	if e.phantom.begun {
		e.phantom.begun = false
		e.s.Player.Over(game.Result{Reason: game.ByAbort})
	}
}

// view shows what the manager has told, nothing before it has named the side.
func (p *phantom) view(e *engine) game.View {
	if !p.begun {
		return e.s.Position.View(game.Public)
	}
	return p.ledger.View()
}

// phantomSeat begins a game as one side.
func (e *engine) phantomSeat(ctx context.Context, args []string) (string, error) {
	seat, err := e.seat(args[0])
	if err != nil {
		return "", err
	}
	e.endPhantom()
	p := &e.phantom
	w, h := e.s.Position.Size()
	p.games++
	p.ledger.Start(seat, w, h, phantomPhase)
	p.attempt, p.refusals = game.Move{}, 0
	err = e.s.Player.NewGame(ctx, &player.Setup{
		ID: player.SessionID(p.games), Spec: e.s.Position.Spec(), Width: w, Height: h, Seat: seat, ToMove: game.First,
		Colours: p.ledger.Colours(), View: &p.ledger, Clocks: e.session.Clocks, Limits: e.s.Limits,
	})
	if err != nil {
		return "", err
	}
	p.begun = true
	return "", nil
}

// side reads the colour of a command and reports whether it is the engine's own.
func (e *engine) side(text string) (own bool, err error) {
	seat, err := e.seat(text)
	if err != nil {
		return false, err
	}
	if !e.phantom.begun {
		return false, fmt.Errorf("which side is mine? %s comes first", phantomSeat)
	}
	return seat == e.phantom.ledger.Seat(), nil
}

// told passes an update of the ledger on.
func (e *engine) told(u *player.Update) {
	u.Clocks = e.session.Clocks
	e.s.Player.Tell(u)
}

// stones reads points, none of them a pass.
func (e *engine) stones(args []string) ([]game.Point, error) {
	w, h := e.s.Position.Size()
	if len(args) == 0 {
		return nil, nil
	}
	list, err := readPoints(nil, e.points, []byte(strings.Join(args, " ")), w*h)
	if err != nil || slices.Contains(list, game.NoPoint) {
		e.s.Logf("%s: %v", strings.Join(args, " "), err)
		return nil, errSyntax
	}
	return list, nil
}

// own reads a command about an own attempt; the engine's latest answer is judged
// by it.
func (e *engine) own(args []string) ([]game.Point, error) {
	own, err := e.side(args[0])
	if err != nil {
		return nil, err
	}
	list, err := e.stones(args[1:])
	if err != nil {
		return nil, err
	}
	if !own {
		return nil, errors.New("wrong color")
	}
	if m := e.phantom.attempt; m.Op != game.NoOp && m != game.PlaceAt(list[0]) {
		return nil, errors.New("another point was attempted")
	}
	e.phantom.attempt = game.Move{}
	return list, nil
}

func (e *engine) phantomAccepted(_ context.Context, args []string) (string, error) {
	list, err := e.own(args)
	if err != nil {
		return "", err
	}
	e.phantom.refusals = 0
	e.endTurn(e.phantom.ledger.Seat())
	e.told(e.phantom.ledger.Stood(game.PlaceAt(list[0]), list[1:]))
	return "", nil
}

func (e *engine) phantomRefused(_ context.Context, args []string) (string, error) {
	list, err := e.own(args)
	if err != nil {
		return "", err
	}
	if len(list) > 1 {
		return "", errSyntax
	}
	e.phantom.refusals++
	e.told(e.phantom.ledger.Refused(game.PlaceAt(list[0])))
	return "", nil
}

func (e *engine) phantomMoved(_ context.Context, args []string) (string, error) {
	own, err := e.side(args[0])
	if err != nil {
		return "", err
	}
	list, err := e.stones(args[1:])
	switch {
	case err != nil:
		return "", err
	case own:
		return "", errors.New("wrong color")
	}
	e.told(e.phantom.ledger.Moved(list))
	return "", nil
}

func (e *engine) phantomPassed(_ context.Context, args []string) (string, error) {
	own, err := e.side(args[0])
	p := &e.phantom
	switch {
	case err != nil:
		return "", err
	case own && p.attempt.Op == game.Place:
		return "", errors.New("a point was attempted")
	case own:
		p.attempt, p.refusals = game.Move{}, 0
		e.endTurn(p.ledger.Seat())
		e.told(p.ledger.Passed(p.ledger.Seat()))
	default:
		e.told(p.ledger.Passed(p.ledger.Seat().Other()))
	}
	return "", nil
}

// attempt asks the player what to try. Nothing is put on the board: the manager says
// what became of it.
func (e *engine) attempt(ctx context.Context, colour string) (string, error) {
	own, err := e.side(colour)
	p := &e.phantom
	switch {
	case err != nil:
		return "", err
	case !own:
		return "", errors.New("wrong color")
	case p.attempt.Op == game.Place:
		return "", errors.New("the latest attempt was neither accepted nor refused")
	case p.ledger.Over():
		return "pass", nil
	}
	seat := p.ledger.Seat()
	prompt := &player.Prompt{
		Seat: seat, Turn: game.Turn{Seat: seat, Phase: phantomPhase}, Moves: &p.ledger, Clocks: e.session.Clocks,
		Colours: p.ledger.Colours(), View: &p.ledger, Deadline: noDeadline, Again: p.refusals, Limits: e.s.Limits,
	}
	if p.refusals > 0 {
		prompt.Rejected = player.AttemptRefused
	}
	began := e.s.Now()
	ans, err := e.s.Player.Choose(ctx, prompt)
	e.spend(seat, e.s.Now().Sub(began))
	if err != nil {
		return "", fmt.Errorf("no move: %w", err)
	}
	if len(ans.Steps) > 0 && ans.Steps[0].Op == game.Resign {
		return "resign", nil
	}
	m := game.PassMove()
	if len(ans.Steps) > 0 && slices.Contains(p.ledger.Legal(nil), ans.Steps[0]) {
		m = ans.Steps[0]
	} else {
		e.s.Logf("the player answers %v, which it cannot attempt: passing", ans.Steps)
	}
	p.attempt = m
	text, ok := e.form.Turn.write(nil, e.points, []game.Move{m})
	if !ok {
		return "", fmt.Errorf("the player's decision %v has no words in GTP", m)
	}
	return string(text), nil
}
