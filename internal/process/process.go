// Package process asks the operating system about this process, its threads, signals and
// whoever is connected with it.
package process

import (
	"os"
	"os/signal"
	"syscall"
)

// SurviveClosedOutput makes a reader of stdout that goes away an error of the next
// write instead of the end of the program, until release is called. Children are
// not concerned.
func SurviveClosedOutput() (release func()) {
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, syscall.SIGPIPE)
	return func() { signal.Stop(ch) }
}
