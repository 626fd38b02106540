package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kibitz/record"
	"kibitz/rules"
)

// recordFile is a file of --record. Where the format allows it each game is
// written as it ends; else all are written at the end, or each into a file of its
// own. A name without an extension that is the name of a format (ccgc) is a folder
// with a file for each game.
type recordFile struct {
	name   string
	format format
	folder bool
	file   *os.File
	isNew  bool
	// games wait for the end, in formats that cannot be appended to.
	games []*record.Game
}

// newRecordFile opens a file of --record after checking that its format can hold
// the games: nobody should learn that after the match.
func newRecordFile(name string, r rules.Rules, games int) (*recordFile, error) {
	var err error
	f, folder := folderFormat(name, "")
	if !folder {
		if f, err = formatOf(name, ""); err != nil {
			return nil, fmt.Errorf("--record %w", err)
		}
	}
	if f.write == nil {
		return nil, fmt.Errorf("--record %s: format %s can only be read", name, f.id)
	}
	if id := r.Spec().ID(); len(f.games) > 0 && !slices.Contains(f.games, id) {
		return nil, fmt.Errorf("--record %s: format %s holds games of %s, not of %s", name, f.id, strings.Join(f.games, " "), id)
	}
	if err := f.write(&bytes.Buffer{}, []*record.Game{sample(r)}); err != nil {
		return nil, fmt.Errorf("--record %s: %w", name, err)
	}
	if folder {
		if err := os.MkdirAll(name, 0o755); err != nil {
			return nil, fmt.Errorf("--record: %w", err)
		}
		return &recordFile{name: name, format: f, folder: true}, nil
	}
	f.single = f.single && games > 1
	out := &recordFile{name: name, format: f}
	target := name
	if f.single {
		target = out.numbered(gameName(0))
	}
	_, err = os.Stat(target)
	out.isNew = errors.Is(err, os.ErrNotExist)
	if out.file, err = os.OpenFile(target, os.O_CREATE|os.O_WRONLY, 0o644); err != nil {
		return nil, fmt.Errorf("--record: %w", err)
	}
	if f.single { // that it can be made is all that was to be known
		out.discard()
	}
	return out, nil
}

// sample is a short game that reaches the corners of the board, where a format
// runs out of letters or digits first.
func sample(r rules.Rules) *record.Game {
	g := &record.Game{Spec: r.Spec(), ID: "1", Names: [2]string{"first", "second"}}
	s := r.New()
	for last := range 2 {
		turn := s.Turn()
		legal := s.Legal(nil)
		if !turn.Seat.IsPlayer() || len(legal) == 0 {
			break
		}
		m := legal[last*(len(legal)-1)]
		if _, err := s.Apply(m, nil); err != nil {
			break
		}
		g.Steps = append(g.Steps, record.Step{By: turn.Seat, Move: m})
	}
	return g
}

// numbered is the name of the file of one game: game.psq, game-000001.psq.
func (f *recordFile) numbered(id string) string {
	ext := filepath.Ext(f.name)
	return strings.TrimSuffix(f.name, ext) + "-" + id + ext
}

// discard gives the file up before anything was written.
func (f *recordFile) discard() {
	if f.folder {
		os.Remove(f.name) //nolint:errcheck // it stays if it holds anything
		return
	}
	if f.file.Close(); f.isNew { //nolint:errcheck // nothing was written
		os.Remove(f.file.Name()) //nolint:errcheck // a stray empty file is no harm
	}
}

// begin empties the file.
func (f *recordFile) begin() error {
	if f.format.single || f.folder {
		return nil
	}
	return f.file.Truncate(0)
}

// add takes a game that ended.
func (f *recordFile) add(g *record.Game) error {
	if !f.format.appends && !f.format.single && !f.folder {
		f.games = append(f.games, g)
		return nil
	}
	if f.folder {
		return f.save(newName(f.name, f.format.gameFile(g)), []*record.Game{g})
	}
	if f.format.single {
		return f.save(f.numbered(g.ID), []*record.Game{g})
	}
	var b bytes.Buffer
	if err := f.format.write(&b, []*record.Game{g}); err != nil {
		return fmt.Errorf("--record %s: %w", f.name, err)
	}
	_, err := f.file.Write(b.Bytes())
	return err
}

// close ends the file.
func (f *recordFile) close() error {
	if f.format.single || f.folder {
		return nil
	}
	err := f.file.Close()
	if f.format.appends {
		return err
	}
	return errors.Join(err, f.save(f.name, f.games))
}

func (f *recordFile) save(name string, list []*record.Game) error {
	if _, err := f.format.save(name, list); err != nil {
		return fmt.Errorf("--record %s: %w", f.name, err)
	}
	return nil
}
