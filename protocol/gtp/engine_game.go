package gtp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/player"
	"kibitz/protocol"
)

// runningGame is the game as the manager has told it, and how its points, colours and
// turns are written.
type runningGame struct {
	forms   Forms
	s       *protocol.Server
	session player.Session
	dialect map[string]string // letters, rows, join, first; empty: the game's own
	style   style
	spec    game.Spec
	form    Form
	points  grid.Names
	swapped bool // the colours of the game are exchanged
	clocks  [2]clock.Control
	turn    turnBooks
}

// setGame starts a game of the specification.
func (g *runningGame) setGame(spec game.Spec) error {
	f, err := g.forms.of(spec.ID())
	if err != nil {
		return err
	}
	if err := g.session.NewGame(spec, ""); err != nil {
		return err
	}
	w, h := g.s.Position.Size()
	n, err := f.lettering(w, h, g.dialect["letters"], g.dialect["rows"])
	if err != nil {
		return err
	}
	g.form, g.points, g.spec = f.joined(g.dialect["join"]), n, spec
	g.swapped = f.swapped(g.dialect["first"])
	g.turn = turnBooks{}
	g.resetClocks()
	return nil
}

func (g *runningGame) resetClocks() {
	for i, c := range g.clocks {
		g.session.Clocks[i] = clock.New(c)
	}
}

// withSize changes the size in a specification: size, or width and height.
func withSize(spec game.Spec, w, h int) game.Spec {
	if w == h {
		return with(spec, fmt.Sprintf("size=%d", w), "size", "width", "height")
	}
	return with(spec, fmt.Sprintf("width=%d,height=%d", w, h), "size", "width", "height")
}

// with writes an option into a specification in the place of those with the keys.
func with(spec game.Spec, option string, keys ...string) game.Spec {
	id, rest, _ := strings.Cut(string(spec), ":")
	var items []string
	for item := range strings.SplitSeq(rest, ",") {
		key, _, _ := strings.Cut(item, "=")
		if item != "" && !slices.Contains(keys, key) {
			items = append(items, item)
		}
	}
	return game.Spec(id + ":" + strings.Join(append(items, option), ","))
}

// seat returns whose move a colour argument asks for.
func (g *runningGame) seat(text string) (game.Seat, error) {
	c, err := colourOf(text)
	if err != nil {
		return game.Nobody, errSyntax
	}
	for s := range game.Seat(2) {
		if g.colour(s) == c {
			return s, nil
		}
	}
	return game.Nobody, fmt.Errorf("nobody plays %s", c)
}

// colour returns what a seat plays with, as the commands call it.
func (g *runningGame) colour(s game.Seat) game.Colour {
	if !s.IsPlayer() {
		return game.NoColour
	}
	c := g.s.Position.Colours()[s]
	if g.swapped {
		c = other(c)
	}
	return c
}

// noDeadline: how long a manager waits beyond the clocks is not known here, and
// the clocks come in whole seconds: 0 left may be most of one.
var noDeadline time.Time

// spend runs the seat's clock; a manager that sends time_left corrects it.
func (g *runningGame) spend(seat game.Seat, used time.Duration) {
	k := g.session.Clocks[seat].Spend(used)
	k.Fallen = false // whether it fell is the manager's business
	g.session.Clocks[seat] = k
}

// endTurn ends the turn of the seat on its clock.
func (g *runningGame) endTurn(seat game.Seat) {
	g.session.Clocks[seat] = g.session.Clocks[seat].EndTurn()
}

func (g *runningGame) finalScore(context.Context, []string) (string, error) {
	r, over := g.s.Position.Result()
	if !over {
		return "", errors.New("cannot score")
	}
	w := r.Winner()
	if w == game.Nobody {
		return "0", nil
	}
	letter := "B"
	if g.colour(w) == game.White {
		letter = "W"
	}
	if !r.HasBoard {
		return letter + "+", nil
	}
	return letter + "+" + strconv.FormatFloat(r.Board[w]-r.Board[w.Other()], 'f', -1, 64), nil
}
