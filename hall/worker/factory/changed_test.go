package factory

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"kibitz/hall/bus"
	"kibitz/run/engines"
)

// A program is looked at before each start: replaced in place, with its size and its times
// as they were, it is another one, and is not played under the old hash. So is a script
// behind its interpreter.
func TestChangedProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("scripts begin with a line for their interpreter")
	}
	for _, tt := range []struct{ name, cmd, file string }{
		{"program", "DIR/engine.sh", "engine.sh"},
		{"script", "/bin/sh DIR/engine.sh", "engine.sh"},
		{"data", "DIR/engine.sh net.bin", "net.bin"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range map[string]string{"engine.sh": "#!/bin/sh\nexit 1\n", "net.bin": "one"} {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			// Long after: what is known of the files is kept.
			sums := engines.NewSums(func() time.Time { return time.Now().Add(time.Hour) })
			spec, err := engines.Parse("", "name=x cmd='"+strings.ReplaceAll(tt.cmd, "DIR", dir)+"' dir='"+dir+"'")
			if err != nil {
				t.Fatal(err)
			}
			hash, err := sums.Engine(spec)
			if err != nil {
				t.Fatal(err)
			}
			var warned []string
			f := New(Config{
				Sums: sums, Engines: []Engine{{Spec: spec, Hash: hash, Games: []string{"gomoku"}}}, Warn: func(text string) { warned = append(warned, text) },
			})
			seat := &bus.Seat{Kind: bus.EngineSeat, Engine: "x", Hash: hash}
			for range 2 {
				if _, err := f.engine(seat, "gomoku"); err != nil {
					t.Fatal(err)
				}
			}
			path := filepath.Join(dir, tt.file)
			was, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			data[len(data)-2]++
			if err := os.WriteFile(path, data, 0o700); err != nil {
				t.Fatal(err)
			}
			if runtime.GOOS == "linux" { // elsewhere the time is all that tells
				if err := os.Chtimes(path, was.ModTime(), was.ModTime()); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := f.engine(seat, "gomoku"); err == nil || !strings.Contains(err.Error(), "its program has changed: the hash was "+hash) {
				t.Errorf("a changed program is started: %v", err)
			}
			if e := f.Entries()[0]; e.Stopped == "" || e.Hash != seat.Hash || len(warned) != 1 {
				t.Errorf("entry %+v, warned %q", e, warned)
			}
			// It stays stopped, also when the old one is back: who knows what it was.
			if _, err := f.engine(seat, "gomoku"); err == nil {
				t.Error("a stopped engine is started")
			}
		})
	}
}
