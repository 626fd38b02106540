//go:build !linux

package service

import "syscall"

// limitSilence leaves silence to what the system thinks of it.
func limitSilence(_, _ string, _ syscall.RawConn) error { return nil }
