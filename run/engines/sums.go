package engines

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// Sums are the SHA-256 of files, read again when inode, size or times have changed.
type Sums struct {
	now  func() time.Time
	mu   sync.Mutex
	list map[string]fileSum
}

type fileSum struct {
	is  fileState
	sum [sha256.Size]byte
}

// fileState tells one content of a file from another without reading it: whoever writes
// or replaces a file changes it. An owner who sets the times back cannot set back changed.
type fileState struct {
	device, inode uint64
	size          int64
	modified      time.Time
	changed       time.Time
}

// NewSums returns an empty list; now tells what time it is.
func NewSums(now func() time.Time) *Sums {
	return &Sums{now: now, list: map[string]fileSum{}}
}

// before reports whether a file was last changed before a time.
func (s *fileState) before(t time.Time) bool { return s.modified.Before(t) && s.changed.Before(t) }

// settled is how old the last change of a file must be for its sum to be kept: within the
// grain of its clock it may change once more unseen.
const settled = 2 * time.Second

func (f *Sums) file(path string) ([sha256.Size]byte, error) {
	in, err := os.Open(path)
	if err != nil {
		return [sha256.Size]byte{}, err
	}
	defer in.Close() //nolint:errcheck // only read
	info, err := in.Stat()
	if err != nil {
		return [sha256.Size]byte{}, err
	}
	is := stateOf(info)
	f.mu.Lock()
	known, ok := f.list[path]
	f.mu.Unlock()
	if ok && known.is == is {
		return known.sum, nil
	}
	h := sha256.New()
	if _, err := io.Copy(h, in); err != nil {
		return [sha256.Size]byte{}, err
	}
	sum := [sha256.Size]byte(h.Sum(nil))
	after, err := in.Stat()
	if err != nil {
		return sum, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if delete(f.list, path); stateOf(after) == is && is.before(f.now().Add(-settled)) {
		f.list[path] = fileSum{is, sum}
	}
	return sum, nil
}

// Engine returns what tells an engine from another of the same name: the SHA-256 of its
// program, of the files that its arguments name, and of all words that change how it
// plays.
func (f *Sums) Engine(e *Spec) (string, error) {
	sum, err := f.file(e.programFile())
	if err != nil {
		return "", fmt.Errorf("cannot be read for its hash: %w", err)
	}
	h := sha256.New()
	h.Write(sum[:])
	fmt.Fprintf(h, "\x00%q %q %q %d %d %d %d", e.Cmd[1:], e.Proto, e.Program.inner, e.Depth, e.Nodes, e.Threads, e.Memory)
	for _, o := range e.Options {
		fmt.Fprintf(h, " %q=%q", o.Key, o.Value)
	}
	for _, key := range slices.Sorted(maps.Keys(e.Dialect)) {
		fmt.Fprintf(h, " %q=%q", key, e.Dialect[key])
	}
	if e.Program.archive == "" {
		for _, name := range e.argumentFiles() {
			if sum, err = f.file(name); err != nil {
				return "", fmt.Errorf("%s cannot be read for its hash: %w", name, err)
			}
			h.Write(sum[:])
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// programFile is the file of the program, or the archive in which it lies.
func (e *Spec) programFile() string {
	if e.Program.archive != "" {
		return e.Program.archive
	}
	return e.Cmd[0]
}

// Files are the files of a program, and those that its arguments name, unless it learns: then it
// may write them itself.
func (e *Spec) Files() []string {
	switch {
	case len(e.Cmd) == 0:
		return nil
	case e.Program.archive != "" || e.Learn || e.Keep:
		return []string{e.programFile()}
	}
	return append([]string{e.programFile()}, e.argumentFiles()...)
}

// argumentFiles are the files that the arguments of a command name: a script behind its
// interpreter is the program.
func (e *Spec) argumentFiles() (out []string) {
	for _, word := range e.Cmd[1:] {
		if !filepath.IsAbs(word) {
			word = filepath.Join(e.Dir, word)
		}
		if info, err := os.Stat(word); err == nil && info.Mode().IsRegular() {
			out = append(out, word)
		}
	}
	return out
}
