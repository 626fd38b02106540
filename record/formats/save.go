package formats

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/internal/wholefile"
	"kibitz/record"
	"kibitz/record/replay"
)

// Written is a file as it was written.
type Written struct {
	Name string
	Data []byte
}

// Save writes games into a file and returns what was written. Files that belong to it
// are written beside it. Errors name the file.
func (f *Format) Save(name string, list []*record.Game) (Written, error) {
	var b bytes.Buffer
	if err := f.Write(&b, list); err != nil {
		return Written{}, fmt.Errorf("%s: %w", name, err)
	}
	out := Written{name, b.Bytes()}
	if err := wholefile.Write(name, out.Data); err != nil || f.Beside == nil {
		return out, err
	}
	files, err := f.Beside(list)
	if err != nil {
		return out, fmt.Errorf("%s: %w", name, err)
	}
	for ext, data := range files {
		if err == nil {
			err = wholefile.Write(strings.TrimSuffix(name, filepath.Ext(name))+ext, data)
		}
	}
	return out, err
}

// CanSave returns why games could not be saved in a file, before they are complete.
func (f *Format) CanSave(name string, list []*record.Game) error {
	if st, err := os.Stat(filepath.Dir(name)); err != nil {
		return err
	} else if !st.IsDir() {
		return fmt.Errorf("%s is no folder", filepath.Dir(name))
	}
	return f.Write(io.Discard, list)
}

// Lost returns what games have that the files do not hold, each of which has one of the
// games, or one has all of them. Files are read as anybody would read them who knows which
// game they are of; an error is of a file that cannot be.
func (f *Format) Lost(list []*record.Game, files ...Written) ([]record.Loss, error) {
	var back []*record.Game
	for i, file := range files {
		of := list
		if len(files) > 1 {
			of = list[i : i+1]
		}
		games, err := f.readBack(file.Name, file.Data, soleSpec(of))
		if err != nil {
			return nil, record.InFile(file.Name, err)
		}
		back = append(back, games...)
	}
	return record.Lost(list, back), nil
}

// soleSpec is the game of all of the list, without its options where they differ.
func soleSpec(list []*record.Game) game.Spec {
	if len(list) == 0 {
		return ""
	}
	spec := list[0].Spec
	if slices.ContainsFunc(list, func(g *record.Game) bool { return g.Spec != spec }) {
		return game.Spec(spec.ID())
	}
	return spec
}

// readBack returns the games of a written file as the rules complete them, with the
// options that the file itself tells.
func (f *Format) readBack(name string, data []byte, spec game.Spec) ([]*record.Game, error) {
	told, err := f.Read(name, data, game.Spec(spec.ID()))
	// The options may be needed to understand the moves, or for any of them to be on the board.
	list, faults := f.Read(name, data, withoutSwap(spec))
	if faults != nil || err == nil && len(list) != len(told) {
		return told, err
	}
	for i, g := range list {
		if l, err := replay.Play(g, f.open); err == nil {
			list[i] = l.Record()
		}
		own := game.Spec(spec.ID())
		if err == nil {
			own = told[i].Spec
		}
		if r, err := f.open(own); err == nil {
			list[i].Spec = r.Spec()
		}
	}
	return list, nil
}

// Replayed returns games as the rules complete them: with passes, seats and results that a format
// leaves out. Those that are not legal are shown to illegal with what is wrong; they are left out
// unless it takes them, as far as they are.
func (s *Set) Replayed(file string, list []*record.Game, illegal func(error) (take bool)) ([]*record.Game, error) {
	done := make([]*record.Game, 0, len(list))
	for i, g := range list {
		l, err := replay.Play(g, s.open)
		if err != nil {
			return nil, record.InFile(file, err)
		}
		if l.Illegal == nil || illegal(record.InFile(Label(file, i, len(list), g), l.Illegal)) {
			done = append(done, l.Record())
		}
	}
	return done, nil
}

// SaveAll writes each game into a file of its own in a folder, which is made if there is none; all
// can be written, or none is.
func (f *Format) SaveAll(folder string, list []*record.Game) ([]Written, error) {
	for _, g := range list {
		if err := f.Write(io.Discard, []*record.Game{g}); err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	files := make([]Written, len(list))
	for i, g := range list {
		var err error
		if files[i], err = f.Save(NewName(folder, f.FileName(g)), []*record.Game{g}); err != nil {
			return nil, err
		}
	}
	return files, nil
}
