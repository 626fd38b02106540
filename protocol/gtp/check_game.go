package gtp

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/protocol"
)

func (c checker) start(p *probe) error {
	if _, err := p.ask(fmt.Sprintf("boardsize %d", c.size)); err != nil {
		return err
	}
	if _, err := p.ok("clear_board"); err != nil {
		return err
	}
	// A second for each move; who knows no time control is not asked to keep it.
	if _, err := p.ask("time_settings 0 1 1"); err != nil || !c.form.Hidden {
		return err
	}
	_, err := p.ok(phantomSeat + " " + c.letter(game.First, 0))
	return err
}

// letter writes the colour of a command for the point number at of a turn.
func (c checker) letter(s game.Seat, at int) string {
	colour := [2]game.Colour{game.Black, game.White}[s]
	if c.swapped != c.form.WhiteFirst {
		colour = other(colour)
	}
	if c.style.colourAt(colour, at) == game.White {
		return "w"
	}
	return "b"
}

// opening returns the points of a seat's first turn.
func (c checker) opening(s game.Seat) ([]game.Point, error) {
	usual, err := c.form.lettering(c.form.Size, c.form.Size, "", "")
	if err != nil {
		return nil, err
	}
	points, err := readPoints(nil, usual, []byte(c.form.FirstTurns[s]), c.form.Turn.Points)
	for _, pt := range points {
		if !pt.On(c.size, c.size) {
			return nil, protocol.Untested(fmt.Errorf("the board of %d is too small for %s", c.size, c.form.FirstTurns[s]))
		}
	}
	return points, err
}

// plays returns the commands that tell a turn of so many points.
func (c checker) plays(s game.Seat, points []game.Point) []string {
	text := "play " + c.letter(s, 0) + " "
	if c.style == whole {
		for i, pt := range points {
			if i > 0 {
				text += c.form.Turn.Join
			}
			text += c.names.Format(pt)
		}
		return []string{text}
	}
	var list []string
	for i, pt := range points {
		list = append(list, "play "+c.letter(s, i)+" "+c.names.Format(pt))
	}
	return list
}

// move asks for a whole turn and checks its form.
func (c checker) move(p *probe, s game.Seat, first bool) (points []game.Point, word string, err error) {
	want := c.form.Turn.Points
	if c.form.Turn.Stepwise && first {
		want = 1
	}
	for len(points) < want {
		command := "genmove " + c.letter(s, len(points))
		r, err := p.ok(command)
		if err != nil {
			return nil, "", err
		}
		if text := []byte(r.Text); isWord(text, "resign") || isWord(text, "pass") || isWord(text, "pa") {
			return nil, string(text), nil
		}
		got, err := readPoints(nil, c.names, []byte(r.Text), want-len(points))
		if err != nil {
			return nil, "", fmt.Errorf("%s was answered by %q: %w", command, r.Text, err)
		}
		points = append(points, got...)
		if len(points) < want && c.style == whole && !c.form.Turn.Stepwise {
			return nil, "", fmt.Errorf("%s was answered by %q: %d points are due, or dialect.turn", command, r.Text, want)
		}
	}
	return points, "", nil
}

func (c checker) checkGenmove(p *probe) error {
	protocol.Must(c.start(p))
	points, word, err := c.move(p, game.First, true)
	if err != nil || word != "" || len(c.form.FirstMoves) == 0 {
		return err
	}
	usual := grid.Names{Width: c.size, Height: c.size, FromTop: c.form.FromTop, NoI: !c.form.AllLetters}
	if !slices.Contains(c.form.FirstMoves, usual.Format(points[0])) {
		text := "rows count from the top"
		if m := usual; !c.names.FromTop {
			text = "rows count from the bottom here, by dialect.rows"
		} else if m.FromTop = false; slices.Contains(c.form.FirstMoves, m.Format(points[0])) {
			text += "; if the engine counts them from the bottom, dialect.rows=bottom is for it"
		}
		return fmt.Errorf("%s is no legal first move (%s)", c.names.Format(points[0]), text)
	}
	return nil
}

// play tells the first turn of a seat.
func (c checker) play(p *probe, s game.Seat) error {
	points, err := c.opening(s)
	if err != nil {
		return err
	}
	for _, command := range c.plays(s, points) {
		if _, err := p.ok(command); err != nil {
			return err
		}
	}
	return nil
}

// remedied adds to the error of a first turn that was refused how it is taken.
func (c checker) remedied(p *probe, s game.Seat, why error) error {
	exchanged := 7
	if c.names.FromTop {
		exchanged = 4
	}
	list := grid.Symmetries(c.size, c.size)
	for _, i := range []int{2, exchanged} {
		if !c.taken(p, s, list[i]) {
			continue
		}
		text := ""
		if i == 2 {
			text = ": dialect.rows=" + map[bool]string{true: "bottom", false: "top"}[c.names.FromTop]
		}
		return fmt.Errorf("%w; with %s it is taken%s", why, grid.Side(i, c.names.FromTop), text)
	}
	return why
}

// taken tells the first turns up to that of a seat as they are on a side of the board.
func (c checker) taken(p *probe, s game.Seat, side func(game.Point) game.Point) bool {
	if c.start(p) != nil {
		return false
	}
	for seat := game.First; seat <= s; seat++ {
		points, err := c.opening(seat)
		if err != nil {
			return false
		}
		for i := range points {
			points[i] = side(points[i])
		}
		for _, command := range c.plays(seat, points) {
			if _, err := p.ok(command); err != nil {
				return false
			}
		}
	}
	return true
}

