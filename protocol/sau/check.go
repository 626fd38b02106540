package sau

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/protocol"
)

// Checks returns what an engine can be tested for on one of the games. An engine is
// tested on ordinary commands; what is in the description of the protocol or breaks
// a game is a requirement, the rest advice.
func Checks(spec game.Spec) []protocol.Check {
	if formOf(spec) == nil {
		return nil
	}
	c := checker{spec: spec}
	const doc, source = "protocol description", "behaviour of the platform"
	must := func(id, text, from string, run func(*probe) error) protocol.Check {
		return c.check(id, text, from, false, run)
	}
	should := func(id, text, from string, run func(*probe) error) protocol.Check {
		return c.check(id, text, from, true, run)
	}
	list := []protocol.Check{
		must("name", "name? is answered by name and a text", doc+", 2.5 (1)", c.checkName),
		must("new-black", "new black is answered by a legal move", doc+", 2.5 (2)", c.checkBlack),
		must("new-white", "nothing is moved at new white before the platform's move", doc+", 2.5 (2)", c.checkWhite),
		must("answer", "a move of the opponent is answered by a legal move", doc+", 2.5 (3)", c.checkAnswer),
		must("turns", "ten turns of either side are legal", doc+", 2.5 (3)", c.checkTurns),
		must("one-move", "one turn is answered by one move, and nothing is moved while the opponent thinks", doc+", 2.7", c.checkOneMove),
		must("quit", "quit ends the process within a second", doc+", 2.5 (9)", c.checkQuit),
	}
	if formOf(spec).hidden {
		list = append(list,
			must("refuse", "refuse is answered by another move, again and again", doc+", 2.5 (5)", c.checkRefuse),
			must("accept", "nothing is said to accept, or to accept and take in one piece", doc+", 2.5 (4)", c.checkAccept),
			must("taked", "taked and move go in one piece are answered by a move", doc+", 2.5 (7)", c.checkTaked),
			must("pass", "move pass is answered by a move", doc+", 4", c.checkPass),
		)
	} else {
		list = append(list, should("error", "error is answered by another move", doc+", 2.5 (10)", c.checkError))
	}
	if spec.ID() == "connect6" {
		list = append(list,
			must("lone-stone", "as white it survives black's first move XX@@ and answers with two stones", doc+", 4", c.checkAnswer),
			should("first-form", "black's first move is written XX@@", doc+", 4", c.checkFirstForm))
	}
	return append(list,
		should("end", "the process survives end and answers name? after it", source, c.checkEnd),
		should("second-game", "a second game in the same process begins on an empty board, with the other colour", source, c.checkSecondGame),
		should("new-again", "a game that is stopped is followed by new without an end", source, c.checkNewAgain),
		should("final-move", "after a move and end in one piece it is ready for the next game", source, c.checkFinalMove),
		should("canonical", "moves are written in capitals at the beginning of a line, with nothing after them", doc+", 2.3", c.checkCanonical),
	)
}

// checker knows the game that an engine is checked on.
type checker struct{ spec game.Spec }

// probe is a conversation with one engine.
type probe struct {
	*protocol.Probe
	board *sparring
	seat  game.Seat // the engine's
	line  string    // its latest move as it came
	arg   string    // and the argument
	tried map[string]bool
}

const (
	// pause is how long a probe waits for what must not come.
	pause = 300 * time.Millisecond
)

func (c checker) check(id, text, source string, advice bool, run func(*probe) error) protocol.Check {
	return protocol.Check{ID: id, Requirement: text, Source: source, Advice: advice, Needed: id == "name" || id == "new-black", Run: func(_ context.Context, p *protocol.Probe) error {
		return run(&probe{Probe: p, board: newSparring(c.spec), tried: map[string]bool{}})
	}}
}

func (p *probe) send(lines ...string) error { return p.Send("\n", lines...) }

