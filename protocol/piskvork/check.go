package piskvork

import (
	"fmt"
	"slices"
	"time"

	"kibitz/game"
	"kibitz/player"
	"kibitz/protocol"
)

// Checks returns what an engine can be tested for. Requirements come from the
// published protocol, advice from what managers of the field rely on.
func Checks(board player.Position) []protocol.Check {
	c := checker{}
	c.size, _ = board.Size()
	rule, _ := board.Spec().Option("rule")
	c.rule = ruleNames[rule]
	return protocol.Table([]protocol.Row[*probe]{
		{"start", "START is answered by OK", "protocol: START", false, c.checkStart},
		{"begin", "BEGIN is answered by a move on the board", "protocol: BEGIN", false, c.checkBegin},
		{"turn", "TURN is answered by a move to an empty point, ten times or until somebody has five", "protocol: TURN", false, c.checkTurns},
		{"board", "BOARD with an opening is answered by a move to an empty point", "protocol: BOARD", false, c.checkBoard},
		{"turn-limit", "a move takes no longer than INFO timeout_turn", "protocol: INFO timeout_turn", false, c.checkTurnLimit},
		{"time-left", "a move takes no longer than INFO time_left", "protocol: INFO time_left", false, c.checkTimeLeft},
		{"end", "END ends the process within a second", "protocol: END", false, c.checkEnd},
		{"second-game", "a second START empties the board for a new game", "protocol: START", false, c.checkSecondGame},
		{"illegal-turn", "a TURN off the board does not end the process", "protocol: ERROR", false, c.checkIllegalTurn},
		{"about", "ABOUT is answered by key=\"value\" pairs with a name", "protocol: ABOUT", true, c.checkAbout},
		{"rule", "INFO rule is taken without a complaint", "protocol: INFO rule", true, c.silent(fmt.Sprintf("INFO rule %d", c.rule))},
		{"unknown", "an unknown command is answered by UNKNOWN", "protocol: UNKNOWN", true, c.checkUnknown},
		{"info-unknown", "an unknown key of INFO is ignored in silence", "protocol: INFO", true, c.silent("INFO kibitz_check 1")},
		{"bad-size", "START with an impossible size is answered by ERROR", "protocol: START", true, c.checkBadSize},
		{"start-20", "boards of 20x20 are supported, as Gomocup demands", "Gomocup rules", true, c.checkStart20},
		{"restart", "RESTART is answered by OK and empties the board", "protocol: RESTART", true, c.checkRestart},
		{"takeback", "TAKEBACK is answered by OK", "protocol: TAKEBACK", true, c.checkTakeback},
		{"rectstart", "RECTSTART is answered by OK, ERROR or UNKNOWN", "protocol: RECTSTART", true, c.checkRect},
		{"line-feed", "lines that end with a bare LF are understood", "managers on Unix", true, c.checkLF},
		{"move-now", "INFO timeout_turn 0 while thinking makes it move at once", "Piskvork's stop button", true, c.checkMoveNow},
		{
			"at-once", "a TURN that follows a move at once, with no INFO before it, is understood",
			"managers that send no time_left", true, c.checkAtOnce,
		},
		{"swap2", "SWAP2BOARD, if it is known, is answered by three points", "protocol: SWAP2BOARD", true, c.checkSwap2},
		{"swap2-choice", "SWAP2BOARD with three stones is answered by SWAP, one point or two", "protocol: SWAP2BOARD", true, c.checkSwap2Choice},
		{"memory", "INFO max_memory is taken without a complaint", "protocol: INFO max_memory", true, c.silent("INFO max_memory 367001600")},
	}, func(p *protocol.Probe) *probe { return &probe{Probe: p, taken: map[game.Point]bool{}} }, "start", "begin")
}

// checker knows the game that an engine is checked on.
type checker struct {
	size, rule int
}

// probe is a conversation with one engine.
type probe struct {
	*protocol.Probe
	// taken are the stones on the board, true for the engine's.
	taken map[game.Point]bool
	// over tells that somebody has five in a row: no TURN may follow.
	over bool
}

const (
	// grace is what a limit may be exceeded by before it counts as broken: the
	// smallest tolerance that managers of the field use.
	checkGrace = 100 * time.Millisecond
	// breather is waited where a manager of flesh and blood would not be at once.
	breather = 100 * time.Millisecond
)

// reply waits for a line of one of the kinds; MESSAGE, DEBUG and prose are passed
// over.
func (p *probe) reply(within time.Duration, what string, kinds ...ReplyKind) (Reply, error) {
	var got Reply
	_, err := p.Receive(within, what, func(line string) bool {
		r := ParseReply([]byte(line))
		if !slices.Contains(kinds, r.Kind) {
			return false
		}
		got = r
		return true
	})
	return got, err
}

// start brings the engine to an empty board; if that fails, what was to be tested
// there is untested.
func (c checker) start(p *probe) error { return protocol.Untested(c.open(p)) }

// calm is start, and behind it whatever the engine has to say about INFO: it is no answer to what
// follows.
func (c checker) calm(p *probe) error {
	err := c.start(p)
	if err == nil {
		err = protocol.Untested(p.breathe())
	}
	return err
}

// open asks for an empty board with a short limit for each move.
func (c checker) open(p *probe) error {
	if err := p.Send(eol, fmt.Sprintf("START %d", c.size)); err != nil {
		return err
	}
	r, err := p.reply(p.Ready(), "OK to START", OK, Error, Unknown)
	if err != nil {
		return err
	}
	if r.Kind != OK {
		return fmt.Errorf("START %d was answered by %s", c.size, r.Text)
	}
	return p.Send(eol, fmt.Sprintf("INFO rule %d", c.rule), "INFO timeout_turn 1000", "INFO timeout_match 100000", "INFO time_left 100000")
}

// move waits for a legal move and keeps it.
func (c checker) move(p *probe, within time.Duration) (game.Point, error) {
	r, err := p.reply(within, "move", Coords, Suggest)
	if err != nil {
		return game.Point{}, err
	}
	if r.Kind == Suggest {
		if err := p.Send(eol, "PLAY "+string(AppendPoint(nil, r.Points[0]))); err != nil {
			return game.Point{}, err
		}
		if r, err = p.reply(within, "move after PLAY", Coords); err != nil {
			return game.Point{}, err
		}
	}
	at := r.Points[0]
	own, occupied := p.taken[at]
	switch {
	case r.N != 1:
		return at, fmt.Errorf("%d points where one move was due", r.N)
	case !at.On(c.size, c.size):
		return at, fmt.Errorf("the move %d,%d is off the %dx%d board", at.X, at.Y, c.size, c.size)
	case occupied:
		whose := "the opponent's stone, which it was told,"
		if own {
			whose = "its own stone"
		}
		return at, fmt.Errorf("the move %d,%d is to an occupied point, where %s lies", at.X, at.Y, whose)
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
	return p.Send(eol, "INFO time_left 100000", "TURN "+string(AppendPoint(nil, at)))
}

// breathe lets an engine come to rest after its move.
func (p *probe) breathe() error {
	_, err := p.Quiet(breather)
	return err
}
