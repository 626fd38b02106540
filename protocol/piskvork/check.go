package piskvork

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/protocol"
)

// Checks returns what an engine can be tested for. Requirements come from the
// published protocol, advice from what managers of the field rely on.
func Checks(spec game.Spec) []protocol.Check {
	c := checker{size: 15, rule: 0}
	if v, ok := spec.Option("size"); ok {
		if n, err := strconv.Atoi(v); err == nil {
			c.size = n
		}
	}
	if name, ok := spec.Option("rule"); ok {
		for _, r := range ruleNames {
			if r.name == name {
				c.rule = r.code
			}
		}
	}
	must := func(id, text, source string, run func(*probe) error) protocol.Check {
		return c.check(id, text, source, false, run)
	}
	should := func(id, text, source string, run func(*probe) error) protocol.Check {
		return c.check(id, text, source, true, run)
	}
	return []protocol.Check{
		must("start", "START is answered by OK", "protocol: START", c.checkStart),
		must("begin", "BEGIN is answered by a move on the board", "protocol: BEGIN", c.checkBegin),
		must("turn", "TURN is answered by a move to an empty point, ten times or until somebody has five", "protocol: TURN", c.checkTurns),
		must("board", "BOARD with an opening is answered by a move to an empty point", "protocol: BOARD", c.checkBoard),
		must("turn-limit", "a move takes no longer than INFO timeout_turn", "protocol: INFO timeout_turn", c.checkTurnLimit),
		must("time-left", "a move takes no longer than INFO time_left", "protocol: INFO time_left", c.checkTimeLeft),
		must("end", "END ends the process within a second", "protocol: END", c.checkEnd),
		must("second-game", "a second START empties the board for a new game", "protocol: START", c.checkSecondGame),
		must("illegal-turn", "a TURN off the board does not end the process", "protocol: ERROR", c.checkIllegalTurn),
		should("about", "ABOUT is answered by key=\"value\" pairs with a name", "protocol: ABOUT", c.checkAbout),
		should("rule", "INFO rule is taken without a complaint", "protocol: INFO rule", c.checkRule),
		should("unknown", "an unknown command is answered by UNKNOWN", "protocol: UNKNOWN", c.checkUnknown),
		should("info-unknown", "an unknown key of INFO is ignored in silence", "protocol: INFO", c.checkInfo),
		should("bad-size", "START with an impossible size is answered by ERROR", "protocol: START", c.checkBadSize),
		should("start-20", "boards of 20x20 are supported, as Gomocup demands", "Gomocup rules", c.checkStart20),
		should("restart", "RESTART is answered by OK and empties the board", "protocol: RESTART", c.checkRestart),
		should("takeback", "TAKEBACK is answered by OK", "protocol: TAKEBACK", c.checkTakeback),
		should("rectstart", "RECTSTART is answered by OK, ERROR or UNKNOWN", "protocol: RECTSTART", c.checkRect),
		should("line-feed", "lines that end with a bare LF are understood", "managers on Unix", c.checkLF),
		should("move-now", "INFO timeout_turn 0 while thinking makes it move at once", "Piskvork's stop button", c.checkMoveNow),
		should("at-once", "a TURN that follows a move at once, with no INFO before it, is understood", "managers that send no time_left", c.checkAtOnce),
		should("swap2", "SWAP2BOARD, if it is known, is answered by three points", "protocol: SWAP2BOARD", c.checkSwap2),
		should("swap2-choice", "SWAP2BOARD with three stones is answered by SWAP, one point or two", "protocol: SWAP2BOARD", c.checkSwap2Choice),
		should("memory", "INFO max_memory is taken without a complaint", "protocol: INFO max_memory", c.checkMemory),
	}
}

// checker knows the game that an engine is checked on.
type checker struct {
	size, rule int
}

// probe is a conversation with one engine.
type probe struct {
	*protocol.Probe
	ctx context.Context
	// taken are the stones on the board, true for the engine's.
	taken map[game.Point]bool
	// over tells that somebody has five in a row: no TURN may follow.
	over bool
}

const (
	checkEnd  = "\r\n"
	startWait = 10 * time.Second
	// grace is what a limit may be exceeded by before it counts as broken: the
	// smallest tolerance that managers of the field use.
	checkGrace = 100 * time.Millisecond
	// breather is waited where a manager of flesh and blood would not be at once.
	breather = 100 * time.Millisecond
)

func (c checker) check(id, text, source string, advice bool, run func(*probe) error) protocol.Check {
	return protocol.Check{ID: id, Requirement: text, Source: source, Advice: advice, Run: func(ctx context.Context, p *protocol.Probe) error {
		return run(&probe{Probe: p, ctx: ctx, taken: map[game.Point]bool{}})
	}}
}

