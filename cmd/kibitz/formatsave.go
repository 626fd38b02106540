package main

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/record"
	"kibitz/replay"
)

// written is a file as it was written.
type written struct {
	name string
	data []byte
}

// save writes games into a file and returns what was written. Files that belong to it
// are written beside it.
func (f format) save(name string, list []*record.Game) (written, error) {
	var b bytes.Buffer
	if err := f.write(&b, list); err != nil {
		return written{}, err
	}
	out := written{name, b.Bytes()}
	if err := writeWhole(name, out.data); err != nil || f.beside == nil {
		return out, err
	}
	files, err := f.beside(list)
	for ext, data := range files {
		if err == nil {
			err = writeWhole(strings.TrimSuffix(name, filepath.Ext(name))+ext, data)
		}
	}
	return out, err
}

// tellLost says what games have that the file of the name does not hold, a line for
// each kind. The file is read as anybody would read it who knows which game it is of.
func (f format) tellLost(w io.Writer, name string, list []*record.Game, files ...written) {
	var back []*record.Game
	for i, file := range files {
		of := list
		if len(files) > 1 {
			of = list[i : i+1]
		}
		games, err := f.readBack(file.name, file.data, soleSpec(of))
		if err != nil {
			fmt.Fprintf(w, "kibitz: %s: what was written cannot be read whole: %s\n", file.name, oneLine(err))
			return
		}
		back = append(back, games...)
	}
	for _, l := range record.Lost(list, back) {
		fmt.Fprintf(w, "kibitz: lost or changed in %s: %s, %s\n", name, l.What, count(l.Games, "game"))
	}
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
func (f format) readBack(name string, data []byte, spec game.Spec) ([]*record.Game, error) {
	told, err := f.read(name, data, game.Spec(spec.ID()))
	if err != nil {
		return nil, err
	}
	// The options may be needed to understand the moves.
	list, err := f.read(name, data, withoutSwap(spec))
	if err != nil || len(list) != len(told) {
		return told, err
	}
	for i, g := range list {
		if l, err := replay.Play(g, completed); err == nil {
			list[i] = l.Record()
		}
		if r, err := completed(told[i].Spec); err == nil {
			list[i].Spec = r.Spec()
		}
	}
	return list, nil
}
