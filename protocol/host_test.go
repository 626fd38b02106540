package protocol_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"syscall"
	"testing"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/link"
	"kibitz/player"
	"kibitz/protocol"
)

// TestConnect wants a failure of every dialer that fails.
func TestConnect(t *testing.T) {
	memory := player.Fail(game.ByResource, nil, "no memory")
	missing := errors.New("no such file")
	near, _ := link.Pipe()
	for _, tt := range []struct {
		conn   link.Conn
		err    error
		reason game.Reason
		detail string
	}{
		{near, nil, "", ""},
		{nil, missing, game.ByStart, "starting brain: no such file"},
		{nil, memory, game.ByResource, "no memory"},
		{nil, &fs.PathError{Op: "open", Path: "p", Err: syscall.ENOENT}, game.ByStart, "starting brain: open p: no such file or directory"},
		{nil, fmt.Errorf("pipe: %w", syscall.EMFILE), game.ByAbort, "starting brain: pipe: too many open files"},
		{nil, os.NewSyscallError("fork/exec", syscall.EAGAIN), game.ByAbort, "starting brain: fork/exec: resource temporarily unavailable"},
	} {
		c := protocol.Config{Name: "brain", Dial: func(context.Context) (link.Conn, error) { return tt.conn, tt.err }}
		conn, err := c.Connect(t.Context())
		var f *player.Failure
		switch {
		case tt.err == nil && (err != nil || conn != tt.conn):
			t.Errorf("%v, %v", conn, err)
		case tt.err != nil && (!errors.As(err, &f) || f.Reason != tt.reason || f.Detail != tt.detail || conn != nil):
			t.Errorf("%v, %v, want %s: %s", conn, err, tt.reason, tt.detail)
		}
	}
}

// TestWarnEnd wants a warning of what went wrong, and of nothing else.
func TestWarnEnd(t *testing.T) {
	var said []string
	c := protocol.Config{Name: "brain", Warn: func(s string) { said = append(said, s) }}
	c.WarnEnd(nil)
	c.WarnEnd(errors.New("not permitted"))
	if want := []string{"brain: ending the process: not permitted"}; !slices.Equal(said, want) {
		t.Errorf("%q, want %q", said, want)
	}
}

// TestLate tells a fallen flag from a stalled engine.
func TestLate(t *testing.T) {
	var p player.Prompt
	p.Clocks[game.Second] = clock.New(clock.Control{Turn: time.Second})
	for seat, want := range map[game.Seat]game.Reason{game.First: game.ByStall, game.Second: game.ByTime, game.Nobody: game.ByTime} {
		if p.Seat = seat; protocol.Late(&p) != want {
			t.Errorf("%s: %s, want %s", seat, protocol.Late(&p), want)
		}
	}
}
