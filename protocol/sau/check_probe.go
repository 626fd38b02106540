package sau

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/player"
	"kibitz/protocol"
)

// checker has the board of the game that an engine is checked on.
type checker struct {
	board player.Position
	form  *Form
}

// probe is a conversation with one engine about the game on a board. Where stones are
// hidden, the board holds what the engine knows of its own, and the opponent passes.
type probe struct {
	*protocol.Probe
	board player.Position
	form  *Form
	line  string // its latest move as it came
	arg   string // and the argument
	tried map[string]bool
}

const (
	// pause is how long a probe waits for what must not come.
	pause = 300 * time.Millisecond
)

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
	if err := p.board.Reset(p.board.Spec(), ""); err != nil {
		return err
	}
	if p.form.Hidden && seat == game.Second {
		if err := protocol.Play(p.board, game.PassMove()); err != nil {
			return err
		}
	}
	return p.send(wordNew + " " + sideNames[seat])
}

// over reports whether the game on the board is.
func (p *probe) over() bool {
	_, over := p.board.Result()
	return over
}

func (p *probe) read() ([]game.Move, error) {
	line, err := p.Receive(p.Thought(), "move", func(l string) bool {
		_, ok := find(l, wordMove)
		return ok
	})
	if err != nil {
		return nil, err
	}
	return p.parse(line)
}

func (p *probe) parse(line string) ([]game.Move, error) {
	p.line = line
	p.arg, _ = find(line, wordMove)
	steps, why := p.form.Argument.read(reading{letters: &Plain, opening: p.board.Len() == 0}, []byte(p.arg), nil)
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
	if p.form.Hidden {
		return p.attempt(steps[0])
	}
	if steps[0].Op == game.Pass {
		return fmt.Errorf("%q is not legal: a pass is no move of this game", p.line)
	}
	if err := protocol.Try(p.board, true, steps...); err != nil {
		var e *protocol.Impossible
		if !p.form.Pieces && errors.As(err, &e) {
			e.Sides = nil // a stone that fits elsewhere proves nothing
		}
		return fmt.Errorf("%q is not legal: %w%s", p.line, err, transposed(err))
	}
	return protocol.Play(p.board, steps...)
}

// transposed names the switch for an engine that exchanges columns and rows.
func transposed(err error) string {
	var e *protocol.Impossible
	const exchanged = 4 // in grid.Symmetries
	if !errors.As(err, &e) || !slices.Contains(e.Sides, exchanged) {
		return ""
	}
	text := ""
	if len(e.Sides) > 1 { // not named yet
		text = "; with " + grid.Side(exchanged, true) + " it would be"
	}
	return text + ": if the engine reads its moves so too, dialect.transpose=true is for it"
}

// attempt looks at a move of Phantom Go with the engine's eyes.
func (p *probe) attempt(m game.Move) error {
	if m.Op == game.Pass {
		return nil
	}
	if err := p.board.Check(m); err != nil {
		return fmt.Errorf("%q is not possible: %w", p.line, err)
	}
	if !slices.Contains(p.board.Legal(nil), m) {
		return fmt.Errorf("%q is to a point where its own stone stands", p.line)
	}
	return nil
}

// accept keeps the engine's latest attempt and says so.
func (p *probe) accept(more ...string) error {
	at, ok := Plain.point([]byte(p.arg))
	if !ok || p.arg == argPass {
		return nil
	}
	if err := p.stands(at); err != nil {
		return err
	}
	return p.send(append([]string{wordAccept}, more...)...)
}

// stands keeps a stone of the engine. Its opponent passes.
func (p *probe) stands(at game.Point) error {
	for _, m := range []game.Move{game.PlaceAt(at), game.PassMove()} {
		if err := protocol.Play(p.board, m); err != nil {
			return err
		}
	}
	return nil
}

// reply plays a turn of the opponent; false means that there is none that does not end
// the game.
func (p *probe) reply() (bool, error) {
	if p.form.Hidden {
		if err := p.accept(); err != nil {
			return false, err
		}
		return true, p.send(wordMove + " " + argGo)
	}
	steps, err := p.harmless(nil)
	if err != nil || steps == nil {
		return false, err
	}
	return true, p.send(p.written(steps))
}

// harmless plays a turn for the side on turn that does not end the game, from the steps
// given on, and returns it whole; nil if it finds none. The points lie apart: rows of
// stones do not come of it.
func (p *probe) harmless(steps []game.Move, avoid ...game.Move) ([]game.Move, error) {
	before, by := p.board.Len(), p.board.Turn().Seat
	for _, m := range steps {
		if _, err := p.board.Apply(m); err != nil {
			return nil, err
		}
	}
	for t := p.board.Turn(); !p.over() && t.Seat == by && (len(steps) == 0 || t.Step > 0); t = p.board.Turn() {
		m, ok := p.quiet(avoid)
		if !ok {
			return nil, p.board.Undo(p.board.Len() - before)
		}
		if _, err := p.board.Apply(m); err != nil {
			return nil, err
		}
		steps = append(steps, m)
	}
	return steps, nil
}

// quiet finds a decision that does not end the game and is none of those to avoid.
func (p *probe) quiet(avoid []game.Move) (game.Move, bool) {
	legal := p.board.Legal(nil)
	for k := range legal {
		m := legal[(k+p.board.Len()*7)%len(legal)]
		if m.Op == game.Pass || slices.Contains(avoid, m) {
			continue
		}
		if !p.ends(m) {
			return m, true
		}
	}
	return game.Move{}, false
}

// ends reports whether a decision is not possible or ends the game.
func (p *probe) ends(m game.Move) bool {
	if _, err := p.board.Apply(m); err != nil {
		return true
	}
	over := p.over()
	return p.board.Undo(1) != nil || over
}

// written is a turn as it is told.
func (p *probe) written(steps []game.Move) string {
	letters := Plain
	return wordMove + " " + string(p.form.Argument.write(&letters, nil, steps))
}

// stones is a list of one point as it is told.
func stones(word string, at game.Point) string {
	letters := Plain
	return strings.TrimSuffix(string(letters.appendList(nil, word, []game.Point{at})), "\n")
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
