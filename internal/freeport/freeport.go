// Package freeport finds addresses of this machine at which nobody listens, for programs that are
// told theirs before they begin.
package freeport

import (
	"errors"
	"fmt"
	"net"
)

// Ports from low on, so many of them, are below those that a system gives to whoever asks for any, who
// else might have one by the time it is used, or between two uses.
const (
	low  = 10_000
	many = 20_000
)

// Take returns n addresses that differ, at ports that intn chooses (a number from 0 to below its argument).
func Take(n int, intn func(int) int) ([]string, error) {
	var out []string
	for range 100 * n {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", low+intn(many)))
		if err != nil {
			continue
		}
		defer func() { _ = l.Close() }() // nobody came
		if out = append(out, l.Addr().String()); len(out) == n {
			return out, nil
		}
	}
	return nil, errors.New("no port is free")
}
