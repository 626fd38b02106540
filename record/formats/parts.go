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
const partBytes = 1 << 18

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

// ReadParts hands on the games of a file that is there as bytes, as Read returns them and
// LoadParts hands them on.
func (s *Set) ReadParts(name string, data []byte, spec game.Spec, id string, each func([]*record.Game) bool) error {
	if f, err := s.Find(name, id); err == nil && f.Lines && (spec == "" || f.Check(spec.ID()) == nil) {
		return s.parts(bytes.NewReader(data), name, f, partBytes, each)
	}
	list, err := s.Read(name, data, spec, id)
	each(list)
	return err
}

// part is what was read of a file of lines.
type part struct {
	list []*record.Game
	errs []error
	last bool
}

// parts reads a file of lines, so many bytes at a time or one line: a part is read while
// each has the one before.
func (s *Set) parts(in io.Reader, name string, f Format, size int, each func([]*record.Game) bool) error {
	ahead, stop, ended := make(chan part), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		s.readParts(in, name, f, size, func(p part) bool {
			select {
			case ahead <- p:
				return true
			case <-stop:
				return false
			}
		})
	}()
	defer func() {
		close(stop)
		<-ended // the file is closed behind it
	}()
	var errs []error
	for games := 0; ; {
		p := <-ahead
		errs = append(errs, p.errs...)
		games += len(p.list)
		if more := each(p.list); !more || p.last {
			if more && games == 0 && len(errs) == 0 {
				return fmt.Errorf("%s holds no game", name)
			}
			return errors.Join(errs...)
		}
	}
}

// readParts calls each with the parts of a file until it returns false; the last is marked.
func (s *Set) readParts(in io.Reader, name string, f Format, size int, each func(part) bool) {
	lines := 0
	for rest := []byte(nil); ; {
		more, err := io.ReadAll(io.LimitReader(in, int64(size)))
		if err != nil {
			each(part{errs: []error{err}, last: true})
			return
		}
		text := slices.Concat(rest, more)
		end := len(text)
		if len(more) == size { // else it is all
			end = bytes.LastIndexByte(text, '\n') + 1
		}
		rest = bytes.Clone(text[end:])
		p := part{last: len(more) < size}
		p.list, err = f.Read(name, text[:end], "")
		for _, g := range p.list {
			g.Line += lines
		}
		if err != nil {
			p.errs = []error{record.InFile(name, record.Below(err, lines))}
		}
		lines += bytes.Count(text[:end], []byte("\n"))
		if !each(p) || p.last {
			return
		}
	}
}
