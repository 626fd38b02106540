package guard

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// world is a file system made for one engine: an empty root in which nothing is but
// what is bound there. What it does not hold cannot be opened, locked, leased, watched
// or named.
type world struct {
	// Root is an empty folder on which the new root is mounted, Settings what is its
	// /etc.
	Root, Settings string
	// Dir is the engine's working folder, Session whether it leads a session, as it
	// was to be started without a world.
	Dir     string
	Session bool
	// Isolated gives the engine numbers of processes of its own, of which it sees no
	// others, and a first process at whose death all of them end.
	Isolated bool
}

// place is a path of the world and how it is there. What lies deeper goes over what is
// less deep.
type place struct {
	path string
	how  showing
}

// showing is how a path of a world is there.
type showing int

const (
	shown   showing = iota // as it is, read-only
	own                    // as it is
	device                 // as it is, a device
	covered                // empty
)

// places are what the plan has in its world, parents first.
func (p *plan) places() []place {
	var out []place
	add := func(k showing, list []string) {
		for _, path := range list {
			out = append(out, place{path, k})
		}
	}
	add(shown, p.Readable)
	add(own, p.Writable)
	add(covered, p.Hidden)
	add(device, devices)
	slices.SortStableFunc(out, func(a, b place) int {
		return len(wordsOf(a.path)) - len(wordsOf(b.path))
	})
	return out
}

// enter makes the world and moves this process into it, for good. An error leaves it
// anywhere between.
func (p *plan) enter(words io.Writer) error {
	w := p.World
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_SLAVE, ""); err != nil {
		return fmt.Errorf("the mounts cannot be parted from the machine's: %w", err)
	}
	if err := emptyRoot(w.Root); err != nil {
		return err
	}
	b := builder{root: w.Root, words: words}
	if err := b.settings(w.Settings); err != nil {
		return err
	}
	for _, at := range p.places() {
		if err := b.add(at); err != nil {
			return fmt.Errorf("%s: %w", at.path, err)
		}
	}
	if err := b.system(w.Isolated); err != nil {
		return err
	}
	if err := errors.Join(unix.Chdir(w.Root), unix.PivotRoot(".", "."), unix.Unmount(".", unix.MNT_DETACH)); err != nil {
		return fmt.Errorf("the root cannot be changed: %w", err)
	}
	for _, made := range append(b.covers, "/") {
		if err := unix.MountSetattr(unix.AT_FDCWD, made, 0, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}); err != nil {
			return fmt.Errorf("%s cannot be made read-only: %w", made, err)
		}
	}
	return os.Chdir(w.Dir)
}

// emptyRoot mounts an empty file system that holds names alone.
func emptyRoot(at string) error {
	if err := unix.Mount("kibitz", at, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=0755,size=1m"); err != nil {
		return fmt.Errorf("no file system can be mounted: %w", err)
	}
	return nil
}

// builder puts places into a new root, before this process moves there.
type builder struct {
	root  string
	words io.Writer
	// done are the paths that were put there, covers the empty ones.
	done   []place
	covers []string
}

// add puts one place into the root. What is not on this machine is left out.
func (b *builder) add(at place) error {
	if at.how == covered {
		if over := b.over(at.path); over.path == "" || over.how == covered {
			return nil // it is not there
		}
		return b.cover(at.path)
	}
	path, err := b.reach(at.path)
	if err != nil {
		return ignoreAbsent(err)
	}
	over := b.over(path)
	switch at.how {
	case shown:
		if over.path != "" && over.how != covered {
			return nil // it is there, read-only or better
		}
	case own:
		if over.how == own && over.path != "" {
			return nil
		}
	}
	if err := bind(path, filepath.Join(b.root, path), at.how); err != nil {
		return ignoreAbsent(err)
	}
	b.done = append(b.done, place{path, at.how})
	return nil
}

// settings makes the root's /etc.
func (b *builder) settings(from string) error {
	etc := filepath.Join(b.root, "etc")
	if err := os.Mkdir(etc, 0o755); err != nil {
		return err
	}
	if err := bind(from, etc, own); err != nil {
		return fmt.Errorf("/etc %w", err)
	}
	b.done, b.covers = append(b.done, place{"/etc", covered}), append(b.covers, "/etc")
	return nil
}

