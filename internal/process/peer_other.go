//go:build !linux

package process

import "net"

// Peer knows nothing on this system.
func Peer(net.Conn) (pid int, ok bool) { return 0, false }
