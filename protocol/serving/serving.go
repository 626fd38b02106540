// Package serving meets the manager of an engine and serves it: over standard streams, a
// connection, or files in a folder.
package serving

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"

	"kibitz/link"
	"kibitz/link/frame"
	"kibitz/protocol"
)

// Manager says where the manager is.
type Manager struct {
	// In and Out are the standard streams.
	In  io.Reader
	Out io.Writer
	// Listen is the TCP address where the manager is waited for; Listening is then told where.
	Listen    string
	Listening func(net.Addr)
	// Address is the host and the port of a manager that waits itself.
	Address []string
	// Dir has the files of a protocol without a connection; empty: the working directory.
	Dir string
}

// Serve runs the engine side of a protocol for one manager until that has gone, or for the one
// question that lies in a folder. The player is closed.
func (m *Manager) Serve(ctx context.Context, proto protocol.Protocol, s protocol.Server) error {
	defer s.Player.Close() //nolint:errcheck // the manager has gone; there is nobody to tell
	switch {
	case proto.Turn != nil && (m.Listen != "" || len(m.Address) > 0):
		return fmt.Errorf("an engine of protocol %s talks through files in its folder, not over a connection", proto.ID)
	case proto.Turn != nil:
		return proto.Turn(ctx, cmp.Or(m.Dir, "."), s)
	case m.Dir != "":
		return fmt.Errorf("--dir: an engine of protocol %s does not talk through files", proto.ID)
	case proto.Serve == nil:
		return fmt.Errorf("protocol %s has no engine side", proto.ID)
	}
	conn, err := m.meet(ctx, proto, &s)
	if err != nil {
		return err
	}
	defer conn.Close() //nolint:errcheck // as above
	if err := proto.Serve(ctx, conn, s); !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

func (m *Manager) meet(ctx context.Context, proto protocol.Protocol, s *protocol.Server) (link.Conn, error) {
	framed := proto.LaunchOf(s.Dialect).CallBack
	switch {
	case framed && m.Listen == "" && len(m.Address) != 2:
		return nil, fmt.Errorf("an engine of protocol %s connects to its manager: give address and port, for example 127.0.0.1 4000", proto.ID)
	case !framed && len(m.Address) > 0:
		return nil, fmt.Errorf("%s: an engine of protocol %s talks on stdin and stdout and takes no address", strings.Join(m.Address, " "),
			proto.ID)
	case m.Listen == "" && !framed:
		return link.Stdio(m.In, m.Out, s.Now), nil
	}
	peer, err := m.peer(ctx)
	if err != nil {
		return nil, err
	}
	if framed {
		return frame.NewConn(peer, link.Options{Now: s.Now}), nil
	}
	return link.NewStream(peer, peer, peer.Close, link.Options{Now: s.Now}), nil
}

// peer waits for the manager or connects to it.
func (m *Manager) peer(ctx context.Context) (net.Conn, error) {
	if m.Listen == "" {
		var d net.Dialer
		c, err := d.DialContext(ctx, "tcp", net.JoinHostPort(m.Address[0], m.Address[1]))
		if err != nil {
			return nil, fmt.Errorf("cannot connect to the manager: %w", err)
		}
		return c, nil
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", m.Listen)
	if err != nil {
		return nil, fmt.Errorf("--listen: %w", err)
	}
	m.Listening(l.Addr())
	c, err := l.Accept()
	return c, errors.Join(err, l.Close())
}

// mostLoaded is the largest file that a manager may have loaded, in bytes.
const mostLoaded = 16 << 20

// Files returns what reads files for the manager: for the one that has started the
// engine and may read them itself, not for whoever reaches it over the network.
func (m *Manager) Files() func(name string) ([]byte, error) {
	if m.Listen != "" || len(m.Address) > 0 {
		return nil
	}
	return func(name string) ([]byte, error) {
		i, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		if !i.Mode().IsRegular() || i.Size() > mostLoaded {
			return nil, fmt.Errorf("%s is no file of at most %d bytes", name, mostLoaded)
		}
		return os.ReadFile(name)
	}
}
