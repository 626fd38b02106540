package sau

import (
	"errors"
	"fmt"
	"strings"

	"kibitz/game"
	"kibitz/player"
	"kibitz/protocol"
)

// Checks returns what an engine can be tested for on one of the games. An engine is
// tested on ordinary commands; what is in the description of the protocol or breaks
// a game is a requirement, the rest advice.
func (l Forms) Checks(board player.Position) []protocol.Check {
	form := l.of(board.Spec())
	if form == nil {
		return nil
	}
	c := checker{board, form}
	type row = protocol.Row[*probe]
	const doc, source = "protocol description", "behaviour of the platform"
	points, text := c.checkPoints, "points are the letter of the column and that of the row, from the top left, which is AA"
	switch {
	case form.Hidden:
		points = c.checkLost
	case form.Argument.edges:
		text = "A is a horizontal line, with its row and its place, B a vertical one, with its column and its place, from the top left"
	}
	list := []row{
		{"name", "name? is answered by name and a text", doc + ", 2.5 (1)", false, c.checkName},
		{"new-black", "new black is answered by a legal move", doc + ", 2.5 (2)", false, c.checkBlack},
		{"new-white", "nothing is moved at new white before the platform's move", doc + ", 2.5 (2)", false, c.checkWhite},
		{"points", text + ", in what is read and in what is written", doc + ", 2.3", false, points},
		{"answer", "a move of the opponent is answered by a legal move", doc + ", 2.5 (3)", false, c.checkAnswer},
		{"turns", "ten turns of either side are legal", doc + ", 2.5 (3)", false, c.checkTurns},
		{"one-move", "one turn is answered by one move, and nothing is moved while the opponent thinks", doc + ", 2.7", false, c.checkOneMove},
		{"quit", "quit ends the process within a second", doc + ", 2.5 (9)", false, c.checkQuit},
	}
	if form.Hidden {
		list = append(list,
			row{"refuse", "refuse is answered by another move, again and again", doc + ", 2.5 (5)", false, c.checkRefuse},
			row{"accept", "nothing is said to accept, or to accept and take in one piece", doc + ", 2.5 (4)", false, c.checkAccept},
			row{"taked", "taked and move go in one piece are answered by a move", doc + ", 2.5 (7)", false, c.checkTaked},
			row{"pass", "move pass is answered by a move", doc + ", 4", false, c.checkPass},
		)
	} else {
		list = append(list, row{"error", "error is answered by another move", doc + ", 2.5 (10)", true, c.checkError})
	}
	if form.Lone {
		list = append(list,
			row{"lone-stone", "as white it survives black's first move XX@@ and answers with two stones", doc + ", 4", false, c.checkAnswer},
			row{"first-form", "black's first move is written XX@@", doc + ", 4", true, c.checkFirstForm})
	}
	list = append(list,
		row{"end", "the process survives end and answers name? after it", source, true, c.checkEnd},
		row{"second-game", "a second game in the same process begins on an empty board, with the other colour", source, true, c.checkSecondGame},
		row{"new-again", "a game that is stopped is followed by new without an end", source, true, c.checkNewAgain},
		row{"final-move", "after a move and end in one piece it is ready for the next game", source, true, c.checkFinalMove},
		row{
			"canonical", "moves are written in capitals at the beginning of a line, with nothing after them", doc + ", 2.3", true,
			c.checkCanonical,
		},
	)
	return protocol.Table(list, func(p *protocol.Probe) *probe {
		return &probe{Probe: p, board: board, form: form, tried: map[string]bool{}}
	}, "name", "new-black", "points")
}

func (c checker) checkName(p *probe) error { return p.askName(p.Ready()) }

func (c checker) checkBlack(p *probe) error {
	protocol.Must(p.begin(game.First))
	return p.move()
}

func (c checker) checkWhite(p *probe) error {
	protocol.Must(p.begin(game.Second))
	return p.silent("at new white")
}

func (c checker) checkAnswer(p *probe) error {
	protocol.Must(p.begin(game.Second))
	protocol.Got(p.reply())
	return p.move()
}

func (c checker) checkTurns(p *probe) error {
	protocol.Before(c.checkAnswer, p)
	for i := range 9 {
		if p.over() || p.arg == argPass {
			return nil
		}
		if !protocol.Got(p.reply()) {
			return nil
		}
		if err := p.move(); err != nil {
			return fmt.Errorf("turn %d: %w", i+2, err)
		}
	}
	return nil
}

