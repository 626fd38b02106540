package sau

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/link"
	"kibitz/protocol"
)

// Serve is an engine: it answers a platform on conn until quit, the end of the
// input, or the end of ctx. It reads while it thinks, so that end, new and quit end
// a search at once; everything else waits for the move. The player is left open.
func (l Forms) Serve(ctx context.Context, conn link.Conn, s protocol.Server) error {
	list := serveDialects()
	cfg := protocol.Config{Dialect: s.Dialect}
	if err := cfg.CheckDialects("sau (engine side)", list); err != nil {
		return err
	}
	letters, err := readLetters(&cfg, list)
	if err != nil {
		return err
	}
	e := &engine{
		conn: conn, srv: s, letters: letters,
		lines: make(chan protocol.Heard), quit: make(chan struct{}), done: make(chan thought, 1),
	}
	if v := cfg.Switch(list, "movetime"); v != "" {
		if e.moveTime, err = time.ParseDuration(v); err != nil || e.moveTime <= 0 {
			return fmt.Errorf("dialect.movetime=%s: must be a time such as 5s", v)
		}
	}
	if e.form = l.of(s.Game); e.form == nil {
		return fmt.Errorf("the protocol does not play %s", s.Game.ID())
	}
	if e.form.Hidden {
		e.books = &hiddenBooks{engine: e}
	} else {
		e.books = &openBooks{engine: e, session: s.Session()}
	}
	go protocol.Hear(conn, e.lines, e.quit)
	err = e.loop(ctx)
	e.close()
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// books is what the engine knows of its game, and how it comes to a move. While it
// thinks nobody else touches it.
type books interface {
	// begin starts a game for the seat and reports whether to think.
	begin(ctx context.Context, seat game.Seat) (think bool, err error)
	// hear takes a command and reports whether to think.
	hear(c *command) (think bool, err error)
	// again takes back the own move, which the platform did not accept, and
	// reports whether there is another.
	again() (think bool, err error)
	// think comes to a move and returns its argument. It runs beside reading.
	think(ctx context.Context, dst []byte) ([]byte, error)
	// end ends the game for the player; winner is Nobody if it is not known.
	end(winner game.Seat)
}

// thought is what thinking has come to: the argument of a move.
type thought struct {
	arg []byte
	err error
}

// engine is the engine side of one conversation.
type engine struct {
	conn     link.Conn
	srv      protocol.Server
	letters  Letters
	form     *Form
	moveTime time.Duration
	books    books
	playing  bool

	lines chan protocol.Heard
	quit  chan struct{}
	done  chan thought
	queue [][]byte
	out   []byte
	arg   []byte

	thinking bool
	dropping bool // the running thought is not wanted any more
	cancel   context.CancelFunc
}

// nag is how often a search that was told to stop is told again, in case it had
// not begun yet.
const nag = 10 * time.Millisecond

// maxQueue bounds what a platform may send while the engine thinks.
const maxQueue = 4096

func (e *engine) loop(ctx context.Context) error {
	ticker := time.NewTicker(nag)
	defer ticker.Stop()
	ticker.Stop()
	ended := false // the manager says no more
	for {
		if !e.thinking && len(e.queue) > 0 {
			text := e.queue[0]
			e.queue = e.queue[1:]
			if over, err := e.handle(ctx, text); over || err != nil {
				return err
			}
			continue
		}
		if ended && !e.thinking {
			return nil
		}
		select {
		case in := <-e.lines:
			switch {
			case errors.Is(in.Err, io.EOF):
				ended = true // nothing more is asked: what was is answered
			case in.Err != nil && !errors.Is(in.Err, link.ErrInterrupted):
				return in.Err
			case in.Err != nil:
			case e.incoming(in.Text):
				return nil
			}
			if e.dropping {
				ticker.Reset(nag)
			}
		case t := <-e.done:
			ticker.Stop()
			if err := e.finish(t); err != nil && !ended {
				return err
			}
		case <-ticker.C:
			e.srv.Player.Stop()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// incoming queues a line. If the engine thinks and the line makes that vain, it is
// told to stop. It reports true at quit.
func (e *engine) incoming(text []byte) (quit bool) {
	c := parseCommand(text)
	if e.thinking {
		switch c.word {
		case wordQuit:
			return true
		case wordEnd, wordNew:
			e.dropping = true
			e.cancel()
			e.srv.Player.Stop()
		}
	}
	if len(e.queue) < maxQueue { // the rest is lost
		e.queue = append(e.queue, text)
	}
	return false
}

// finish sends what thinking has come to.
func (e *engine) finish(t thought) error {
	dropped := e.dropping
	e.thinking, e.dropping = false, false
	e.cancel()
	switch {
	case dropped:
		return nil
	case t.err != nil:
		// The platform has no word for an engine that gives up.
		e.srv.Logf("no move: %v", t.err)
		return t.err
	}
	e.arg = t.arg
	e.out = append(append(append(e.out[:0], wordMove...), ' '), t.arg...)
	return e.send(append(e.out, '\n'))
}

// start thinks beside reading.
func (e *engine) start(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	e.thinking, e.cancel = true, cancel
	go func() {
		arg, err := e.books.think(ctx, e.arg[:0])
		e.done <- thought{arg, err}
	}()
}

// close ends a running search and the reader.
func (e *engine) close() {
	close(e.quit)
	e.conn.Interrupt()
	if e.thinking {
		e.cancel()
		end := time.NewTimer(quitGrace)
		defer end.Stop()
		again := time.NewTicker(nag)
		defer again.Stop()
		for e.thinking {
			e.srv.Player.Stop()
			select {
			case <-e.done:
				e.thinking = false
			case <-again.C:
			case <-end.C:
				return // it does not listen; its player cannot be told anything more
			}
		}
	}
	e.end(game.Nobody)
}

func (e *engine) end(winner game.Seat) {
	if e.playing {
		e.playing = false
		e.books.end(winner)
	}
}

// handle executes a command while the engine does not think. It reports true at
// quit.
func (e *engine) handle(ctx context.Context, text []byte) (quit bool, err error) {
	c := parseCommand(text)
	think := false
	switch c.word {
	case wordQuit:
		return true, nil
	case wordAsk:
		return false, e.send(appendArg(e.out[:0], wordName, e.name()))
	case wordNew:
		think, err = e.begin(ctx, &c)
	case wordEnd:
		e.end(c.winner())
	case wordMove, wordAccept, wordAccess, wordRefuse, wordTake, wordTaked, wordError:
		if !e.playing {
			e.srv.Logf("%s while no game runs", clip(text))
			break
		}
		if c.word == wordError || c.word == wordRefuse {
			think, err = e.books.again()
		} else {
			think, err = e.books.hear(&c)
		}
	case "":
	default:
		e.srv.Logf("not understood: %s", clip(text))
	}
	if err != nil {
		// What cannot be followed is no reason to leave: the next game may be sound.
		e.srv.Logf("%s: %v", clip(text), err)
		if c.word == wordMove {
			return false, e.send(append(e.out[:0], wordError+"\n"...)) // else the manager would wait without a word
		}
		return false, nil
	}
	if think {
		e.start(ctx)
	}
	return false, nil
}

func (e *engine) name() string {
	if e.srv.Name == "" {
		return "Kibitz"
	}
	return e.srv.Name
}

func (e *engine) begin(ctx context.Context, c *command) (think bool, err error) {
	e.end(game.Nobody) // the platform says nothing when a game is broken off
	seat := game.First
	switch string(bytes.ToLower(c.arg)) {
	case argBlack:
	case argWhite:
		seat = game.Second
	default:
		return false, errors.New("new needs black or white")
	}
	think, err = e.books.begin(ctx, seat)
	e.playing = err == nil
	return think, err
}

// clocks are what the player is told of its time: only what dialect.movetime says.
func (e *engine) clocks() (list [2]clock.Clock) {
	if e.moveTime > 0 {
		k := clock.New(clock.Control{Turn: e.moveTime})
		list = [2]clock.Clock{k, k}
	}
	return list
}

// deadline is when the player must have answered, zero for never.
func (e *engine) deadline() time.Time {
	if e.moveTime <= 0 || e.srv.Now == nil {
		return time.Time{}
	}
	return e.srv.Now().Add(e.moveTime)
}

func (e *engine) send(b []byte) error {
	e.out = b
	return e.conn.Write(b)
}
