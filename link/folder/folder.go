// Package folder runs an engine in a private copy of its folder, for engines that
// are started for each question and talk through files: two games at once never meet,
// and the folder itself stays as it is.
package folder

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"kibitz/link"
	"kibitz/link/proc"
)

// MostFiles is how many files, folders and links a copy may have unless Spec says
// otherwise.
const MostFiles = 20_000

// Spec says what to copy and to run.
type Spec struct {
	// Process is the program as it would run in its own folder; its Dir is what is
	// copied, the folder of the executable if empty. A path and arguments that name
	// files in that folder name those of the copy instead.
	Process proc.Spec
	// MostBytes is how much may be copied, MostFiles how many files, folders and
	// links; zero files means the constant.
	MostBytes int64
	MostFiles int
	// Where is the folder in which copies are made, the system's one for such
	// things if empty.
	Where string
	// Warn is told of what is left out, one line each and in the end how much more;
	// it may be nil.
	Warn func(text string)
}

// mostWarnings is how many things that are left out are named.
const mostWarnings = 3

// Folder is a private copy. It is a protocol.Folder.
type Folder struct {
	path    string
	process proc.Spec
}

// Copy makes a private copy. Files keep their permissions. Links are copied where
// they stay inside the folder, and left out, like devices and pipes, where they do
// not. Errors are for people.
func Copy(ctx context.Context, s Spec) (*Folder, error) {
	if !filepath.IsAbs(s.Process.Path) {
		return nil, fmt.Errorf("cannot start %q: the path must be absolute", s.Process.Path)
	}
	dir := cmp.Or(s.Process.Dir, filepath.Dir(s.Process.Path))
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("cannot copy the engine's folder: %w", err)
	}
	defer func() { _ = root.Close() }()
	c := copier{ctx: ctx, root: root, warn: s.Warn}
	if err := c.list(dir, s.MostBytes, cmp.Or(s.MostFiles, MostFiles)); err != nil {
		return nil, err
	}
	if more := c.left - mostWarnings; more > 0 && s.Warn != nil {
		s.Warn(fmt.Sprintf("%d more links or devices are not in the engine's copy of its folder", more))
	}
	to, err := os.MkdirTemp(s.Where, "kibitz-engine-")
	if err != nil {
		return nil, fmt.Errorf("cannot make a private copy of %s: %w", dir, err)
	}
	if err := c.copy(to); err != nil {
		return nil, errors.Join(fmt.Errorf("cannot make a private copy of %s: %w", dir, err), os.RemoveAll(to))
	}
	f := &Folder{path: to, process: s.Process}
	f.process.Dir = to
	if f.process.Limits.ReadOnly {
		f.process.Limits.Writable = moveAll(dir, to, f.process.Limits.Writable)
	}
	f.process.Path = moved(dir, to, s.Process.Path)
	f.process.Args = moveAll(dir, to, s.Process.Args)
	return f, nil
}

// Path returns where the copy lies.
func (f *Folder) Path() string { return f.path }

// Dial starts the engine in the copy. What it prints is shown to the observer as
// printed, what is put there by Note as it is.
func (f *Folder) Dial(ctx context.Context) (link.Conn, error) {
	p := f.process
	observe := p.Options.Observe
	if observe == nil {
		c, err := proc.Start(ctx, p)
		if err != nil {
			return nil, err
		}
		return c, nil
	}
	c := &conn{now: p.Options.Now}
	c.observe = func(d link.Direction, at time.Time, line []byte) {
		c.mu.Lock()
		defer c.mu.Unlock()
		observe(d, at, line)
	}
	p.Options.Observe = func(d link.Direction, at time.Time, line []byte) {
		if d == link.Received {
			d = link.Printed
		}
		c.observe(d, at, line)
	}
	var err error
	if c.Conn, err = proc.Start(ctx, p); err != nil {
		return nil, err
	}
	return c, nil
}

// conn is a process that is observed.
type conn struct {
	*proc.Conn
	now     func() time.Time
	mu      sync.Mutex // two threads observe
	observe link.Observer
}

// Note shows the observer a line that went through a file.
func (c *conn) Note(d link.Direction, line []byte) { c.observe(d, c.now(), line) }

// Close removes the copy, also what the engine has put there.
func (f *Folder) Close() error {
	err := os.RemoveAll(f.path)
	if errors.Is(err, fs.ErrPermission) { // folders that the engine has locked
		_ = filepath.WalkDir(f.path, func(path string, d fs.DirEntry, _ error) error {
			if d != nil && d.IsDir() {
				_ = os.Chmod(path, 0o700)
			}
			return nil
		})
		err = os.RemoveAll(f.path)
	}
	return err
}

func moveAll(from, to string, paths []string) []string {
	out := make([]string, len(paths))
	for i, p := range paths {
		out[i] = moved(from, to, p)
	}
	return out
}

// moved returns where a file of the folder lies in the copy; what is not in the copy
// stays where it is.
func moved(from, to, path string) string {
	if !filepath.IsAbs(path) {
		return path
	}
	rel, err := filepath.Rel(from, path)
	if err != nil || !filepath.IsLocal(rel) {
		return path
	}
	copied := filepath.Join(to, rel)
	if _, err := os.Stat(copied); err != nil {
		return path
	}
	return copied
}

type copier struct {
	ctx   context.Context
	root  *os.Root
	warn  func(string)
	items []item
	left  int // out
}

// item is something to copy: a folder, a file or a link.
type item struct {
	path string // below the root
	mode fs.FileMode
}

func (c *copier) skip(path, why string) {
	if c.left++; c.warn != nil && c.left <= mostWarnings {
		c.warn(fmt.Sprintf("%s is not in the engine's copy of its folder: %s", path, why))
	}
}

// list finds what to copy and stops when it is too much.
func (c *copier) list(dir string, most int64, files int) error {
	var bytes int64
	return fs.WalkDir(c.root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil {
			err = c.ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("cannot copy the engine's folder: %w", err)
		}
		if path == "." {
			return nil
		}
		switch kind := d.Type(); {
		case kind == fs.ModeSymlink:
			if _, err := c.root.Stat(path); err != nil {
				c.skip(path, "the link leads out of the folder or nowhere")
				return nil
			}
		case !kind.IsDir() && !kind.IsRegular():
			c.skip(path, "it is no file")
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return fmt.Errorf("cannot copy the engine's folder: %w", err)
		}
		if info.Mode().IsRegular() {
			bytes += info.Size()
		}
		c.items = append(c.items, item{path, info.Mode()})
		if bytes > most || len(c.items) > files {
			return fmt.Errorf("the engine would run in a private copy of %s, which holds more than %d MB or %d files: give the engine a folder "+
				"of its own (dir=)",
				dir, most>>20, files)
		}
		return nil
	})
}

// copy makes everything anew.
func (c *copier) copy(to string) error {
	for _, it := range c.items {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		target := filepath.Join(to, filepath.FromSlash(it.path))
		var err error
		switch {
		case it.mode.IsDir():
			err = os.Mkdir(target, it.mode.Perm()|0o700)
		case it.mode.Type() == fs.ModeSymlink:
			var leads string
			if leads, err = c.root.Readlink(it.path); err == nil {
				err = os.Symlink(leads, target)
			}
		default:
			err = c.file(it, target)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *copier) file(it item, target string) error {
	in, err := c.root.Open(it.path)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(target, os.O_CREATE|os.O_EXCL|os.O_WRONLY, it.mode.Perm()|0o200)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
