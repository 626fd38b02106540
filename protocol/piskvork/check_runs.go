package piskvork

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/protocol"
)

func (c checker) checkStart(p *probe) error { return c.open(p) }

func (c checker) checkBegin(p *probe) error {
	protocol.Must(c.start(p))
	protocol.Must(p.Send(eol, "BEGIN"))
	_, err := c.move(p, p.Thought())
	return err
}

func (c checker) checkTurns(p *probe) error {
	protocol.Before(c.checkBegin, p)
	return c.turns(p, 9, "move %d", p.turn)
}

// turns plays up to n turns after the engine's first move, as long as nobody has
// five.
func (c checker) turns(p *probe, n int, what string, send func(game.Point) error) error {
	for i := range n {
		at := c.free(p, i)
		if p.over {
			return nil
		}
		if err := send(at); err != nil {
			return err
		}
		if _, err := c.move(p, p.Thought()); err != nil {
			return fmt.Errorf(what+": %w", i+2, err)
		}
		if p.over {
			return nil
		}
	}
	return nil
}

// checkAtOnce sends each TURN alone in the moment in which the move has come.
func (c checker) checkAtOnce(p *probe) error {
	protocol.Before(c.checkBegin, p)
	return c.turns(p, 9, "move %d", func(at game.Point) error {
		return p.Send(eol, "TURN "+string(AppendPoint(nil, at)))
	})
}

func (c checker) checkBoard(p *probe) error {
	protocol.Must(c.start(p))
	mid := c.size / 2
	lines := []string{"BOARD"}
	for i, at := range []game.Point{game.Pt(mid, mid), game.Pt(mid+1, mid), game.Pt(mid+1, mid+1)} {
		p.place(at, i%2 == 1)
		lines = append(lines, fmt.Sprintf("%d,%d,%d", at.X, at.Y, 2-i%2))
	}
	protocol.Must(p.Send(eol, append(lines, "DONE")...))
	_, err := c.move(p, p.Thought())
	return err
}

// timed plays three moves after the INFO lines and returns the longest, less what
// the checker itself was late.
func (c checker) timed(p *probe, info ...string) (time.Duration, error) {
	if err := c.start(p); err != nil {
		return 0, err
	}
	var worst time.Duration
	for i := range 3 {
		if err := p.Send(eol, info...); err != nil {
			return 0, err
		}
		late := p.Lateness()
		began := p.Config.Now()
		send := "BEGIN"
		if i > 0 {
			send = "TURN " + string(AppendPoint(nil, c.free(p, i)))
		}
		err := p.Send(eol, send)
		if err == nil {
			_, err = c.move(p, p.Thought())
		}
		took := p.Config.Now().Sub(began) - late()
		if err != nil {
			if !errors.Is(err, os.ErrDeadlineExceeded) {
				err = protocol.Untested(err)
			}
			return 0, err
		}
		worst = max(worst, took)
	}
	return worst, nil
}

// within wants moves to keep a limit.
func (c checker) within(p *probe, limit time.Duration, what string, info ...string) error {
	worst, err := c.timed(p, info...)
	if err == nil && worst > limit+checkGrace {
		err = protocol.Tardy(fmt.Errorf("a move took %s with %s %s", worst.Round(time.Millisecond), what, limit))
	}
	return err
}

func (c checker) checkTurnLimit(p *probe) error {
	return c.within(p, 500*time.Millisecond, "a limit of", "INFO timeout_turn 500")
}

func (c checker) checkTimeLeft(p *probe) error {
	return c.within(p, 400*time.Millisecond, "a remaining time of", "INFO timeout_turn 30000", "INFO time_left 400")
}

func (c checker) checkEnd(p *probe) error {
	protocol.Before(c.checkBegin, p)
	protocol.Must(p.Send(eol, "END"))
	return p.Ends(time.Second)
}