// find reads the argument of a command in a line that the engine printed.
func find(line, word string) (string, bool) {
	arg, ok := Find([]byte(line), word, false)
	return string(arg), ok
}

func (p *probe) askName(within time.Duration) error {
	if err := p.send(wordAsk); err != nil {
		return err
	}
	_, err := p.Receive(within, "name", func(l string) bool {
		_, ok := find(l, wordName)
		return ok
	})
	return err
}

// begin brings the engine to a new game of a seat; black has not moved yet.
func (p *probe) begin(seat game.Seat) error {
	if err := p.askName(p.Ready()); err != nil {
		return protocol.Untested(err)
	}
	return p.newGame(seat)
}

func (p *probe) newGame(seat game.Seat) error {
	p.board.reset()
	p.seat = seat
	return p.send(wordNew + " " + sideNames[seat])
}

// read waits for a move and reads it.
func (p *probe) read() ([]game.Move, error) {
	line, err := p.Receive(p.Thought(), "move", func(l string) bool {
		_, ok := find(l, wordMove)
		return ok
	})
	if err != nil {
		return nil, err
	}
	p.line = line
	p.arg, _ = find(line, wordMove)
	letters := Plain
	steps, why := p.board.form.read(reading{letters: &letters, opening: p.board.turns == 0}, []byte(p.arg), nil)
	if why != "" {
		return nil, fmt.Errorf("%q: %s", p.line, why)
	}
	return steps, nil
}

// move waits for a legal move and plays it.
func (p *probe) move() error {
	steps, err := p.read()
	if err != nil {
		return err
	}
	if p.board.form.hidden {
		return p.attempt(steps[0])
	}
	before := p.board.clone()
	if err := p.board.play(p.seat, steps); err != nil {
		return fmt.Errorf("%q is not legal: %w%s", p.line, err, p.transposed(before))
	}
	return nil
}

// transposed says whether the latest move would be legal with columns and rows
// exchanged, on the board as it was before it.
func (p *probe) transposed(before sparring) string {
	if p.board.form.game != "amazons" && p.board.form.game != "surakarta" {
		return "" // a stone fits on most points
	}
	letters := Plain
	letters.Transpose = true
	steps, why := p.board.form.read(reading{letters: &letters, opening: before.turns == 0}, []byte(p.arg), nil)
	if why != "" || before.play(p.seat, steps) != nil {
		return ""
	}
	return "; with x and y exchanged it would be: if the engine reads its moves so too, dialect.transpose=true is for it"
}

// attempt looks at a move of Phantom Go with the engine's eyes.
func (p *probe) attempt(m game.Move) error {
	switch {
	case m.Op == game.Pass:
		return nil
	case !p.board.on(m.To):
		return fmt.Errorf("%q is off the %dx%d board", p.line, p.board.n, p.board.n)
	case p.board.at(m.To) != free:
		return fmt.Errorf("%q is to a point where its own stone stands", p.line)
	}
	return nil
}

// accept keeps the engine's latest attempt and says so.
func (p *probe) accept(more ...string) error {
	if at, ok := Plain.point([]byte(p.arg)); ok && p.arg != argPass {
		p.board.set(at, pieceOf(p.seat))
		return p.send(append([]string{wordAccept}, more...)...)
	}
	return nil
}

// reply plays a move of the opponent; false means that there is no harmless one.
func (p *probe) reply() (bool, error) {
	if p.board.form.hidden {
		if err := p.accept(); err != nil {
			return false, err
		}
		return true, p.send(wordMove + " " + argGo)
	}
	steps := p.board.reply(p.seat.Other())
	if steps == nil {
		return false, nil
	}
	letters := Plain
	return true, p.send(wordMove + " " + string(p.board.form.write(&letters, nil, steps)))
}

// unwanted complains of moves among lines that came while the engine was not to move.
func unwanted(lines []string, when string) error {
	for _, l := range lines {
		if _, ok := find(l, wordMove); ok {
			return fmt.Errorf("%q came %s", l, when)
		}
	}
	return nil
}

