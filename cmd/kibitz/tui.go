package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"kibitz/run"
	"kibitz/run/fullscreen"
	"kibitz/term"
	"kibitz/term/screen"
)

// checkTUI returns why a match cannot be shown on a whole screen, nil if it can or
// need not.
func checkTUI(a *app, r *run.Run) error {
	s := r.Settings()
	if !s.TUI {
		return nil
	}
	for _, e := range r.Engines() {
		if e.Human {
			return fmt.Errorf("--tui: engine %q: a person needs the terminal to play", e.Text)
		}
	}
	switch talk := talkOf(a, s); {
	case s.Quiet:
		return errors.New("--tui shows all that --quiet leaves out: leave one of them out")
	case !term.IsTerminal(talk) && s.JSON:
		return errors.New("--tui: stderr is no terminal, and stdout is for --json")
	case !term.IsTerminal(talk):
		return errors.New("--tui: stdout is no terminal")
	case s.JSON && term.IsTerminal(a.stdout):
		return errors.New("--tui: with --json stdout must go elsewhere than to the terminal")
	}
	return nil
}

// screenOf shows a run on the whole terminal.
func (a *app) screenOf(r *run.Run, talk io.Writer) run.Watcher {
	at := screen.Terminal{Out: term.Bare(talk), Colour: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb", Now: a.now}
	if term.IsTerminal(a.stdin) {
		at.In = a.stdin
	}
	return fullscreen.New(r, at, talk, a.onNotice)
}
