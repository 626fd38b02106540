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

// Interrupts shows the next signal that ends programs to first, and then calls stop: at once, or
// with the signal after it if first wants to wait for that. SIGQUIT is one unless GOTRACEBACK asks for what
// the program was about, SIGHUP unless it was ignored from the start, as nohup has it.
func Interrupts(first func(os.Signal) (wait bool), stop func()) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if os.Getenv("GOTRACEBACK") == "" {
		signal.Notify(signals, syscall.SIGQUIT)
	}
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		if first(<-signals) {
			<-signals
		}
		stop()
	}()
}

// StatusOf is the exit status by which shells know a program that a signal ended.
func StatusOf(sig os.Signal) int {
	if n, ok := sig.(syscall.Signal); ok {
		return 128 + int(n)
	}
	return 1
}
