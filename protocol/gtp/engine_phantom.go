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
	g        *runningGame
	ledger   player.Ledger
	begun    bool      // the player was given a game and not its end
	attempt  game.Move // the answer that the manager has not judged, NoOp if none
	refusals int       // in this turn
	games    int
}

// end tells the player that its game is over.
func (p *phantom) end() {
	if p.begun {
		p.begun = false
		p.g.s.Player.Over(game.Result{Reason: game.ByAbort})
	}
}

// showboard draws what the manager has told, nothing before it has named the side.
func (p *phantom) showboard(ctx context.Context, args []string) (string, error) {
	if !p.begun {
		return p.g.showboard(ctx, args)
	}
	return p.g.draw(p.ledger.View()), nil
}

// begin begins a game as one side.
func (p *phantom) begin(ctx context.Context, args []string) (string, error) {
	seat, err := p.g.seat(args[0])
	if err != nil {
		return "", err
	}
	p.end()
	w, h := p.g.s.Position.Size()
	p.games++
	p.ledger.Start(seat, w, h, phantomPhase)
	p.attempt, p.refusals = game.Move{}, 0
	err = p.g.s.Player.NewGame(ctx, &player.Setup{
		ID: player.SessionID(p.games), Spec: p.g.s.Position.Spec(), Width: w, Height: h, Seat: seat, ToMove: game.First,
		Colours: p.ledger.Colours(), View: &p.ledger, Clocks: p.g.session.Clocks, Limits: p.g.s.Limits,
	})
	if err != nil {
		return "", err
	}
	p.begun = true
	return "", nil
}

// side reads the colour of a command and reports whether it is the engine's own.
func (p *phantom) side(text string) (own bool, err error) {
	seat, err := p.g.seat(text)
	if err != nil {
		return false, err
	}
	if !p.begun {
		return false, fmt.Errorf("which side is mine? %s comes first", phantomSeat)
	}
	return seat == p.ledger.Seat(), nil
}

// told passes an update of the ledger on.
func (p *phantom) told(u *player.Update) {
	u.Clocks = p.g.session.Clocks
	p.g.s.Player.Tell(u)
}

// stones reads points, none of them a pass.
func (p *phantom) stones(args []string) ([]game.Point, error) {
	w, h := p.g.s.Position.Size()
	if len(args) == 0 {
		return nil, nil
	}
	list, err := readPoints(nil, p.g.points, []byte(strings.Join(args, " ")), w*h)
	if err != nil || slices.Contains(list, game.NoPoint) {
		p.g.s.Logf("%s: %v", strings.Join(args, " "), err)
		return nil, errSyntax
	}
	return list, nil
}

// own reads a command about an own attempt; the engine's latest answer is judged
// by it.
func (p *phantom) own(args []string) ([]game.Point, error) {
	own, err := p.side(args[0])
	if err != nil {
		return nil, err
	}
	list, err := p.stones(args[1:])
	if err != nil {
		return nil, err
	}
	if !own {
		return nil, errors.New("wrong color")
	}
	if m := p.attempt; m.Op != game.NoOp && m != game.PlaceAt(list[0]) {
		return nil, errors.New("another point was attempted")
	}
	p.attempt = game.Move{}
	return list, nil
}

func (p *phantom) accepted(_ context.Context, args []string) (string, error) {
	list, err := p.own(args)
	if err != nil {
		return "", err
	}
	p.refusals = 0
	p.g.endTurn(p.ledger.Seat())
	p.told(p.ledger.Stood(game.PlaceAt(list[0]), list[1:]))
	return "", nil
}

func (p *phantom) refused(_ context.Context, args []string) (string, error) {
	list, err := p.own(args)
	if err != nil {
		return "", err
	}
	if len(list) > 1 {
		return "", errSyntax
	}
	p.refusals++
	p.told(p.ledger.Refused(game.PlaceAt(list[0])))
	return "", nil
}

func (p *phantom) moved(_ context.Context, args []string) (string, error) {
	own, err := p.side(args[0])
	if err != nil {
		return "", err
	}
	list, err := p.stones(args[1:])
	switch {
	case err != nil:
		return "", err
	case own:
		return "", errors.New("wrong color")
	}
	p.told(p.ledger.Moved(list))
	return "", nil
}

func (p *phantom) passed(_ context.Context, args []string) (string, error) {
	own, err := p.side(args[0])
	switch {
	case err != nil:
		return "", err
	case own && p.attempt.Op == game.Place:
		return "", errors.New("a point was attempted")
	case own:
		p.attempt, p.refusals = game.Move{}, 0
		p.g.endTurn(p.ledger.Seat())
		p.told(p.ledger.Passed(p.ledger.Seat()))
	default:
		p.told(p.ledger.Passed(p.ledger.Seat().Other()))
	}
	return "", nil
}

// genmove asks the player what to try. Nothing is put on the board: the manager says
// what became of it.
func (p *phantom) genmove(ctx context.Context, args []string) (string, error) {
	own, err := p.side(args[0])
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
		Seat: seat, Turn: game.Turn{Seat: seat, Phase: phantomPhase}, Moves: &p.ledger, Clocks: p.g.session.Clocks,
		Colours: p.ledger.Colours(), View: &p.ledger, Deadline: noDeadline, Again: p.refusals, Limits: p.g.s.Limits,
	}
	if p.refusals > 0 {
		prompt.Rejected = player.AttemptRefused
	}
	began := p.g.s.Now()
	ans, err := p.g.s.Player.Choose(ctx, prompt)
	p.g.spend(seat, p.g.s.Now().Sub(began))
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
		p.g.s.Logf("the player answers %v, which it cannot attempt: passing", ans.Steps)
	}
	p.attempt = m
	text, ok := p.g.form.Turn.write(nil, p.g.points, []game.Move{m})
	if !ok {
		return "", fmt.Errorf("the player's decision %v has no words in GTP", m)
	}
	return string(text), nil
}
