//go:build !unix

package tcp

import (
	"net"

	"kibitz/link"
)

func connect(c *net.TCPConn, o link.Options) (link.Conn, error) {
	return link.NewStream(c, c, c.Close, o), nil
}
