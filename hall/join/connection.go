package join

import (
	"context"
	"errors"
	"time"

	"github.com/coder/websocket"

	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/player/remote/seats"
)

// How long the engine waits before it connects again, at first and at most.
const (
	firstAgain = 100 * time.Millisecond
	mostAgain  = 15 * time.Second
)

// connected connects again and again to a socket of the room, and does over each connection what
// serve does. It returns the error after which that is of no use any more.
func (j *joiner) connected(ctx context.Context, socket func() string, serve func(context.Context, *websocket.Conn) error) error {
	wait, lost := firstAgain, false
	for {
		conn, err := j.Hall.dial(ctx, j.Room, socket())
		if err == nil {
			if lost {
				j.tell("connected again")
			}
			began := j.Launcher.Now()
			if err = serve(ctx, conn); j.Launcher.Now().Sub(began) > mostAgain {
				wait = firstAgain
			}
			lost = false
		}
		if last := j.final(ctx, err); last != nil {
			return last
		}
		if !lost {
			back := ""
			if j.Person == nil {
				back = "; the engine comes back"
			}
			j.tell("the connection is lost (%s)%s", game.Shown(plain.OneLine(err), 200), back)
			lost = true
		}
		select {
		case <-time.After(wait):
		case <-j.bored():
			j.tell("no game for %s", j.Stay)
			return errDeparted
		case <-j.Drain:
			j.leaving = true
			if j.game == nil {
				return errDeparted
			}
			select { // the game goes on, if the hall comes back
			case <-time.After(wait):
			case <-ctx.Done():
				return errDeparted
			}
		case <-ctx.Done():
			return errDeparted
		}
		wait = min(2*wait, mostAgain)
	}
}

// final returns the error after which connecting again is of no use, nil after others.
func (j *joiner) final(ctx context.Context, err error) error {
	var e *refusal
	var f *localError
	switch {
	case errors.Is(err, errDeparted), ctx.Err() != nil:
		return errDeparted
	case errors.As(err, &f):
		return f.err
	case errors.As(err, &e) && e.code == "room-closed", websocket.CloseStatus(err) == websocket.StatusNormalClosure:
		j.tell("the room is closed")
		return errDeparted
	case errors.As(err, &e) && !e.temporary() && e.code != "":
		return &RoomError{j.Room, err}
	}
	switch websocket.CloseStatus(err) {
	case seats.Replaced:
		return &RoomError{j.Room, errReplaced}
	case seats.Lost:
		return j.outOfRoom("the place was taken away")
	}
	return nil
}

// localError is an error of this machine, not of the connection.
type localError struct{ err error }

func (e *localError) Error() string { return e.err.Error() }

type message struct {
	kind websocket.MessageType
	data []byte
}

// receive passes on what comes over a connection until it breaks, which is then the cause of the
// end of within, or until stop, which closes it.
func receive(ctx context.Context, conn *websocket.Conn, most int64) (within context.Context, in <-chan message, stop func()) {
	within, cancel := context.WithCancelCause(ctx)
	got, ended := make(chan message), make(chan struct{})
	conn.SetReadLimit(most)
	go func() {
		defer close(ended)
		for {
			kind, data, err := conn.Read(within)
			if err != nil {
				cancel(err)
				return
			}
			select {
			case got <- message{kind, data}:
			case <-within.Done():
				return
			}
		}
	}()
	return within, got, func() {
		cancel(errDeparted)
		_ = conn.CloseNow() // it is broken, or the hall sees it now
		<-ended
	}
}
