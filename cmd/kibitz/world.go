package main

import (
	"kibitz/cmd/kibitz/outside"
	"kibitz/record"
	"kibitz/record/formats"
)

// world is the world outside for commands that are packages of their own.
func (a *app) world() *outside.World {
	return &outside.World{
		Stdin: a.stdin, Stdout: a.stdout, Stderr: a.stderr, Now: a.now, Ctx: a.ctx, Drain: a.drain, SetTemp: a.setTemp,
		Warn: a.warn, Launcher: a.launcher, Guards: &a.guards, Version: version, Told: errTold, Sitter: a.sitter, CheckReading: checkReading,
		Load: func(name, spec, format string) ([]*record.Game, error) { return loadRecords(a, name, spec, format) },
		LoadParts: func(name, spec, format string, each func([]*record.Game) bool) error {
			return records().LoadParts(a.stdin, name, spec, format, each)
		},
		Save: func(f *formats.Format, file string, list []*record.Game) error { return saveOut(a, f, file, list) },
	}
}