// silent waits for what must not come.
func (p *probe) silent(when string) error {
	lines, err := p.Quiet(pause)
	if err != nil {
		return err
	}
	return unwanted(lines, when)
}

func (c checker) checkName(p *probe) error { return p.askName(p.Ready()) }

func (c checker) checkBlack(p *probe) error {
	if err := p.begin(game.First); err != nil {
		return err
	}
	return p.move()
}

func (c checker) checkWhite(p *probe) error {
	if err := p.begin(game.Second); err != nil {
		return err
	}
	return p.silent("at new white")
}

func (c checker) checkAnswer(p *probe) error {
	if err := p.begin(game.Second); err != nil {
		return err
	}
	if _, err := p.reply(); err != nil {
		return err
	}
	return p.move()
}

func (c checker) checkTurns(p *probe) error {
	if err := c.checkAnswer(p); err != nil {
		return protocol.Untested(err)
	}
	for i := range 9 {
		if p.board.over || p.arg == argPass {
			return nil
		}
		more, err := p.reply()
		if err != nil || !more || p.board.over {
			return err
		}
		if err := p.move(); err != nil {
			return fmt.Errorf("turn %d: %w", i+2, err)
		}
	}
	return nil
}

func (c checker) checkOneMove(p *probe) error {
	if err := c.checkBlack(p); err != nil {
		return protocol.Untested(err)
	}
	if err := p.silent("after the move"); err != nil {
		return err
	}
	if more, err := p.reply(); err != nil || !more {
		return protocol.Untested(err)
	}
	if err := p.move(); err != nil {
		return protocol.Untested(err)
	}
	return p.silent("after the second move")
}

func (c checker) checkQuit(p *probe) error {
	if err := c.checkBlack(p); err != nil {
		return protocol.Untested(err)
	}
	if err := p.send(wordQuit); err != nil {
		return err
	}
	return p.Ends(quitGrace)
}

// another wants a move that was not made in this turn.
func (p *probe) another(what string) error {
	before := p.arg
	p.tried[strings.ToUpper(before)] = true
	if err := p.send(what); err != nil {
		return err
	}
	steps, err := p.read()
	if err != nil {
		return fmt.Errorf("after %s to %q: %w", what, before, err)
	}
	if p.board.form.hidden {
		if err := p.attempt(steps[0]); err != nil {
			return err
		}
	}
	if p.tried[strings.ToUpper(p.arg)] {
		return fmt.Errorf("%q came again after %s", p.line, what)
	}
	return nil
}

func (c checker) checkError(p *probe) error {
	if err := p.begin(game.First); err != nil {
		return err
	}
	if _, err := p.read(); err != nil {
		return protocol.Untested(err)
	}
	return p.another(wordError)
}

func (c checker) checkRefuse(p *probe) error {
	if err := c.checkAnswer(p); err != nil {
		return protocol.Untested(err)
	}
	for range 10 {
		if p.arg == argPass {
			return nil
		}
		if err := p.another(wordRefuse); err != nil {
			return err
		}
	}
	return nil
}

func (c checker) checkAccept(p *probe) error {
	if err := c.checkBlack(p); err != nil {
		return protocol.Untested(err)
	}
	if err := p.accept(); err != nil {
		return err
	}
	if err := p.silent("after accept"); err != nil {
		return err
	}
	if err := p.send(wordMove + " " + argGo); err != nil {
		return err
	}
	if err := p.move(); err != nil {
		return err
	}
	at, ok := p.board.lonely()
	if !ok {
		return nil
	}
	letters := Plain
	list := strings.TrimSuffix(string(letters.appendList(nil, wordTake, []game.Point{at})), "\n")
	if err := p.accept(list); err != nil {
		return err
	}
	if err := p.silent("after accept and take"); err != nil {
		return err
	}
	if err := p.send(wordMove + " " + argGo); err != nil {
		return err
	}
	return p.move()
}

