package main

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/alecthomas/kong"

	"kibitz/internal/process"
	"kibitz/opening"
	"kibitz/run"
	"kibitz/run/lines"
)

type matchCmd struct {
	run.Settings
	Save string `help:"Write all of this into a file for kibitz run instead of playing." placeholder:"FILE.toml"`
}

// Help returns the example that --help shows.
func (matchCmd) Help() string {
	return "Examples:\n  kibitz match --game othello --engine bot=3 --engine bot=5 --games 10\n" +
		"  kibitz match --game gomoku:rule=renju --each 'tc=60+0.5' --engine 'cmd=./pbrain-a' --engine 'cmd=./pbrain-b' --concurrency 2 " +
		"--openings file=openings.txt --repeat --games 100"
}

// Run plays the match, or writes down how. The context tells which flags were given.
func (c *matchCmd) Run(a *app, k *kong.Context) error {
	given := map[string]bool{}
	for _, p := range k.Path {
		if p.Flag != nil {
			given[p.Flag.Name] = true
		}
	}
	if err := c.ApplyPreset(func(key string) bool { return given[key] }); err != nil {
		return err
	}
	if c.Save != "" {
		return c.save(a)
	}
	return playMatch(a, c.Settings)
}

// playMatch plays a match of which somebody has just said what it is.
func playMatch(a *app, s run.Settings) error {
	r, err := a.newRun(s)
	if err != nil {
		return err
	}
	r.LearnNames(a.ctx)
	if err := r.Open(a.ctx); err != nil {
		return err
	}
	r.WarnOfEngines()
	return a.playRun(r)
}

// newRun makes a run whose standing is shown as its settings say.
func (a *app) newRun(s run.Settings) (*run.Run, error) {
	r, err := run.New(s, a.runDeps(a.saying(&s)))
	if err != nil {
		return nil, err
	}
	return r, checkTUI(a, r)
}

// lazyGC lets garbage grow to one and a half times what is kept: a collection keeps a referee
// waiting, who has little that is kept.
const lazyGC = 150

func (a *app) playRun(r *run.Run) error {
	if os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(lazyGC))
	}
	defer process.SurviveClosedOutput()()
	_, err := r.Play(a.ctx)
	return err
}

// talkOf is where people read: stdout, or stderr when stdout carries JSON.
func talkOf(a *app, s *run.Settings) io.Writer {
	if s.JSON {
		return a.stderr
	}
	return a.stdout
}

func (a *app) saying(s *run.Settings) func(string) {
	talk := talkOf(a, s)
	return func(text string) { fmt.Fprintln(talk, text) }
}

// runDeps is what runs are given of this process.
func (a *app) runDeps(say func(string)) run.Deps {
	return run.Deps{
		Launcher: a.launcher(), Version: version, Drain: a.drain, Processors: a.processors,
		Watchers: func(r *run.Run) []run.Watcher { return a.watchers(r, talkOf(a, r.Settings())) },
		Say:      say,
		Making: func(total int) (func(opening.Counts), func()) {
			return a.making(total, false)
		},
		Report: func(dir string) error {
			_, err := writeReport(dir, a.now(), reportOptions{Boards: reportBoards})
			return err
		},
	}
}

// watchers are those whom the flags ask for.
func (a *app) watchers(r *run.Run, talk io.Writer) (out []run.Watcher) {
	s := r.Settings()
	if s.JSON {
		out = append(out, &lines.JSON{Run: r, Out: a.stdout})
	}
	if s.TUI && !r.Over() {
		return append(out, a.screenOf(r, talk))
	}
	return append(out, lines.New(r, talk, coloured(talk), a.now))
}
