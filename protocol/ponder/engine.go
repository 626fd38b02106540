package ponder

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/link"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/record"
)

// engine is the side that connects to a client.
type engine struct {
	conn    link.Conn
	s       protocol.Server
	session player.Session
	old     bool
	start   *start
	seat    game.Seat
	turned  bool // /turn has come: a game is on
	last    bool // and it is over
	out     []byte
}

// serve plays one game for a client. It returns nil when the client says /exit,
// closes the connection or ctx ends.
func serve(ctx context.Context, conn link.Conn, s protocol.Server, old bool) error {
	e := &engine{conn: conn, s: s, old: old}
	e.session = s.Session()
	defer e.session.Finish()
	for line, err := range protocol.Lines(ctx, conn) {
		if err != nil {
			return fmt.Errorf("ponder: %w", err)
		}
		text := strings.TrimSpace(line)
		if text == "/exit" {
			return nil
		}
		switch err := e.handle(ctx, text); {
		case errors.Is(err, io.ErrClosedPipe), errors.Is(err, syscall.EPIPE):
			return nil // a client that is gone wants no ply
		case err != nil:
			e.s.Logf("%v", err)
		}
	}
	return nil
}

func (e *engine) handle(ctx context.Context, text string) error {
	word, rest, _ := strings.Cut(text, " ")
	switch word {
	case "/start":
		s, err := parseStart(rest, e.old)
		if err != nil {
			return err
		}
		e.start, e.turned, e.last = &s, false, false
		return e.send("/start")
	case "/turn":
		if err := e.turn(rest); err != nil {
			return err
		}
		if err := e.send("/turn"); err != nil {
			return err
		}
	case "/move", "/flip":
		if err := e.ply(text); err != nil {
			return err
		}
	default:
		return fmt.Errorf("%q is no message of a client", text)
	}
	return e.think(ctx)
}

func (e *engine) send(text string) error { return e.conn.Write([]byte(text + "\n")) }

// turn begins the game: who is on turn, and with which colour the engine plays.
func (e *engine) turn(rest string) error {
	if e.start == nil {
		return errors.New("/turn came before /start")
	}
	if len(rest) < 3 || rest[0] != '0' && rest[0] != '1' || rest[2] < '0' || rest[2] > '2' {
		return fmt.Errorf("/turn %s: write 1 or 0 for first or second, a blank, and 0, 1 or 2 for red, black or unknown", rest)
	}
	colour := [...]game.Colour{game.Red, game.Black, game.NoColour}[rest[2]-'0']
	first := rest[0] == '1'
	toMove := colour
	if !first {
		toMove = map[game.Colour]game.Colour{game.Red: game.Black, game.Black: game.Red}[colour]
	}
	if err := e.setUp(toMove); err != nil {
		return err
	}
	e.seat = e.s.Position.Turn().Seat
	if !first {
		e.seat = e.seat.Other()
	}
	c := clock.New(clock.Control{Main: max(record.Millis(e.start.ms), time.Millisecond)})
	e.session.Clocks = [2]clock.Clock{c, c}
	e.turned = true
	return nil
}

// setUp puts the session on the position. The past is played if it leads to the
// board that was told; the board counts if not.
func (e *engine) setUp(toMove game.Colour) error {
	b := initial()
	for _, p := range e.start.history {
		b.play(p)
	}
	if b == e.start.board {
		err := e.session.NewGame(e.s.Game, "")
		for _, p := range e.start.history {
			if err == nil {
				err = e.session.Play(p...)
			}
		}
		if err == nil {
			return nil
		}
		e.s.Logf("the past cannot be played: %v", err)
	}
	text, err := e.start.board.text(toMove)
	if err != nil {
		return err
	}
	return e.session.NewGame(e.s.Game, text)
}

// ply plays what the client tells, either side's.
func (e *engine) ply(text string) error {
	if !e.turned {
		return fmt.Errorf("%q came before /turn", text)
	}
	ply, ms, last, err := parsePly(text, e.old)
	if err != nil {
		return err
	}
	if err := e.session.Play(ply...); err != nil {
		return fmt.Errorf("%q: %w", text, err)
	}
	if ms > 0 {
		k := &e.session.Clocks[e.seat]
		k.Left, k.Used, k.Fallen = record.Millis(ms), 0, false
	}
	e.last = e.last || last
	return nil
}

// think asks for a ply if the engine is on turn.
func (e *engine) think(ctx context.Context) error {
	if !e.turned || e.last || e.s.Position.Turn().Seat != e.seat {
		return nil
	}
	ans, err := e.session.Choose(ctx, time.Time{})
	if err != nil {
		e.session.Forget()
		return fmt.Errorf("no ply: %w", err)
	}
	if len(ans.Steps) == 0 {
		return errors.New("no ply")
	}
	if e.out, err = appendRequest(e.out[:0], ans.Steps[0], e.old); err != nil {
		return err
	}
	return e.conn.Write(append(e.out, '\n'))
}
