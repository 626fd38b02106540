package formats

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"kibitz/game"
	"kibitz/internal/wholefile"
	"kibitz/record"
)

// partBytes is how much of a file in parts is read at a time.
const partBytes = 1 << 20

// LoadParts hands on the games of a file in order, as Load returns them, until each returns
// false. A file whose format has one line for each game is read by and by, so that it takes
// a few megabytes however long it is; all others come whole.
func (s *Set) LoadParts(stdin io.Reader, name, spec, id string, each func([]*record.Game) bool) error {
	if f, err := s.Find(name, id); err == nil && f.Lines && name != "-" && !wholefile.IsFolder(name) {
		if spec != "" {
			if _, err := s.open(game.Spec(spec)); err != nil {
				return err
			}
		}
		in, err := os.Open(name)
		if err != nil {
			return err
		}
		defer in.Close() //nolint:errcheck // it is only read
		return s.parts(in, name, f, partBytes, each)
	}
	list, err := s.Load(stdin, name, spec, id)
	each(list)
	return err
}

// parts reads a file of lines, so many bytes at a time or one line.
func (s *Set) parts(in io.Reader, name string, f Format, size int, each func([]*record.Game) bool) error {
	var errs []error
	games, lines := 0, 0
	for rest := []byte(nil); ; {
		more, err := io.ReadAll(io.LimitReader(in, int64(size)))
		if err != nil {
			return errors.Join(append(errs, err)...)
		}
		part := slices.Concat(rest, more)
		end := len(part)
		if len(more) == size { // else it is all
			end = bytes.LastIndexByte(part, '\n') + 1
		}
		rest = bytes.Clone(part[end:])
		list, err := f.Read(name, part[:end], "")
		for _, g := range list {
			g.Line += lines
		}
		if err != nil {
			errs = append(errs, record.InFile(name, record.Below(err, lines)))
		}
		lines += bytes.Count(part[:end], []byte("\n"))
		games += len(list)
		if len(more) < size {
			each(list)
			break
		}
		if !each(list) {
			return errors.Join(errs...)
		}
	}
	if games == 0 && len(errs) == 0 {
		return fmt.Errorf("%s holds no game", name)
	}
	return errors.Join(errs...)
}