// reply waits for a line of one of the kinds; MESSAGE, DEBUG and prose are passed
// over.
func (p *probe) reply(within time.Duration, what string, kinds ...ReplyKind) (Reply, error) {
	var got Reply
	_, err := p.Receive(within, what, func(line string) bool {
		r := ParseReply([]byte(line))
		for _, k := range kinds {
			if r.Kind == k {
				got = r
				return true
			}
		}
		return false
	})
	return got, err
}

// start brings the engine to an empty board with a short limit for each move.
func (c checker) start(p *probe) error {
	if err := p.Send(checkEnd, fmt.Sprintf("START %d", c.size)); err != nil {
		return err
	}
	r, err := p.reply(startWait, "OK to START", OK, Error, Unknown)
	if err != nil {
		return err
	}
	if r.Kind != OK {
		return fmt.Errorf("START %d was answered by %s", c.size, r.Text)
	}
	return p.Send(checkEnd, fmt.Sprintf("INFO rule %d", c.rule), "INFO timeout_turn 1000", "INFO timeout_match 100000", "INFO time_left 100000")
}

// move waits for a legal move and keeps it.
func (c checker) move(p *probe, within time.Duration) (game.Point, error) {
	r, err := p.reply(within, "move", Coords, Suggest)
	if err != nil {
		return game.Point{}, err
	}
	if r.Kind == Suggest {
		if err := p.Send(checkEnd, "PLAY "+string(AppendPoint(nil, r.Points[0]))); err != nil {
			return game.Point{}, err
		}
		if r, err = p.reply(within, "move after PLAY", Coords); err != nil {
			return game.Point{}, err
		}
	}
	at := r.Points[0]
	_, occupied := p.taken[at]
	switch {
	case r.N != 1:
		return at, fmt.Errorf("%d points where one move was due", r.N)
	case !at.On(c.size, c.size):
		return at, fmt.Errorf("the move %d,%d is off the %dx%d board", at.X, at.Y, c.size, c.size)
	case occupied:
		return at, fmt.Errorf("the move %d,%d is to an occupied point", at.X, at.Y)
	}
	p.place(at, true)
	return at, nil
}

// place puts a stone down and looks for five in a row.
func (p *probe) place(at game.Point, engine bool) {
	p.taken[at] = engine
	for _, d := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
		n := 1
		for _, sign := range [2]int{1, -1} {
			for k := sign; ; k += sign {
				whose, there := p.taken[game.Pt(int(at.X)+k*d[0], int(at.Y)+k*d[1])]
				if !there || whose != engine {
					break
				}
				n++
			}
		}
		p.over = p.over || n >= 5
	}
}

// clear is a new board.
func (p *probe) clear() {
	clear(p.taken)
	p.over = false
}

// free returns an empty point far from lines: a knight's walk over the board.
func (c checker) free(p *probe, k int) game.Point {
	for i := k * 7; ; i += 7 {
		at := game.Pt(i*3%c.size, (i*3/c.size*5+i)%c.size)
		if _, occupied := p.taken[at]; !occupied {
			p.place(at, false)
			return at
		}
		if i > 7*c.size*c.size {
			return game.Pt(0, 0)
		}
	}
}

// turn sends a stone as managers do: behind the time that is left.
func (p *probe) turn(at game.Point) error {
	return p.Send(checkEnd, "INFO time_left 100000", "TURN "+string(AppendPoint(nil, at)))
}

// breathe lets an engine come to rest after its move.
func (p *probe) breathe() error {
	_, err := p.Quiet(breather)
	return err
}

func (c checker) checkStart(p *probe) error { return c.start(p) }

func (c checker) checkBegin(p *probe) error {
	if err := c.start(p); err != nil {
		return err
	}
	if err := p.Send(checkEnd, "BEGIN"); err != nil {
		return err
	}
	_, err := c.move(p, startWait)
	return err
}

