package protocol

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"kibitz/link"
	"kibitz/player"
)

// Session returns a session of the server's player, before its first game.
func (s *Server) Session() player.Session {
	return player.Session{Player: s.Player, Position: s.Position, Now: s.Now, Limits: s.Limits}
}

// Logf logs what the manager said that could not be understood, if anybody listens.
func (s *Server) Logf(format string, args ...any) {
	if s.Log != nil {
		s.Log(fmt.Sprintf(format, args...))
	}
}

// Heard is a line of a manager, or why there is none.
type Heard struct {
	Text []byte
	Err  error
}

// Hear sends what a manager says to a channel until quit is closed or its output has ended; an interrupted
// connection goes on.
func Hear(conn link.Conn, to chan<- Heard, quit <-chan struct{}) {
	for {
		line, err := conn.ReadLine(time.Time{})
		select {
		case to <- Heard{bytes.Clone(line), err}:
		case <-quit:
			return
		}
		if err != nil && !errors.Is(err, link.ErrInterrupted) {
			return
		}
	}
}

// Lines yields what a manager says, up to the end of its output or of ctx: these are
// no errors. Any other end is one, and comes last.
func Lines(ctx context.Context, conn link.Conn) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		defer context.AfterFunc(ctx, conn.Interrupt)()
		for ctx.Err() == nil {
			line, err := conn.ReadLine(time.Time{})
			switch {
			case errors.Is(err, io.EOF), errors.Is(err, link.ErrInterrupted), errors.Is(err, io.ErrClosedPipe):
				return
			case err != nil:
				yield("", fmt.Errorf("reading what the manager says: %w", err))
				return
			case !yield(string(line), nil):
				return
			}
		}
	}
}
