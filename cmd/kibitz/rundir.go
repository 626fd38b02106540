package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"kibitz/journal"
)

// Runs of more than manyGames games keep blockGames of them in one file: two new
// files a game cost more than all the rest of a fast game.
const (
	manyGames  = 1000
	blockGames = 100
)

// runDir is the folder of one run: journal, games/, logs/, summary.json, run.toml.
type runDir struct {
	path    string
	journal *journal.Writer
	games   int // of the whole run
	blocks  map[string]*block
}

// block is an open file of several games.
type block struct {
	file *os.File
	due  int // games that are still to come
}

// newRunDir creates the folder. A named folder must be new or empty; an unnamed
// one is called after the date.
func newRunDir(name string, games int, now time.Time) (*runDir, error) {
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
	return &runDir{path: name, journal: w, games: games, blocks: map[string]*block{}}, nil
}

// file writes one file of the run so that it is there whole or not at all.
func (d *runDir) file(name string, data []byte) error {
	path := filepath.Join(d.path, filepath.FromSlash(name))
	return writeWhole(path, data)
}

// blocked reports whether several games share a file.
func (d *runDir) blocked() bool { return d.games > manyGames }

// add writes what belongs to a game, by its number from 0, into the folder sub: a
// file of its own or, in long runs, the end of the file of its block. Each game
// is added once to each folder.
func (d *runDir) add(sub string, index int, ext string, data []byte) error {
	if !d.blocked() {
		return d.file(sub+"/"+gameName(index)+ext, data)
	}
	first := index - index%blockGames
	last := min(first+blockGames, d.games) - 1
	name := sub + "/" + gameName(first) + "-" + gameName(last) + ext
	b := d.blocks[name]
	if b == nil {
		f, err := os.OpenFile(filepath.Join(d.path, filepath.FromSlash(name)), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
		if err != nil {
			return err
		}
		b = &block{file: f, due: last - first + 1}
		d.blocks[name] = b
	}
	_, err := b.file.Write(data)
	if b.due--; b.due == 0 {
		delete(d.blocks, name)
		err = errors.Join(err, b.file.Close())
	}
	return err
}

func gameName(index int) string { return fmt.Sprintf("%06d", index+1) }

func (d *runDir) json(name string, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return d.file(name, append(b, '\n'))
}

func (d *runDir) close() error {
	err := d.journal.Close()
	for _, b := range d.blocks {
		err = errors.Join(err, b.file.Close())
	}
	return err
}
