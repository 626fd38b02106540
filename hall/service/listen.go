package service

import (
	"context"
	"net"
	"time"
)

// silence is how long the other end of a connection may leave unanswered what it was sent before it
// counts as gone: a cable that is out tells nobody, and those who play are told who is away.
const silence = 12 * time.Second

// ListenWeb takes connections of browsers at an address.
func ListenWeb(ctx context.Context, address string) (net.Listener, error) {
	l := net.ListenConfig{Control: limitSilence}
	return l.Listen(ctx, "tcp", address)
}
