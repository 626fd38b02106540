package service

import (
	"context"
	"errors"
	"net"
	"time"
)

// silence is how long the other end of a connection may leave unanswered what it was sent before it
// counts as gone: a cable that is out tells nobody, and those who play are told who is away.
const silence = 12 * time.Second

// ListenWeb takes connections of browsers at an address.
func ListenWeb(ctx context.Context, address string) (net.Listener, error) {
	if _, _, err := net.SplitHostPort(address); err != nil {
		return nil, errors.New("want HOST:PORT, such as 127.0.0.1:8080, or :8080 for all addresses of this machine")
	}
	l := net.ListenConfig{Control: limitSilence}
	return l.Listen(ctx, "tcp", address)
}
