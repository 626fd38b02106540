package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"kibitz/journal"
)

// runDir is the folder of one run: journal, games/, logs/, summary.json, run.toml.
type runDir struct {
	path    string
	journal *journal.Writer
}

// newRunDir creates the folder. A named folder must be new or empty; an unnamed
// one is called after the date.
func newRunDir(name string, now time.Time) (*runDir, error) {
	if name == "" {
		base := "kibitz-" + now.Format("20060102-150405")
		name = base
		for i := 2; ; i++ {
			if _, err := os.Stat(name); os.IsNotExist(err) {
				break
			}
			name = fmt.Sprintf("%s-%d", base, i)
		}
	}
	if entries, err := os.ReadDir(name); err == nil && len(entries) > 0 {
		return nil, fmt.Errorf("--out %s: the folder is not empty; a run needs a new one", name)
	}
	for _, d := range []string{"games", "logs"} {
		if err := os.MkdirAll(filepath.Join(name, d), 0o755); err != nil {
			return nil, fmt.Errorf("--out: %w", err)
		}
	}
	w, _, err := journal.Open(filepath.Join(name, "journal"))
	if err != nil {
		return nil, fmt.Errorf("--out: %w", err)
	}
	return &runDir{path: name, journal: w}, nil
}

// file writes one file of the run so that it is there whole or not at all.
func (d *runDir) file(name string, data []byte) error {
	path := filepath.Join(d.path, filepath.FromSlash(name))
	tmp := path + ".part"
	if err := os.WriteFile(tmp, data, 0o644); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}

func (d *runDir) json(name string, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return d.file(name, append(b, '\n'))
}

func (d *runDir) close() error { return d.journal.Close() }