// firstGame plays a game and returns a point that the engine took in it.
func (c checker) firstGame(p *probe) game.Point {
	protocol.Before(c.checkTurns, p)
	least := game.Pt(127, 127)
	for at, engine := range p.taken {
		if engine && (at.Y < least.Y || at.Y == least.Y && at.X < least.X) {
			least = at
		}
	}
	p.clear()
	return least
}

func (c checker) checkSecondGame(p *probe) error {
	at := c.firstGame(p)
	protocol.Must(p.breathe())
	if err := c.open(p); err != nil {
		return fmt.Errorf("the second START: %w", err)
	}
	return c.afresh(p, at, "the second START")
}

// afresh plays on a board that must be empty: the first stone goes where the engine
// had its own in the game before, and it must not complain.
func (c checker) afresh(p *probe, before game.Point, command string) error {
	p.place(before, false)
	protocol.Must(p.Send(eol, "INFO time_left 100000"))
	protocol.Must(p.breathe()) // what is said to INFO is no answer to TURN
	protocol.Must(p.Send(eol, "TURN "+string(AppendPoint(nil, before))))
	complaint := ""
	_, err := p.Receive(p.Thought(), "move", func(line string) bool {
		switch ParseReply([]byte(line)).Kind {
		case Error, Unknown:
			complaint = line
		case Coords, Suggest:
			return true
		}
		return false
	})
	switch {
	case complaint != "":
		return fmt.Errorf("after %s a stone where one lay in the game before was answered by %q: the board was not emptied", command, complaint)
	case err != nil:
		return fmt.Errorf("after %s: %w", command, err)
	}
	return nil
}

func (c checker) checkIllegalTurn(p *probe) error {
	protocol.Must(c.start(p))
	protocol.Must(p.Send(eol, fmt.Sprintf("TURN %d,%d", c.size+5, c.size+5)))
	protocol.Got(p.Quiet(p.Patience / 4))
	return nil
}

func (c checker) checkAbout(p *probe) error {
	protocol.Must(p.Send(eol, "ABOUT"))
	line := protocol.Got(p.Receive(p.Patience, "reply to ABOUT", func(line string) bool {
		k := ParseReply([]byte(line)).Kind
		return k == Other || k == Unknown
	}))
	if ParseAbout([]byte(line)).Name == "" {
		return fmt.Errorf("no name= in %q", line)
	}
	p.Told = line
	return nil
}

// silent sends a line on an empty board and expects no complaint.
func (c checker) silent(line string) func(*probe) error {
	return func(p *probe) error {
		protocol.Must(c.calm(p))
		protocol.Must(p.Send(eol, line))
		got := protocol.Got(p.Quiet(p.Patience / 10))
		for _, l := range got {
			if k := ParseReply([]byte(l)).Kind; k == Error || k == Unknown {
				return fmt.Errorf("answered by %q", l)
			}
		}
		return nil
	}
}

// answered sends a command and wants one of the kinds.
func (p *probe) answered(command string, within time.Duration, kinds ...ReplyKind) error {
	if err := p.Send(eol, command); err != nil {
		return err
	}
	line := ""
	var r Reply
	_, err := p.Receive(within, "reply to "+strings.Fields(command)[0], func(l string) bool {
		line, r = l, ParseReply([]byte(l))
		return r.Kind == OK || r.Kind == Error || r.Kind == Unknown || r.Kind == Coords
	})
	if err != nil {
		return err
	}
	if slices.Contains(kinds, r.Kind) {
		return nil
	}
	return fmt.Errorf("%s was answered by %q", command, line)
}

func (c checker) checkUnknown(p *probe) error {
	protocol.Must(c.calm(p))
	return p.answered("KIBITZCHECK 1", p.Patience/2, Unknown)
}

func (c checker) checkBadSize(p *probe) error { return p.answered("START 4", p.Patience, Error) }

