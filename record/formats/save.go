package formats

import (
	"bytes"
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
// are written beside it.
func (f *Format) Save(name string, list []*record.Game) (Written, error) {
	var b bytes.Buffer
	if err := f.Write(&b, list); err != nil {
		return Written{}, err
	}
	out := Written{name, b.Bytes()}
	if err := wholefile.Write(name, out.Data); err != nil || f.Beside == nil {
		return out, err
	}
	files, err := f.Beside(list)
	for ext, data := range files {
		if err == nil {
			err = wholefile.Write(strings.TrimSuffix(name, filepath.Ext(name))+ext, data)
		}
	}
	return out, err
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
	if err != nil {
		return nil, err
	}
	// The options may be needed to understand the moves.
	list, err := f.Read(name, data, withoutSwap(spec))
	if err != nil || len(list) != len(told) {
		return told, err
	}
	for i, g := range list {
		if l, err := replay.Play(g, f.open); err == nil {
			list[i] = l.Record()
		}
		if r, err := f.open(told[i].Spec); err == nil {
			list[i].Spec = r.Spec()
		}
	}
	return list, nil
}
