//go:build !linux

package main

import "net"

// peerOf knows nothing on this system.
func peerOf(net.Conn) (pid int, ok bool) { return 0, false }