func (c checker) checkStart20(p *probe) error {
	protocol.Must(p.answered("START 20", p.Ready(), OK))
	protocol.Must(p.Send(eol, "INFO timeout_turn 1000", "INFO time_left 100000", "TURN 18,17"))
	c.size = 20
	p.place(game.Pt(18, 17), false)
	if _, err := c.move(p, p.Thought()); err != nil {
		return fmt.Errorf("a stone at 18,17: %w", err)
	}
	return nil
}

func (c checker) checkRestart(p *probe) error {
	at := c.firstGame(p)
	protocol.Must(p.breathe())
	protocol.Must(p.answered("RESTART", p.Patience, OK))
	return c.afresh(p, at, "RESTART")
}

func (c checker) checkTakeback(p *probe) error {
	protocol.Must(c.start(p))
	protocol.Must(p.Send(eol, "BEGIN"))
	at, err := c.move(p, p.Thought())
	if err != nil {
		return protocol.Untested(err)
	}
	protocol.Must(p.breathe())
	return p.answered("TAKEBACK "+string(AppendPoint(nil, at)), p.Patience, OK)
}

func (c checker) checkRect(p *probe) error {
	return p.answered("RECTSTART 15,20", p.Ready(), OK, Error, Unknown)
}

func (c checker) checkLF(p *probe) error {
	protocol.Must(p.Send("\n", fmt.Sprintf("START %d", c.size)))
	protocol.Got(p.reply(p.Ready(), "OK to START", OK))
	protocol.Must(p.Send("\n", "INFO timeout_turn 1000", "BEGIN"))
	_, err := c.move(p, p.Thought())
	return err
}

func (c checker) checkMoveNow(p *probe) error {
	protocol.Must(c.start(p))
	mid := c.size / 2
	p.place(game.Pt(mid, mid), false)
	protocol.Must(p.Send(eol, "INFO timeout_turn 20000", "INFO time_left 100000", fmt.Sprintf("TURN %d,%d", mid, mid)))
	early := protocol.Got(p.Quiet(300 * time.Millisecond))
	for _, l := range early {
		if k := ParseReply([]byte(l)).Kind; k == Coords || k == Suggest {
			return fmt.Errorf("%w: the engine moves too fast to be interrupted", protocol.ErrSkipped)
		}
	}
	protocol.Must(p.Send(eol, "INFO timeout_turn 0"))
	_, err := c.move(p, 3*time.Second)
	return err
}

func (c checker) checkSwap2(p *probe) error {
	protocol.Must(c.calm(p))
	return p.swap2()
}

func (c checker) checkSwap2Choice(p *probe) error {
	protocol.Must(c.calm(p))
	mid := c.size / 2
	return p.swap2(fmt.Sprintf("%d,%d", mid, mid), fmt.Sprintf("%d,%d", mid+1, mid), fmt.Sprintf("%d,%d", mid+1, mid+2))
}

// swap2 sends the stones of an opening, waits for the choice, and wants one that there is.
func (p *probe) swap2(stones ...string) error {
	if err := p.Send(eol, append(append([]string{"SWAP2BOARD"}, stones...), "DONE")...); err != nil {
		return err
	}
	var r Reply
	answer, complaint := "", ""
	_, err := p.Receive(p.Thought(), "reply to SWAP2BOARD", func(l string) bool {
		answer = l
		switch r = ParseReply([]byte(l)); r.Kind {
		case Error:
			complaint = l
		case Coords, Swap, Unknown:
			return true
		}
		return false
	})
	switch {
	case err != nil && complaint != "":
		return fmt.Errorf("answered by %q", complaint)
	case err != nil:
		return err
	case r.Kind == Unknown:
		return fmt.Errorf("%w: swap2 is not implemented", protocol.ErrSkipped)
	case complaint != "":
		return fmt.Errorf("%q before the answer", complaint)
	}
	if _, ok := swapSteps(nil, &r, len(stones)); !ok {
		return fmt.Errorf("answered by %q: %s", answer, swapDue(len(stones)))
	}
	return nil
}
