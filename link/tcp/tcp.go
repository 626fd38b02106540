// Package tcp carries lines over TCP, for engines that connect to Kibitz and for
// managers that wait for an engine.
package tcp

import (
	"context"
	"fmt"
	"net"
	"time"

	"kibitz/link"
)

// Dialer returns a link.Dialer that connects to the address ("host:port").
func Dialer(address string, o link.Options) link.Dialer {
	return func(ctx context.Context) (link.Conn, error) {
		var d net.Dialer
		c, err := d.DialContext(ctx, "tcp", address)
		if err != nil {
			return nil, fmt.Errorf("cannot connect to %q: %w", address, err)
		}
		return wrap(c, o)
	}
}

// Listener waits for peers.
type Listener struct {
	l *net.TCPListener
	o link.Options
}

// Listen opens a port ("host:port", port 0 picks one). Connections that Accept
// returns have the options.
func Listen(ctx context.Context, address string, o link.Options) (*Listener, error) {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %q: %w", address, err)
	}
	t, ok := l.(*net.TCPListener)
	if !ok {
		_ = l.Close()
		return nil, fmt.Errorf("cannot listen on %q: no TCP address", address)
	}
	return &Listener{l: t, o: o}, nil
}

// Addr returns the address with the port that was picked.
func (l *Listener) Addr() string { return l.l.Addr().String() }

// Accept waits for a peer until ctx ends. One goroutine calls it at a time.
func (l *Listener) Accept(ctx context.Context) (link.Conn, error) {
	if err := l.l.SetDeadline(time.Time{}); err != nil {
		return nil, fmt.Errorf("waiting for a connection: %w", err)
	}
	stop := context.AfterFunc(ctx, func() { _ = l.l.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	c, err := l.l.AcceptTCP()
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("waiting for a connection on %s: %w", l.Addr(), err)
	}
	return wrap(c, l.o)
}

// Close stops listening; connections live on.
func (l *Listener) Close() error { return l.l.Close() }

func wrap(c net.Conn, o link.Options) (link.Conn, error) {
	t, ok := c.(*net.TCPConn)
	if !ok {
		_ = c.Close()
		return nil, fmt.Errorf("%s is no TCP connection", c.RemoteAddr())
	}
	lc, err := connect(t, o)
	if err != nil {
		_ = c.Close()
		return nil, err
	}
	return lc, nil
}