// over returns the deepest place in which a path lies, its own one included; its path is
// empty if there is none.
func (b *builder) over(path string) place {
	var out place
	for _, d := range b.done {
		if below(path, d.path) && len(d.path) >= len(out.path) {
			out = d
		}
	}
	return out
}

// cover makes a folder or file empty.
func (b *builder) cover(path string) error {
	at := filepath.Join(b.root, path)
	st, err := os.Stat(at)
	if err != nil {
		return ignoreAbsent(err)
	}
	b.done = append(b.done, place{path, covered})
	if !st.IsDir() {
		return bind(os.DevNull, at, covered)
	}
	b.covers = append(b.covers, path)
	return emptyRoot(at)
}

func ignoreAbsent(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) && !errors.Is(err, unix.EPERM) {
		return nil
	}
	return err
}

// mostLinks is how many symbolic links a path may lead through.
const mostLinks = 40

// reach makes the folders of a path in the root, and the symbolic links that it leads
// through, and returns where it leads in the end. A place for a folder or a file is
// made there, unless it lies in what is there already.
func (b *builder) reach(path string) (string, error) {
	words, at := wordsOf(path), "/"
	for links := 0; len(words) > 0; {
		next := filepath.Join(at, words[0])
		st, err := os.Lstat(next)
		if err != nil {
			return "", err
		}
		words = words[1:]
		there := filepath.Join(b.root, next)
		inside := b.over(next)
		known := inside.path != "" && inside.how != covered
		switch {
		case st.Mode()&fs.ModeSymlink != 0:
			to, err := os.Readlink(next)
			if links++; err != nil || links > mostLinks {
				return "", fs.ErrNotExist
			}
			if !known {
				_ = os.Symlink(to, there)
			}
			if !filepath.IsAbs(to) {
				to = filepath.Join(at, to)
			}
			words, at = append(wordsOf(to), words...), "/"
		default:
			if !known {
				if err := hollow(there, st); err != nil {
					return "", err
				}
			}
			at = next
		}
	}
	return at, nil
}

// wordsOf are the names of an absolute path.
func wordsOf(path string) []string {
	return strings.FieldsFunc(filepath.Clean(path), func(r rune) bool { return r == filepath.Separator })
}

// hollow makes an empty folder or file like another one, unless it is there.
func hollow(path string, like fs.FileInfo) error {
	var err error
	if like.IsDir() {
		if err = os.Mkdir(path, 0o700); err == nil {
			err = os.Chmod(path, like.Mode().Perm()|0o500)
		}
	} else {
		var f *os.File
		if f, err = os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600); err == nil {
			err = f.Close()
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// bind shows a path at another one, with all that is mounted below.
func bind(from, to string, k showing) error {
	fd, err := unix.OpenTree(unix.AT_FDCWD, from, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
	if err != nil {
		return fmt.Errorf("cannot be cloned: %w", err)
	}
	defer func() { _ = unix.Close(fd) }()
	set := uint64(unix.MOUNT_ATTR_NOSUID)
	if k == shown || k == covered {
		set |= unix.MOUNT_ATTR_RDONLY
	}
	if k != device {
		set |= unix.MOUNT_ATTR_NODEV
	}
	if err := unix.MountSetattr(fd, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: set}); err != nil {
		return fmt.Errorf("cannot be made read-only: %w", err)
	}
	if err := unix.MoveMount(fd, "", unix.AT_FDCWD, to, unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
		return fmt.Errorf("cannot be mounted: %w", err)
	}
	return nil
}

// system adds what the kernel makes.
func (b *builder) system(isolated bool) error {
	proc := filepath.Join(b.root, "proc")
	if err := os.Mkdir(proc, 0o555); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if isolated {
		if err := unix.Unshare(unix.CLONE_NEWPID); err != nil {
			return fmt.Errorf("processes cannot have numbers of their own: %w", err)
		}
		pid, err := first(proc)
		if pid != 0 {
			say(b.words, word{First: pid})
		}
		if err != nil {
			return err
		}
	} else if err := bind("/proc", proc, shown); err != nil {
		return fmt.Errorf("/proc %w", err)
	}
	for name, to := range map[string]string{
		"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1",
		"stderr": "/proc/self/fd/2",
	} {
		_ = os.Symlink(to, filepath.Join(b.root, "dev", name))
	}
	return nil
}
