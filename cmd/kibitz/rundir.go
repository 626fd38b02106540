package main

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"kibitz/internal/filelock"
	"kibitz/internal/wholefile"
	"kibitz/journal"
	"kibitz/run"
	"kibitz/run/engines"
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
	// present is how many games of a block an earlier run has kept, by the folder
	// and the first of them.
	present map[string]int
	lock    *os.File
	perm    os.FileMode // of the files of games
	made    bool        // the folder was not there before the run
	self    os.FileInfo // of the journal as it was opened
}

// ownersOnly are the permissions of what nobody else may read.
const ownersOnly = 0o600

// block is an open file of several games.
type block struct {
	file *os.File
	due  int // games that are still to come
}

// newRunDir creates the folder, in the base. A named folder must be new or empty; an
// unnamed one is called after the date.
func newRunDir(base engines.Folder, name string, games int, now time.Time) (*runDir, error) {
	name = base.Path(name)
	if name == "" {
		dated := base.Path("kibitz-" + now.Format("20060102-150405"))
		name = dated
		for i := 2; ; i++ {
			if _, err := os.Stat(name); os.IsNotExist(err) {
				break
			}
			name = fmt.Sprintf("%s-%d", dated, i)
		}
	}
	if err := checkNewFolder(name); err != nil {
		return nil, err
	}
	_, missing := os.Lstat(name)
	d := &runDir{path: name, made: missing != nil}
	err := d.makeFolders()
	if err == nil {
		var opened *runDir
		if opened, _, err = openRunDir(name, games); err == nil {
			opened.made = d.made
			return opened, nil
		}
	}
	d.abandon()
	return nil, fmt.Errorf("--out: %w", err)
}

// checkNewFolder returns why a folder cannot be that of a new run.
func checkNewFolder(name string) error {
	if entries, err := os.ReadDir(name); name != "" && err == nil && len(entries) > 0 {
		return fmt.Errorf("--out %s: the folder is not empty; a run needs a new one", name)
	}
	return nil
}

// makeFolders makes the folders of a run, or those of them that are missing.
func (d *runDir) makeFolders() error {
	for _, sub := range []string{"games", "logs"} {
		if err := os.MkdirAll(filepath.Join(d.path, sub), 0o755); err != nil {
			return err
		}
	}
	return nil
}

// abandon removes the folder of a run that could not begin, or what it has put into
// one that was there before. Why it could not begin is what there is to tell.
func (d *runDir) abandon() {
	if d.journal != nil {
		d.close() //nolint:errcheck // as above
	}
	for _, name := range []string{"journal", secretFile, run.OpeningsFile, "run.toml", "games", "logs"} {
		os.Remove(filepath.Join(d.path, name)) //nolint:errcheck // as above
	}
	if d.made {
		os.Remove(d.path) //nolint:errcheck // as above
	}
}

// removed removes a file or an empty folder, if there is one.
func removed(name string) error {
	if err := os.Remove(name); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// openRunDir opens a folder for one run at a time; what a crash tore off the end of
// the journal is cut.
func openRunDir(name string, games int) (*runDir, journal.Report, error) {
	lock, err := os.OpenFile(filepath.Join(name, "journal"), os.O_RDWR|os.O_CREATE, 0o600) // it tells what players must not know
	if err != nil {
		return nil, journal.Report{}, err
	}
	if err := filelock.Lock(lock); err != nil {
		return nil, journal.Report{}, errors.Join(fmt.Errorf("%s: the run is being played by another kibitz", name), lock.Close())
	}
	self, err := lock.Stat()
	if err != nil {
		return nil, journal.Report{}, errors.Join(err, lock.Close())
	}
	w, report, err := journal.Open(filepath.Join(name, "journal"))
	if err != nil {
		return nil, report, errors.Join(err, lock.Close())
	}
	d := &runDir{
		path: name, journal: w, games: games, blocks: map[string]*block{}, present: map[string]int{}, lock: lock, perm: 0o644,
		self: self,
	}
	return d, report, nil
}

// there reports whether the journal is still where the run has put it.
func (d *runDir) there() bool {
	named, err := os.Stat(filepath.Join(d.path, "journal"))
	return err == nil && os.SameFile(d.self, named)
}

// secretFile holds what nobody may know while the run goes on, for whoever takes it
// up.
const secretFile = "secret"

func (d *runDir) keepSecret(secret [32]byte) error {
	return wholefile.WriteAs(filepath.Join(d.path, secretFile), []byte(hex.EncodeToString(secret[:])+"\n"), 0o600)
}

// publish lets everybody read what a run that is over has kept.
func (d *runDir) publish() error {
	err := os.Chmod(filepath.Join(d.path, "journal"), 0o644)
	if d.perm != ownersOnly {
		return err
	}
	files, _ := filepath.Glob(filepath.Join(d.path, "*", "*"))
	for _, name := range files {
		err = errors.Join(err, os.Chmod(name, 0o644))
	}
	return err
}

// forgetSecret removes the secret of a run that is over: run.toml tells it.
func (d *runDir) forgetSecret() error { return removed(filepath.Join(d.path, secretFile)) }

// file writes one file of the run so that it is there whole or not at all.
func (d *runDir) file(name string, data []byte) error {
	path := filepath.Join(d.path, filepath.FromSlash(name))
	return wholefile.Write(path, data)
}

// blocked reports whether several games share a file.
func (d *runDir) blocked() bool { return d.games > manyGames }

// add writes what belongs to a game, by its number from 0 and its name, into the folder sub: a
// file of its own or, in long runs, the end of the file of its block. Each game
// is added once to each folder.
func (d *runDir) add(sub string, index int, id, ext string, data []byte) error {
	if !d.blocked() {
		return wholefile.WriteAs(filepath.Join(d.path, sub, id+ext), data, d.perm)
	}
	name, first, last := d.blockName(sub, index, ext)
	b := d.blocks[name]
	if b == nil {
		f, err := os.OpenFile(filepath.Join(d.path, filepath.FromSlash(name)), os.O_WRONLY|os.O_CREATE|os.O_APPEND, d.perm)
		if err != nil {
			return err
		}
		b = &block{file: f, due: last - first + 1 - d.present[name]}
		d.blocks[name] = b
	}
	_, err := b.file.Write(data)
	if b.due--; b.due <= 0 {
		delete(d.blocks, name)
		err = errors.Join(err, b.file.Close())
	}
	return err
}

// blockName is the file of the block that a game is in, with its first and last.
func (d *runDir) blockName(sub string, index int, ext string) (name string, first, last int) {
	first = index - index%blockGames
	last = min(first+blockGames, d.games) - 1
	return sub + "/" + gameName(first) + "-" + gameName(last) + ext, first, last
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
	return errors.Join(err, d.lock.Close())
}
