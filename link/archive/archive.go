// Package archive unpacks engines that come as ZIP files, as Gomocup hands them out,
// and chooses the program among what is in one.
//
// An archive is as little trusted as the engine in it: names that lead out of the
// folder, links, devices, more files or bytes than a limit, passwords and unknown
// compression are refused before anything is written, and nothing is written beyond
// the sizes that the archive itself names.
package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// What an archive may hold: the largest engines of the field have networks of some
// hundred megabytes.
const (
	MostFiles = 5000
	MostBytes = 2 << 30
)

// Archive is an archive whose list of files is known to be harmless.
type Archive struct {
	// Hash is the SHA-256 of the file, in hexadecimal.
	Hash  string
	file  *os.File
	files []file
}

// file is something in the archive: its clean name with slashes, and where it is.
type file struct {
	name string
	zip  *zip.File
}

// Open reads the list of files of an archive. Errors are for people.
func Open(name string) (*Archive, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	a, err := read(f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	a.file = f
	return a, nil
}

// Close closes the file.
func (a *Archive) Close() error { return a.file.Close() }

func read(f *os.File) (*Archive, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return nil, err
	}
	files, err := list(f, st.Size())
	return &Archive{Hash: hex.EncodeToString(sum.Sum(nil)), files: files}, err
}

// list returns what is in an archive, or why it is refused.
func list(r io.ReaderAt, size int64) ([]file, error) {
	z, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, fmt.Errorf("it is no ZIP file that can be read: %w", err)
	}
	if len(z.File) > MostFiles {
		return nil, fmt.Errorf("it holds %d files, more than %d", len(z.File), MostFiles)
	}
	var files []file
	seen := map[string]string{}
	total := uint64(0)
	for _, zf := range z.File {
		f := file{strings.TrimSuffix(strings.ReplaceAll(zf.Name, `\`, "/"), "/"), zf}
		if err := f.check(zf.Name); err != nil {
			return nil, err
		}
		f.name = path.Clean(f.name)
		if f.name == "." {
			continue
		}
		key := strings.ToLower(f.name)
		if other, twice := seen[key]; twice && (!f.isDir() || other != f.name) {
			return nil, fmt.Errorf("it holds %q twice", f.name)
		}
		seen[key] = f.name
		if total += zf.UncompressedSize64; zf.UncompressedSize64 > MostBytes || total > MostBytes {
			return nil, fmt.Errorf("what it holds is larger than %d MB", MostBytes>>20)
		}
		files = append(files, f)
	}
	return files, checkTree(files)
}

// flagEncrypted is the bit of a file that needs a password.
const flagEncrypted = 0x1

func (f *file) check(told string) error {
	switch mode := f.zip.Mode(); {
	case strings.ContainsFunc(f.name, unicode.IsControl) || !filepath.IsLocal(filepath.FromSlash(f.name)) || hasDrive(f.name):
		return fmt.Errorf("the name %q leads out of the folder", told)
	case len(f.name) > 1000:
		return fmt.Errorf("the name %.40q... is too long", told)
	case mode&fs.ModeSymlink != 0:
		return fmt.Errorf("%q is a symbolic link, which archives of engines may not hold", told)
	case mode.Type() != 0 && !mode.IsDir():
		return fmt.Errorf("%q is neither a file nor a folder", told)
	case f.zip.Flags&flagEncrypted != 0:
		return fmt.Errorf("%q is locked by a password: unlock the archive and pack it anew", told)
	case f.zip.Method != zip.Store && f.zip.Method != zip.Deflate:
		return fmt.Errorf("%q is packed by method %d; only stored and deflated files can be unpacked", told, f.zip.Method)
	}
	return nil
}

// hasDrive reports whether a name begins with the letter of a drive.
func hasDrive(name string) bool { return len(name) > 1 && name[1] == ':' }

func (f *file) isDir() bool {
	return f.zip.Mode().IsDir() || strings.HasSuffix(f.zip.Name, "/") || strings.HasSuffix(f.zip.Name, `\`)
}

// checkTree refuses a file that is also the folder of another one.
func checkTree(files []file) error {
	plain := map[string]bool{}
	for _, f := range files {
		if !f.isDir() {
			plain[strings.ToLower(f.name)] = true
		}
	}
	for _, f := range files {
		for dir := path.Dir(f.name); dir != "."; dir = path.Dir(dir) {
			if plain[strings.ToLower(dir)] {
				return fmt.Errorf("%q is a file and the folder of %q", dir, f.name)
			}
		}
	}
	return nil
}

// Unpack writes everything into a folder, which must not exist and is there whole or
// not at all. Programs can be executed, whatever the archive says of them.
func (a *Archive) Unpack(ctx context.Context, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	part, err := os.MkdirTemp(filepath.Dir(to), ".unpack-")
	if err != nil {
		return err
	}
	if err = os.Chmod(part, 0o755); err == nil {
		err = a.write(ctx, part)
	}
	if err == nil {
		err = os.Rename(part, to)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(part))
	}
	return nil
}

func (a *Archive) write(ctx context.Context, to string) error {
	root, err := os.OpenRoot(to)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	for _, f := range a.files {
		if err := ctx.Err(); err != nil {
			return err
		}
		name := filepath.FromSlash(f.name)
		dir := name
		if !f.isDir() {
			dir = filepath.Dir(name)
		}
		if err := root.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		if f.isDir() {
			continue
		}
		if err := f.write(root, name); err != nil {
			return fmt.Errorf("cannot unpack %q: %w", f.name, err)
		}
	}
	return nil
}

func (f *file) write(root *os.Root, name string) error {
	in, err := f.zip.Open()
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	head := make([]byte, 4)
	n, err := io.ReadFull(in, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	perm := fs.FileMode(0o644)
	if f.zip.Mode()&0o100 != 0 || startable(head[:n]) {
		perm = 0o755
	}
	out, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, perm)
	if err != nil {
		return err
	}
	_, err = out.Write(head[:n])
	if err == nil {
		// One byte more than is named shows that the archive lies.
		var rest int64
		rest, err = io.Copy(out, io.LimitReader(in, int64(f.zip.UncompressedSize64)-int64(n)+1))
		if size := rest + int64(n); err == nil && size != int64(f.zip.UncompressedSize64) {
			err = fmt.Errorf("it has another size than the archive names (%d bytes)", f.zip.UncompressedSize64)
		}
	}
	return errors.Join(err, out.Close())
}

// startable reports whether a file begins as a program does: of Windows, Linux, macOS,
// or a script.
func startable(head []byte) bool {
	return slices.ContainsFunc([]string{"MZ", "\x7fELF", "#!", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe"}, func(magic string) bool {
		return bytes.HasPrefix(head, []byte(magic))
	})
}
