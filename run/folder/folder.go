// Package folder keeps the folder of a run: its journal, and the files of games and logs.
package folder

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"kibitz/internal/filelock"
	"kibitz/internal/wholefile"
	"kibitz/journal"
	"kibitz/run/engines"
)

// Runs of more than manyGames games keep BlockGames of them in one file: two new
// files a game cost more than all the rest of a fast game.
const (
	manyGames  = 1000
	BlockGames = 100
)

// Folder is the folder of one run: journal, games/, logs/, summary.json, run.toml.
type Folder struct {
	Path    string
	Journal *journal.Writer
	Perm    os.FileMode // of the files of games
	games   int         // of the whole run
	blocks  map[string]*block
	// present is how many games of a block an earlier run has kept, by the folder
	// and the first of them.
	present map[string]int
	lock    *os.File
	made    bool        // the folder was not there before the run
	self    os.FileInfo // of the journal as it was opened
}

// OwnersOnly are the permissions of what nobody else may read.
const OwnersOnly = 0o600

// block is an open file of several games.
type block struct {
	file *os.File
	due  int // games that are still to come
}

// New creates the folder, in the base. A named folder must be new or empty; an
// unnamed one is called after the date.
func New(base engines.Folder, name string, games int, now time.Time) (*Folder, error) {
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
	if err := CheckNew(name); err != nil {
		return nil, err
	}
	_, missing := os.Lstat(name)
	d := &Folder{Path: name, made: missing != nil}
	err := d.MakeFolders()
	if err == nil {
		var opened *Folder
		if opened, _, err = Open(name, games); err == nil {
			opened.made = d.made
			return opened, nil
		}
	}
	d.Abandon()
	return nil, err
}

// At is a folder that is not opened.
func At(path string, games int) *Folder {
	return &Folder{Path: path, games: games, present: map[string]int{}}
}

// CheckNew returns why a folder cannot be that of a new run.
func CheckNew(name string) error {
	if entries, err := os.ReadDir(name); name != "" && err == nil && len(entries) > 0 {
		return &NotEmpty{name}
	}
	return nil
}

// NotEmpty is the error of a folder that cannot be that of a new run.
type NotEmpty struct{ Name string }

func (e *NotEmpty) Error() string {
	return e.Name + ": the folder is not empty; a run needs a new one"
}

// OpeningsFile is the file in the folder of a run that holds the openings that were made for it.
const OpeningsFile = "openings.txt"

// MakeFolders makes the folders of a run, or those of them that are missing.
func (d *Folder) MakeFolders() error {
	for _, sub := range []string{"games", "logs"} {
		if err := os.MkdirAll(filepath.Join(d.Path, sub), 0o755); err != nil {
			return err
		}
	}
	return nil
}

// Abandon removes the folder of a run that could not begin, or what it has put into
// one that was there before. Why it could not begin is what there is to tell.
func (d *Folder) Abandon() {
	if d.Journal != nil {
		d.Close() //nolint:errcheck // as above
	}
	for _, name := range []string{"journal", SecretFile, OpeningsFile, "run.toml", "games", "logs"} {
		os.Remove(filepath.Join(d.Path, name)) //nolint:errcheck // as above
	}
	if d.made {
		os.Remove(d.Path) //nolint:errcheck // as above
	}
}