func (c checker) checkTaked(p *probe) error {
	if err := c.checkBlack(p); err != nil {
		return protocol.Untested(err)
	}
	at, ok := Plain.point([]byte(p.arg))
	if p.arg == argPass || !ok {
		return fmt.Errorf("%w: the engine passes", protocol.ErrSkipped)
	}
	if err := p.accept(); err != nil {
		return err
	}
	p.board.set(at, free)
	letters := Plain
	list := strings.TrimSuffix(string(letters.appendList(nil, wordTaked, []game.Point{at})), "\n")
	if err := p.send(list, wordMove+" "+argGo); err != nil {
		return err
	}
	if err := p.move(); err != nil {
		return err
	}
	return p.silent("after the answer to taked and move go")
}

func (c checker) checkPass(p *probe) error {
	if err := c.checkBlack(p); err != nil {
		return protocol.Untested(err)
	}
	if err := p.accept(); err != nil {
		return err
	}
	if err := p.send(wordMove + " " + argPass); err != nil {
		return err
	}
	return p.move()
}

func (c checker) checkFirstForm(p *probe) error {
	if err := c.checkBlack(p); err != nil {
		return protocol.Untested(err)
	}
	if !strings.HasSuffix(p.arg, "@@") {
		return fmt.Errorf("%q instead of move XX@@", p.line)
	}
	return nil
}

func (c checker) checkEnd(p *probe) error {
	if err := c.checkBlack(p); err != nil {
		return protocol.Untested(err)
	}
	if err := p.send(wordEnd); err != nil {
		return err
	}
	return p.askName(p.Patience)
}

func (c checker) checkSecondGame(p *probe) error {
	if err := c.checkOneMove(p); err != nil {
		return protocol.Untested(err)
	}
	if err := p.send(wordEnd); err != nil {
		return err
	}
	for _, seat := range []game.Seat{game.Second, game.First} {
		if err := p.newGame(seat); err != nil {
			return err
		}
		if seat == game.Second {
			if _, err := p.reply(); err != nil {
				return err
			}
		}
		if err := p.move(); err != nil {
			return fmt.Errorf("in a second game as %s: %w", sideNames[seat], err)
		}
		if err := p.send(wordEnd); err != nil {
			return err
		}
	}
	return nil
}

func (c checker) checkNewAgain(p *probe) error {
	if err := c.checkBlack(p); err != nil {
		return protocol.Untested(err)
	}
	if err := p.newGame(game.First); err != nil {
		return err
	}
	return p.move()
}

func (c checker) checkFinalMove(p *probe) error {
	if err := c.checkBlack(p); err != nil {
		return protocol.Untested(err)
	}
	last := wordMove + " " + argPass
	if p.board.form.hidden {
		if err := p.accept(); err != nil {
			return err
		}
	} else {
		steps := p.board.reply(game.Second)
		if steps == nil {
			return fmt.Errorf("%w: no move is left", protocol.ErrSkipped)
		}
		letters := Plain
		last = wordMove + " " + string(p.board.form.write(&letters, nil, steps))
	}
	if err := p.send(last, wordEnd); err != nil {
		return err
	}
	if err := p.askName(p.Thought()); err != nil {
		return err
	}
	if err := p.newGame(game.First); err != nil {
		return err
	}
	return p.move()
}

func (c checker) checkCanonical(p *probe) error {
	if err := c.checkBlack(p); err != nil {
		return protocol.Untested(err)
	}
	letters := Plain
	steps, _ := p.board.form.read(reading{letters: &letters}, []byte(p.arg), nil)
	if want := wordMove + " " + string(p.board.form.write(&letters, nil, steps)); p.line != want {
		return errors.New(p.line + " instead of " + want)
	}
	return nil
}
