package formats

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/record"
	"kibitz/rules"
)

// File is a file that games are added to as they end. Where the format allows it each game is
// written as it ends; else all are written at the end, or each into a file of its
// own. A name without an extension that is the name of a format (ccgc) is a folder
// with a file for each game.
type File struct {
	name   string
	format Format
	folder bool
	file   *os.File
	isNew  bool
	// games wait for the end, in formats that cannot be appended to.
	games []*record.Game
	// written are the files of a folder by the game in them, for Again.
	written map[string][]string
}

// NewFile opens a file for the games of a run after checking that its format can hold
// them: nobody should learn that after the run. It says what is wrong with the name.
func (s *Set) NewFile(name string, r rules.Rules, games int) (*File, error) {
	var err error
	f, folder := s.Folder(name, "")
	if !folder {
		if f, err = s.Find(name, ""); err != nil {
			return nil, err
		}
	}
	if f.Write == nil {
		return nil, fmt.Errorf("%s: format %s can only be read", name, f.ID)
	}
	if err := f.Check(r.Spec().ID()); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := f.Write(io.Discard, []*record.Game{sample(r)}); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if folder {
		if err := os.MkdirAll(name, 0o755); err != nil {
			return nil, err
		}
		return &File{name: name, format: f, folder: true}, nil
	}
	f.Single = f.Single && games > 1
	out := &File{name: name, format: f}
	target := name
	if f.Single {
		target = out.numbered(firstGame)
	}
	_, err = os.Stat(target)
	out.isNew = errors.Is(err, os.ErrNotExist)
	if out.file, err = os.OpenFile(target, os.O_CREATE|os.O_WRONLY, 0o644); err != nil {
		return nil, err
	}
	if f.Single { // that it can be made is all that was to be known
		out.Discard()
	}
	return out, nil
}

// firstGame is the number of the first file where each game has one of its own.
const firstGame = "000001"

// Name is the name of the file.
func (f *File) Name() string { return f.name }

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
func (f *File) numbered(id string) string {
	ext := filepath.Ext(f.name)
	return strings.TrimSuffix(f.name, ext) + "-" + id + ext
}

// Discard gives the file up before anything was written.
func (f *File) Discard() {
	if f.folder {
		os.Remove(f.name) //nolint:errcheck // it stays if it holds anything
		return
	}
	if f.file.Close(); f.isNew { //nolint:errcheck // nothing was written
		os.Remove(f.file.Name()) //nolint:errcheck // a stray empty file is no harm
	}
}

// Begin empties the file.
func (f *File) Begin() error {
	if f.format.Single || f.folder {
		return nil
	}
	return f.file.Truncate(0)
}

// Add takes a game that ended.
func (f *File) Add(g *record.Game) error {
	if !f.format.Appends && !f.format.Single && !f.folder {
		f.games = append(f.games, g)
		return nil
	}
	if f.folder {
		return f.save(NewName(f.name, f.format.FileName(g)), []*record.Game{g})
	}
	if f.format.Single {
		return f.save(f.numbered(g.ID), []*record.Game{g})
	}
	var b bytes.Buffer
	if err := f.format.Write(&b, []*record.Game{g}); err != nil {
		return fmt.Errorf("%s: %w", f.name, err)
	}
	_, err := f.file.Write(b.Bytes())
	return err
}

// Again takes a game that was taken when the run was played before, as it counts now: in a folder it
// takes the place of its file.
func (f *File) Again(g *record.Game) error {
	if !f.folder {
		return f.Add(g)
	}
	if err := f.index(g.Spec); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := f.format.Write(&b, []*record.Game{g}); err != nil {
		return fmt.Errorf("%s: %w", f.name, err)
	}
	file := f.format.FileName(g)
	key, stem := f.played(file, b.Bytes(), g.Spec), strings.TrimSuffix(file, filepath.Ext(file))
	if was := f.written[key]; key != "" && len(was) > 0 {
		named := func(name string) bool { return strings.HasPrefix(filepath.Base(name), stem) }
		i := max(0, slices.IndexFunc(was, named))
		f.written[key] = slices.Concat(was[:i], was[i+1:])
		if named(was[i]) {
			return f.save(was[i], []*record.Game{g})
		}
		if err := os.Remove(was[i]); err != nil {
			return err
		}
	}
	return f.save(NewName(f.name, file), []*record.Game{g})
}

// index finds the games that are in the folder, the latest first: another run may have written such
// games too.
func (f *File) index(spec game.Spec) error {
	if f.written != nil {
		return nil
	}
	entries, err := os.ReadDir(f.name)
	if err != nil {
		return err
	}
	f.written = map[string][]string{}
	at := func(e os.DirEntry) (t time.Time) {
		if info, err := e.Info(); err == nil {
			t = info.ModTime()
		}
		return t
	}
	slices.SortStableFunc(entries, func(a, b os.DirEntry) int { return at(b).Compare(at(a)) })
	for _, e := range entries {
		name := filepath.Join(f.name, e.Name())
		if data, err := os.ReadFile(name); err == nil {
			key := f.played(e.Name(), data, spec)
			f.written[key] = append(f.written[key], name)
		}
	}
	return nil
}

// played tells the game of a file from others by what cannot be ruled: players, date and moves.
func (f *File) played(name string, data []byte, spec game.Spec) string {
	list, err := f.format.Read(name, data, spec)
	if err != nil || len(list) != 1 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%q %q", list[0].Names, list[0].Date)
	for i := range list[0].Steps {
		fmt.Fprintf(&b, " %v", list[0].Steps[i].Move)
	}
	return b.String()
}

// Close ends the file.
func (f *File) Close() error {
	if f.format.Single || f.folder {
		return nil
	}
	err := f.file.Close()
	if f.format.Appends {
		return err
	}
	return errors.Join(err, f.save(f.name, f.games))
}

func (f *File) save(name string, list []*record.Game) error {
	_, err := f.format.Save(name, list)
	return err
}