func (c checker) checkTurns(p *probe) error {
	if err := c.checkBegin(p); err != nil {
		return err
	}
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
		if _, err := c.move(p, startWait); err != nil {
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
	if err := c.checkBegin(p); err != nil {
		return protocol.Untested(err)
	}
	return c.turns(p, 9, "move %d", func(at game.Point) error {
		return p.Send(checkEnd, "TURN "+string(AppendPoint(nil, at)))
	})
}

func (c checker) checkBoard(p *probe) error {
	if err := c.start(p); err != nil {
		return err
	}
	mid := c.size / 2
	lines := []string{"BOARD"}
	for i, at := range []game.Point{game.Pt(mid, mid), game.Pt(mid+1, mid), game.Pt(mid+1, mid+1)} {
		p.place(at, i%2 == 1)
		lines = append(lines, fmt.Sprintf("%d,%d,%d", at.X, at.Y, 2-i%2))
	}
	if err := p.Send(checkEnd, append(lines, "DONE")...); err != nil {
		return err
	}
	_, err := c.move(p, startWait)
	return err
}

// timed plays three moves after the INFO lines and returns the longest, less what
// the checker itself was late.
func (c checker) timed(p *probe, info ...string) (time.Duration, error) {
	if err := c.start(p); err != nil {
		return 0, protocol.Untested(err)
	}
	var worst time.Duration
	for i := range 3 {
		if err := p.Send(checkEnd, info...); err != nil {
			return 0, err
		}
		late := p.Lateness()
		began := p.Config.Now()
		send := "BEGIN"
		if i > 0 {
			send = "TURN " + string(AppendPoint(nil, c.free(p, i)))
		}
		err := p.Send(checkEnd, send)
		if err == nil {
			_, err = c.move(p, 30*time.Second)
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

// within wants moves to keep a limit. A small excess is given a second chance, so
// that a machine with other work does not speak against an engine.
func (c checker) within(p *probe, limit time.Duration, what string, info ...string) error {
	worst, err := c.timed(p, info...)
	if err == nil && worst > limit+checkGrace && worst < 2*limit {
		if err := p.breathe(); err != nil {
			return err
		}
		p.clear()
		worst, err = c.timed(p, info...)
	}
	if err == nil && worst > limit+checkGrace {
		err = fmt.Errorf("a move took %s with %s %s", worst.Round(time.Millisecond), what, limit)
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
	if err := c.checkBegin(p); err != nil {
		return err
	}
	if err := p.Send(checkEnd, "END"); err != nil {
		return err
	}
	return p.Ends(time.Second)
}

// firstGame plays a game and returns a point that the engine took in it.
func (c checker) firstGame(p *probe) (game.Point, error) {
	if err := c.checkTurns(p); err != nil {
		return game.Point{}, protocol.Untested(err)
	}
	least := game.Pt(127, 127)
	for at, engine := range p.taken {
		if engine && (at.Y < least.Y || at.Y == least.Y && at.X < least.X) {
			least = at
		}
	}
	p.clear()
	return least, nil
}

func (c checker) checkSecondGame(p *probe) error {
	at, err := c.firstGame(p)
	if err != nil {
		return err
	}
	if err := p.breathe(); err != nil {
		return err
	}
	if err := c.start(p); err != nil {
		return err
	}
	return c.afresh(p, at, "the second START")
}

// afresh plays on a board that must be empty: the first stone goes where the engine
// had its own in the game before, and it must not complain.
func (c checker) afresh(p *probe, before game.Point, command string) error {
	p.place(before, false)
	if err := p.turn(before); err != nil {
		return err
	}
	complaint := ""
	_, err := p.Receive(startWait, "move", func(line string) bool {
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
	if err := c.start(p); err != nil {
		return err
	}
	if err := p.Send(checkEnd, fmt.Sprintf("TURN %d,%d", c.size+5, c.size+5)); err != nil {
		return err
	}
	if _, err := p.Quiet(p.Patience / 4); err != nil {
		return err
	}
	return nil
}

func (c checker) checkAbout(p *probe) error {
	if err := p.Send(checkEnd, "ABOUT"); err != nil {
		return err
	}
	line, err := p.Receive(p.Patience, "reply to ABOUT", func(line string) bool {
		k := ParseReply([]byte(line)).Kind
		return k == Other || k == Unknown
	})
	if err != nil {
		return err
	}
	if ParseAbout([]byte(line)).Name == "" {
		return fmt.Errorf("no name= in %q", line)
	}
	return nil
}

// silent sends lines and expects no complaint.
func (p *probe) silent(lines ...string) error {
	if err := p.Send(checkEnd, lines...); err != nil {
		return err
	}
	got, err := p.Quiet(p.Patience / 10)
	if err != nil {
		return err
	}
	for _, l := range got {
		if k := ParseReply([]byte(l)).Kind; k == Error || k == Unknown {
			return fmt.Errorf("answered by %q", l)
		}
	}
	return nil
}

func (c checker) checkRule(p *probe) error {
	if err := c.start(p); err != nil {
		return err
	}
	return p.silent(fmt.Sprintf("INFO rule %d", c.rule))
}

func (c checker) checkInfo(p *probe) error {
	if err := c.start(p); err != nil {
		return err
	}
	return p.silent("INFO kibitz_check 1")
}

func (c checker) checkMemory(p *probe) error {
	if err := c.start(p); err != nil {
		return err
	}
	return p.silent("INFO max_memory 367001600")
}

// answered sends a command and wants one of the kinds.
func (p *probe) answered(command string, within time.Duration, kinds ...ReplyKind) error {
	if err := p.Send(checkEnd, command); err != nil {
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
	for _, k := range kinds {
		if r.Kind == k {
			return nil
		}
	}
	return fmt.Errorf("%s was answered by %q", command, line)
}

func (c checker) checkUnknown(p *probe) error {
	if err := c.start(p); err != nil {
		return err
	}
	return p.answered("KIBITZCHECK 1", p.Patience/2, Unknown)
}

func (c checker) checkBadSize(p *probe) error { return p.answered("START 4", p.Patience, Error) }

func (c checker) checkStart20(p *probe) error { return p.answered("START 20", startWait, OK) }

func (c checker) checkRestart(p *probe) error {
	at, err := c.firstGame(p)
	if err != nil {
		return err
	}
	if err := p.breathe(); err != nil {
		return err
	}
	if err := p.answered("RESTART", p.Patience, OK); err != nil {
		return err
	}
	return c.afresh(p, at, "RESTART")
}

func (c checker) checkTakeback(p *probe) error {
	if err := c.start(p); err != nil {
		return err
	}
	if err := p.Send(checkEnd, "BEGIN"); err != nil {
		return err
	}
	at, err := c.move(p, startWait)
	if err != nil {
		return err
	}
	if err := p.breathe(); err != nil {
		return err
	}
	return p.answered("TAKEBACK "+string(AppendPoint(nil, at)), p.Patience, OK)
}

func (c checker) checkRect(p *probe) error {
	return p.answered("RECTSTART 15,20", startWait, OK, Error, Unknown)
}

func (c checker) checkLF(p *probe) error {
	if err := p.Send("\n", fmt.Sprintf("START %d", c.size)); err != nil {
		return err
	}
	if _, err := p.reply(startWait, "OK to START", OK); err != nil {
		return err
	}
	if err := p.Send("\n", "INFO timeout_turn 1000", "BEGIN"); err != nil {
		return err
	}
	_, err := c.move(p, startWait)
	return err
}

func (c checker) checkMoveNow(p *probe) error {
	if err := c.start(p); err != nil {
		return err
	}
	mid := c.size / 2
	p.place(game.Pt(mid, mid), false)
	if err := p.Send(checkEnd, "INFO timeout_turn 20000", "INFO time_left 100000", fmt.Sprintf("TURN %d,%d", mid, mid)); err != nil {
		return err
	}
	early, err := p.Quiet(300 * time.Millisecond)
	if err != nil {
		return err
	}
	for _, l := range early {
		if ParseReply([]byte(l)).Kind == Coords {
			return fmt.Errorf("%w: the engine moves too fast to be interrupted", protocol.ErrSkipped)
		}
	}
	if err := p.Send(checkEnd, "INFO timeout_turn 0"); err != nil {
		return err
	}
	_, err = c.move(p, 3*time.Second)
	return err
}

func (c checker) checkSwap2(p *probe) error {
	if err := c.start(p); err != nil {
		return err
	}
	r, err := p.swap2()
	if err == nil && r.N != 3 {
		err = fmt.Errorf("%d points where three stones were due", r.N)
	}
	return err
}

func (c checker) checkSwap2Choice(p *probe) error {
	if err := c.start(p); err != nil {
		return err
	}
	mid := c.size / 2
	r, err := p.swap2(fmt.Sprintf("%d,%d", mid, mid), fmt.Sprintf("%d,%d", mid+1, mid), fmt.Sprintf("%d,%d", mid+1, mid+2))
	if err == nil && r.Kind == Coords && r.N > 2 {
		err = fmt.Errorf("%d points where SWAP, one or two were due", r.N)
	}
	return err
}

// swap2 sends the stones of an opening and waits for the choice.
func (p *probe) swap2(stones ...string) (Reply, error) {
	if err := p.Send(checkEnd, append(append([]string{"SWAP2BOARD"}, stones...), "DONE")...); err != nil {
		return Reply{}, err
	}
	var r Reply
	complaint := ""
	_, err := p.Receive(startWait, "reply to SWAP2BOARD", func(l string) bool {
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
		return r, fmt.Errorf("answered by %q", complaint)
	case err != nil:
		return r, err
	case r.Kind == Unknown:
		return r, fmt.Errorf("%w: swap2 is not implemented", protocol.ErrSkipped)
	case complaint != "":
		return r, fmt.Errorf("%q before the answer", complaint)
	}
	return r, nil
}
