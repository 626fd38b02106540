package main

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// halt lets running games end and starts no new ones: what cannot be kept need
// not be played.
type halt struct {
	once sync.Once
	ch   chan struct{}
}

// newHalt returns a halt that also happens when outside is closed; release ends
// the waiting.
func newHalt(outside <-chan struct{}) (h *halt, release func()) {
	h = &halt{ch: make(chan struct{})}
	over := make(chan struct{})
	go func() {
		select {
		case <-outside:
			h.now()
		case <-over:
		}
	}()
	return h, func() { close(over) }
}

func (h *halt) now() { h.once.Do(func() { close(h.ch) }) }

// surviveClosedOutput makes a reader of stdout that goes away an error of the next
// write instead of the end of the program, until release is called. Children are
// not concerned.
func surviveClosedOutput() (release func()) {
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, syscall.SIGPIPE)
	return func() { signal.Stop(ch) }
}
