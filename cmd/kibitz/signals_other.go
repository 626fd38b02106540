//go:build !unix

package main

// onSignals does nothing where there are no such signals.
func onSignals(_, _ func()) (release func()) { return func() {} }
