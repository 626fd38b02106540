package sau

import (
	"context"
	"errors"
	"slices"

	"kibitz/game"
	"kibitz/player"
)

// hiddenPhase is the word of Phantom Go for its turns.
const hiddenPhase = "move"

// hiddenBooks are those of Phantom Go: what the platform has told.
type hiddenBooks struct {
	engine   *engine
	ledger   player.Ledger
	games    int          // begun so far
	attempt  game.Move    // what was answered last and is not yet accepted, NoOp if nothing
	refused  bool         // the player was told that its attempt does not stand
	attempts int          // how often in this turn
	stands   bool         // accept came: what it took may follow
	lost     []game.Point // own stones that the opponent's move took, as told before its prompt
	points   []game.Point
	steps    []game.Move
}

func (b *hiddenBooks) begin(ctx context.Context, seat game.Seat) (bool, error) {
	e := b.engine
	if err := e.srv.Position.Reset(e.srv.Game, ""); err != nil {
		return false, err
	}
	b.games++
	w, h := e.srv.Position.Size()
	b.ledger.Start(seat, w, h, hiddenPhase)
	b.attempt, b.refused, b.attempts, b.stands, b.lost = game.Move{}, false, 0, false, b.lost[:0]
	err := e.srv.Player.NewGame(ctx, &player.Setup{
		ID: player.SessionID(b.games), Spec: e.srv.Position.Spec(), Width: w, Height: h, Seat: seat, ToMove: game.First,
		Colours: b.ledger.Colours(), View: &b.ledger, Clocks: e.clocks(), Limits: e.srv.Limits,
	})
	return err == nil && seat == game.First, err
}

// tell passes an update of the ledger on.
func (b *hiddenBooks) tell(u *player.Update) {
	u.Clocks = b.engine.clocks()
	b.engine.srv.Player.Tell(u)
}

// settle books the own attempt as accepted, with the stones that it took.
func (b *hiddenBooks) settle(took []game.Point) {
	m := b.attempt
	b.attempt, b.refused, b.attempts, b.stands = game.Move{}, false, 0, false
	b.tell(b.ledger.Stood(m, took))
}

func (b *hiddenBooks) hear(c *command) (bool, error) {
	e := b.engine
	switch c.word {
	case wordAccept, wordAccess:
		if b.attempt.Op == game.NoOp {
			return false, errors.New("no attempt waits for it")
		}
		b.stands = true
		return false, nil
	case wordTake:
		list, ok := e.letters.list(c.arg, b.points[:0])
		b.points = list
		if !ok || b.attempt.Op == game.NoOp {
			return false, errors.New("a number and as many points were due, after an attempt")
		}
		b.settle(list)
		return false, nil
	}
	// Whatever else comes, the own attempt was accepted and took nothing. Some
	// platforms may not say so.
	if b.attempt.Op != game.NoOp {
		if !b.stands {
			e.srv.Logf("%s before accept or refuse: the attempt counts as accepted", c.word)
		}
		b.settle(nil)
	}
	if c.word == wordTaked {
		list, ok := e.letters.list(c.arg, b.points[:0])
		b.points = list
		if !ok {
			return false, errors.New("a number and as many points were due")
		}
		b.lost = append(b.lost[:0], list...)
		return false, nil
	}
	return b.prompted(c), nil
}

// prompted takes the command move: the opponent has made a move, and the engine is
// to make one unless the game is over.
func (b *hiddenBooks) prompted(c *command) bool {
	e := b.engine
	switch {
	case isPass(c.arg):
		b.flushLost()
		b.tell(b.ledger.Passed(b.ledger.Seat().Other()))
	case string(c.arg) != argGo && len(c.arg) > 0:
		e.srv.Logf("move %s tells what it should not; it is taken for move go", clip(c.arg))
		fallthrough
	case b.ledger.Turn().Seat != b.ledger.Seat() || len(b.lost) > 0:
		b.tell(b.ledger.Moved(b.lost))
		b.lost = b.lost[:0]
	}
	return !b.ledger.Over()
}

// flushLost books stones that were taken without a prompt after it.
func (b *hiddenBooks) flushLost() {
	if len(b.lost) > 0 {
		b.tell(b.ledger.Moved(b.lost))
		b.lost = b.lost[:0]
	}
}

// again books a refused attempt. An attempt that was an error is one as well. No
// point is tried twice in a turn, so that at last the pass is left, to which there
// can be no refusal.
func (b *hiddenBooks) again() (bool, error) {
	m := b.attempt
	if m.Op == game.NoOp {
		return false, errors.New("no attempt waits for it")
	}
	b.attempt, b.stands, b.refused = game.Move{}, false, true
	b.attempts++
	b.tell(b.ledger.Refused(m))
	return true, nil
}

func (b *hiddenBooks) think(ctx context.Context, dst []byte) ([]byte, error) {
	e := b.engine
	p := &player.Prompt{
		Seat: b.ledger.Seat(), Turn: b.ledger.Turn(), Moves: &b.ledger, Clocks: e.clocks(), Colours: b.ledger.Colours(),
		View: &b.ledger, Deadline: e.deadline(), Again: b.attempts, Limits: e.srv.Limits,
	}
	if b.refused {
		p.Rejected = player.AttemptRefused
	}
	ans, err := e.srv.Player.Choose(ctx, p)
	if err != nil {
		return dst, err
	}
	m := game.PassMove()
	if len(ans.Steps) > 0 && slices.Contains(b.ledger.Legal(b.steps[:0]), ans.Steps[0]) {
		m = ans.Steps[0]
	} else {
		e.srv.Logf("the player answers %v, which it cannot attempt: passing", ans.Steps)
	}
	b.refused = false
	if m.Op == game.Pass {
		// Nothing comes in answer to a pass.
		b.attempts = 0
		b.tell(b.ledger.Passed(b.ledger.Seat()))
	} else {
		b.attempt = m
	}
	b.steps = append(b.steps[:0], m)
	return e.form.Argument.write(&e.letters, dst, b.steps), nil
}

// end tells the player the end, and before it what was announced last.
func (b *hiddenBooks) end(winner game.Seat) {
	if b.attempt.Op != game.NoOp && b.stands {
		b.settle(nil)
	}
	b.flushLost()
	r := game.Result{Reason: game.ByAbort}
	if winner.IsPlayer() {
		r = game.Win(winner, game.ByAdjudication, "as the platform says")
	}
	b.engine.srv.Player.Over(r)
}