// removed removes a file or an empty folder, if there is one.
func removed(name string) error {
	if err := os.Remove(name); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// Open opens a folder for one run at a time; what a crash tore off the end of
// the journal is cut.
func Open(name string, games int) (*Folder, journal.Report, error) {
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
	d := &Folder{
		Path: name, Journal: w, games: games, blocks: map[string]*block{}, present: map[string]int{}, lock: lock, Perm: 0o644,
		self: self,
	}
	return d, report, nil
}

// There reports whether the journal is still where the run has put it.
func (d *Folder) There() bool {
	named, err := os.Stat(filepath.Join(d.Path, "journal"))
	return err == nil && os.SameFile(d.self, named)
}

// SecretFile holds what nobody may know while the run goes on, for whoever takes it
// up.
const SecretFile = "secret"

// KeepSecret writes the secret.
func (d *Folder) KeepSecret(secret [32]byte) error {
	return wholefile.WriteAs(filepath.Join(d.Path, SecretFile), []byte(hex.EncodeToString(secret[:])+"\n"), 0o600)
}

// Whole reports whether the folder has all that a run has when it is over.
func (d *Folder) Whole() bool {
	_, secret := os.Stat(filepath.Join(d.Path, SecretFile))
	_, summary := os.Stat(filepath.Join(d.Path, "summary.json"))
	return secret != nil && summary == nil
}

// Publish lets everybody read what a run that is over has kept.
func (d *Folder) Publish() error {
	err := os.Chmod(filepath.Join(d.Path, "journal"), 0o644)
	if d.Perm != OwnersOnly {
		return err
	}
	files, _ := filepath.Glob(filepath.Join(d.Path, "*", "*"))
	for _, name := range files {
		err = errors.Join(err, os.Chmod(name, 0o644))
	}
	return err
}

// ForgetSecret removes the secret of a run that is over: run.toml tells it.
func (d *Folder) ForgetSecret() error { return removed(filepath.Join(d.Path, SecretFile)) }

// File writes one file of the run so that it is there whole or not at all.
func (d *Folder) File(name string, data []byte) error {
	path := filepath.Join(d.Path, filepath.FromSlash(name))
	return wholefile.Write(path, data)
}

// Blocked reports whether several games share a file.
func (d *Folder) Blocked() bool { return d.games > manyGames }

// Add writes what belongs to a game, by its number from 0 and its name, into the folder sub: a
// File of its own or, in long runs, the end of the file of its block. Each game
// is added once to each folder.
func (d *Folder) Add(sub string, index int, id, ext string, data []byte) error {
	if !d.Blocked() {
		return wholefile.WriteAs(filepath.Join(d.Path, sub, id+ext), data, d.Perm)
	}
	name, first, last := d.BlockName(sub, index, ext)
	b := d.blocks[name]
	if b == nil {
		f, err := os.OpenFile(filepath.Join(d.Path, filepath.FromSlash(name)), os.O_WRONLY|os.O_CREATE|os.O_APPEND, d.Perm)
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

// BlockName is the file of the block that a game is in, with its first and last.
func (d *Folder) BlockName(sub string, index int, ext string) (name string, first, last int) {
	first = index - index%BlockGames
	last = min(first+BlockGames, d.games) - 1
	return sub + "/" + GameName(first) + "-" + GameName(last) + ext, first, last
}

// GameName is the name of a game by its number, from 0.
func GameName(index int) string { return fmt.Sprintf("%06d", index+1) }

// ReplayName names a game that is played again, the replays-th time.
func ReplayName(index, replays int) string {
	if replays == 0 {
		return GameName(index)
	}
	return fmt.Sprintf("%s-%d", GameName(index), replays+1)
}

// JSON writes one file of the run from a value.
func (d *Folder) JSON(name string, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return d.File(name, append(b, '\n'))
}

// Close ends the use of the folder by this run.
func (d *Folder) Close() error {
	err := d.Journal.Close()
	for _, b := range d.blocks {
		err = errors.Join(err, b.file.Close())
	}
	return errors.Join(err, filelock.Release(d.lock))
}

// Kept notes that an earlier run has kept a game in the file of its block.
func (d *Folder) Kept(sub string, index int, ext string) {
	name, _, _ := d.BlockName(sub, index, ext)
	d.present[name]++
}

// GameIndex returns the number of a game by its name, from 0.
func GameIndex(id string) (int, error) {
	number, _, _ := strings.Cut(id, "-")
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is no game of a run: they are numbered", id)
	}
	return n - 1, nil
}
