//go:build !unix

package process

// OnUserSignals does nothing where there are no such signals.
func OnUserSignals(_, _ func()) (release func()) { return func() {} }