func (c checker) checkPlay(p *probe) error {
	protocol.Must(c.start(p))
	for s := range game.Seat(2) {
		if err := c.play(p, s); err != nil {
			return c.remedied(p, s, err)
		}
	}
	points := protocol.Got(c.opening(game.First))
	r, err := p.ask(c.plays(game.First, points)[0])
	if err == nil && r.OK {
		return fmt.Errorf("a second stone on %s was accepted", c.names.Format(points[0]))
	}
	return err
}

// checkKeeps wants the point of a genmove to be taken.
func (c checker) checkKeeps(p *probe) error {
	protocol.Must(c.start(p))
	points, word, err := c.move(p, game.First, true)
	if err != nil || word != "" {
		return protocol.Untested(err)
	}
	r, err := p.ask(c.plays(game.Second, points)[0])
	if err != nil || !r.OK {
		return err
	}
	why := fmt.Errorf("%s is accepted for the other side after genmove was answered by it", c.names.Format(points[0]))
	if side := c.keptOn(p); side != "" {
		return fmt.Errorf("%w: it reads or writes moves with %s", why, side)
	}
	return fmt.Errorf("%w: genmove has to play its move on the engine's own board", why)
}

// keptOn names the one side of the board on which the engine plays its moves.
func (c checker) keptOn(p *probe) string {
	list := grid.Symmetries(c.size, c.size)
	left := []int{1, 2, 3, 4, 5, 6, 7}
	for range 4 { // one move may look the same from two sides
		left = slices.DeleteFunc(left, func(i int) bool {
			if c.start(p) != nil {
				return true
			}
			points, word, err := c.move(p, game.First, true)
			if err != nil || word != "" {
				return true
			}
			for k := range points {
				points[k] = list[i](points[k])
			}
			r, err := p.ask(c.plays(game.Second, points)[0])
			return err != nil || r.OK
		})
	}
	if len(left) != 1 {
		return ""
	}
	return grid.Side(left[0], c.names.FromTop)
}

func (c checker) checkGame(p *probe) error {
	protocol.Must(c.start(p))
	if c.form.Hidden {
		return c.hiddenGame(p)
	}
	for i := range c.turns() {
		_, word, err := c.move(p, game.Seat(i%2), i == 0)
		if err != nil {
			if i > 0 && strings.Contains(err.Error(), "answered by ?") {
				err = fmt.Errorf("%w: does genmove play its move on the engine's own board?", err)
			}
			return fmt.Errorf("move %d: %w", i+1, err)
		}
		if word == "resign" {
			return nil
		}
	}
	return nil
}

// turns is how many turns an engine must have an answer to whatever it plays: before the
// game can be over.
func (c checker) turns() int {
	if n := c.form.Least; n > 0 {
		return n
	}
	return 10
}

// hiddenGame lets all attempts stand.
func (c checker) hiddenGame(p *probe) error {
	tried := map[game.Point]bool{}
	for i := range 10 {
		points, word, err := c.move(p, game.First, true)
		if err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
		switch {
		case word == "resign":
			return nil
		case word != "":
			_, err = p.ok(phantomPassed + " " + c.letter(game.First, 0))
		case tried[points[0]]:
			return fmt.Errorf("move %d: %s is the engine's own stone", i+1, c.names.Format(points[0]))
		default:
			tried[points[0]] = true
			_, err = p.ok(phantomAccepted + " " + c.letter(game.First, 0) + " " + c.names.Format(points[0]))
		}
		if err == nil {
			_, err = p.ok(phantomMoved + " " + c.letter(game.Second, 0))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkAttempt refuses two attempts and accepts the third.
func (c checker) checkAttempt(p *probe) error {
	protocol.Must(c.start(p))
	var tried []game.Point
	for _, command := range []string{phantomRefused, phantomRefused, phantomAccepted} {
		points, word, err := c.move(p, game.First, true)
		if err != nil {
			return err
		}
		if word != "" {
			return protocol.Untested(errors.New("the engine does not want to try a point"))
		}
		name := c.names.Format(points[0])
		if slices.Contains(tried, points[0]) {
			return fmt.Errorf("%s was refused and is tried again in the same turn", name)
		}
		tried = append(tried, points[0])
		protocol.Got(p.ok(command + " " + c.letter(game.First, 0) + " " + name))
	}
	return nil
}

// checkCaptures tells a few turns without asking for any.
func (c checker) checkCaptures(p *probe) error {
	protocol.Must(c.start(p))
	own, theirs, at := c.letter(game.First, 0), c.letter(game.Second, 0), func(x, y int) string { return " " + c.names.Format(game.Pt(x, y)) }
	for _, command := range []string{
		phantomAccepted + " " + own + at(0, 0),
		phantomMoved + " " + theirs + at(0, 0),
		phantomRefused + " " + own + at(0, 0),
		phantomAccepted + " " + own + at(1, 1) + at(0, 1) + at(1, 0),
		phantomPassed + " " + theirs,
	} {
		protocol.Got(p.ok(command))
	}
	_, _, err := c.move(p, game.First, true)
	return err
}

func (c checker) checkClear(p *probe) error {
	protocol.Before(c.checkGame, p)
	if c.form.Hidden {
		return c.checkAttempt(p)
	}
	return c.checkPlay(p)
}

// checkUndo takes back the first turn, with an undo for each of its commands.
func (c checker) checkUndo(p *probe) error {
	protocol.Must(c.start(p))
	points := protocol.Got(c.opening(game.First))
	list := c.plays(game.First, points)
	commands := slices.Clone(list)
	for range list {
		commands = append(commands, "undo")
	}
	for _, command := range append(commands, list...) {
		protocol.Got(p.ok(command))
	}
	return nil
}
