package wine

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"kibitz/internal/wholefile"
)

// idle are the services that Wine starts with every Windows and that no engine needs:
// drives that come and go, hardware, networks, the log of events. Without them an engine
// starts in a third of the time.
var idle = []string{"Eventlog", "MountMgr", "NDIS", "nsiproxy", "PlugPlay", "winebus"}

// Where the folders of system programs and of users lie in a prefix.
const (
	windowsFolder = "drive_c/windows"
	usersFolder   = "drive_c/users"
)

// reduce makes a prefix small and quiet: system files that Wine has copied become links
// to its own, services that nobody needs are switched off, folders of the user become
// folders of the prefix. What Wine lacks is added.
func reduce(prefix string, libraries []string) error {
	if err := linkSystem(filepath.Join(prefix, windowsFolder), libraries); err != nil {
		return err
	}
	if err := ownFolders(filepath.Join(prefix, usersFolder)); err != nil {
		return err
	}
	if err := addForwards(prefix); err != nil {
		return err
	}
	registry := filepath.Join(prefix, "system.reg")
	b, err := os.ReadFile(registry)
	if err != nil {
		return err
	}
	return os.WriteFile(registry, switchOff(b, idle), 0o600)
}

// switchOff disables services in the text of a registry.
func switchOff(registry []byte, services []string) []byte {
	for _, name := range services {
		key := regexp.MustCompile(`(?i)(\n\[System\\\\CurrentControlSet\\\\Services\\\\` + regexp.QuoteMeta(name) +
			`\][^\[]*?"Start"=dword:)0000000[0-3]`)
		registry = key.ReplaceAll(registry, []byte("${1}00000004"))
	}
	return registry
}

// linkSystem replaces files that are copies of those in a library folder by links.
func linkSystem(root string, libraries []string) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		for _, dir := range libraries {
			original := filepath.Join(dir, d.Name())
			if !sameFile(original, path) {
				continue
			}
			if err := os.Remove(path); err != nil {
				return err
			}
			return os.Symlink(original, path)
		}
		return nil
	})
}

// sameFile reports whether two files hold the same.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	if err != nil || x.Size() != y.Size() {
		return false
	}
	fa, err := os.Open(a)
	if err != nil {
		return false
	}
	defer func() { _ = fa.Close() }()
	fb, err := os.Open(b)
	if err != nil {
		return false
	}
	defer func() { _ = fb.Close() }()
	const piece = 256 << 10
	pa, pb := make([]byte, piece), make([]byte, piece)
	for {
		n, errA := io.ReadFull(fa, pa)
		m, errB := io.ReadFull(fb, pb)
		if n != m || !bytes.Equal(pa[:n], pb[:m]) {
			return false
		}
		if errA != nil || errB != nil {
			return ended(errA) && ended(errB)
		}
	}
}

func ended(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

// ownFolders makes folders of what leads out of the users' folders.
func ownFolders(root string) error {
	if !wholefile.IsFolder(root) {
		return nil
	}
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Type() != fs.ModeSymlink {
			return err
		}
		if err := os.Remove(path); err != nil {
			return err
		}
		return os.Mkdir(path, 0o700)
	})
}

// addForwards adds the libraries that this Wine does not have.
func addForwards(prefix string) error {
	for width, folder := range map[int]string{64: "system32", 32: "syswow64"} {
		dir := filepath.Join(prefix, windowsFolder, folder)
		if width == 32 && !wholefile.IsFolder(dir) {
			continue // a Windows of 64 bits alone
		}
		if width == 64 && !holdsWidth(dir, 64) {
			width = 32 // a Windows of 32 bits
		}
		for _, f := range forwards {
			path := filepath.Join(dir, f.library)
			if _, err := os.Stat(path); err == nil {
				continue
			}
			if err := os.WriteFile(path, f.bytes(width), 0o600); err != nil {
				return fmt.Errorf("cannot add %s: %w", f.library, err)
			}
		}
	}
	return nil
}

// holdsWidth reports whether a system folder holds programs of a width.
func holdsWidth(dir string, width int) bool {
	p, err := Open(filepath.Join(dir, "cmd.exe"))
	return err == nil && p.Width == width
}

// copyTree copies a prefix: registry and the users' folders in truth, what belongs to
// the system as links, since no engine has reason to change it.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case d.IsDir():
			return os.MkdirAll(target, 0o700)
		case d.Type() == fs.ModeSymlink:
			leads, err := os.Readlink(path)
			if err != nil {
				return err
			}
			return os.Symlink(leads, target)
		case !d.Type().IsRegular():
			return nil
		case strings.HasPrefix(rel, "drive_c"+string(filepath.Separator)) && !strings.HasPrefix(rel, filepath.FromSlash(usersFolder)):
			return os.Symlink(path, target)
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		// Debian's Wine trusts the file that names its server's folder if only its
		// owner can read it and nobody can write it.
		return os.WriteFile(target, b, info.Mode().Perm()&0o700)
	})
}