func (c checker) checkOneMove(p *probe) error {
	protocol.Before(c.checkBlack, p)
	protocol.Must(p.silent("after the move"))
	if more, err := p.reply(); err != nil || !more {
		return protocol.Untested(err)
	}
	protocol.Must(protocol.Untested(p.move()))
	return p.silent("after the second move")
}

func (c checker) checkQuit(p *probe) error {
	protocol.Before(c.checkBlack, p)
	protocol.Must(p.send(wordQuit))
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
	if p.form.Hidden {
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
	protocol.Must(p.begin(game.First))
	_, err := p.read()
	protocol.Must(protocol.Untested(err))
	return p.another(wordError)
}

func (c checker) checkRefuse(p *probe) error {
	protocol.Before(c.checkAnswer, p)
	for range 10 {
		if p.arg == argPass {
			return nil
		}
		protocol.Must(p.another(wordRefuse))
	}
	return nil
}

func (c checker) checkAccept(p *probe) error {
	protocol.Before(c.checkBlack, p)
	protocol.Must(p.accept())
	protocol.Must(p.silent("after accept"))
	protocol.Must(p.send(wordMove + " " + argGo))
	protocol.Must(p.move())
	if p.arg == argPass {
		return nil
	}
	own, _ := Plain.point([]byte(p.arg))
	m, ok := p.quiet([]game.Move{game.PlaceAt(own)})
	if !ok {
		return nil
	}
	protocol.Must(p.accept(stones(wordTake, m.To)))
	protocol.Must(p.silent("after accept and take"))
	protocol.Must(p.send(wordMove + " " + argGo))
	return p.move()
}

func (c checker) checkTaked(p *probe) error {
	protocol.Before(c.checkBlack, p)
	at, ok := Plain.point([]byte(p.arg))
	if p.arg == argPass || !ok {
		return fmt.Errorf("%w: the engine passes", protocol.ErrSkipped)
	}
	protocol.Must(p.accept())
	protocol.Must(p.board.Reset(p.board.Spec(), "")) // its only stone is gone
	protocol.Must(p.send(stones(wordTaked, at), wordMove+" "+argGo))
	protocol.Must(p.move())
	return p.silent("after the answer to taked and move go")
}

func (c checker) checkPass(p *probe) error {
	protocol.Before(c.checkBlack, p)
	protocol.Must(p.accept())
	protocol.Must(p.send(wordMove + " " + argPass))
	return p.move()
}

func (c checker) checkFirstForm(p *probe) error {
	protocol.Before(c.checkBlack, p)
	if !strings.HasSuffix(p.arg, "@@") {
		return fmt.Errorf("%q instead of move XX@@", p.line)
	}
	return nil
}

func (c checker) checkEnd(p *probe) error {
	protocol.Before(c.checkBlack, p)
	protocol.Must(p.send(wordEnd))
	return p.askName(p.Patience)
}

func (c checker) checkSecondGame(p *probe) error {
	protocol.Before(c.checkOneMove, p)
	protocol.Must(p.send(wordEnd))
	for _, seat := range []game.Seat{game.Second, game.First} {
		protocol.Must(p.newGame(seat))
		if seat == game.Second {
			protocol.Got(p.reply())
		}
		if err := p.move(); err != nil {
			return fmt.Errorf("in a second game as %s: %w", sideNames[seat], err)
		}
		protocol.Must(p.send(wordEnd))
	}
	return nil
}

func (c checker) checkNewAgain(p *probe) error {
	protocol.Before(c.checkBlack, p)
	protocol.Must(p.newGame(game.First))
	return p.move()
}

func (c checker) checkFinalMove(p *probe) error {
	protocol.Before(c.checkBlack, p)
	last := wordMove + " " + argPass
	if p.form.Hidden {
		protocol.Must(p.accept())
	} else {
		steps := protocol.Got(p.harmless(nil))
		if steps == nil {
			return fmt.Errorf("%w: no move is left", protocol.ErrSkipped)
		}
		last = p.written(steps)
	}
	protocol.Must(p.send(last, wordEnd))
	protocol.Must(p.askName(p.Thought()))
	protocol.Must(p.newGame(game.First))
	return p.move()
}

func (c checker) checkCanonical(p *probe) error {
	protocol.Before(c.checkBlack, p)
	steps, _ := p.form.Argument.read(reading{letters: &Plain}, []byte(p.arg), nil)
	if want := p.written(steps); p.line != want {
		return errors.New(p.line + " instead of " + want)
	}
	return nil
}
