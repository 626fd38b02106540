package formats

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"kibitz/game"
	"kibitz/internal/wholefile"
	"kibitz/record"
	"kibitz/record/folder"
	"kibitz/record/native"
)

// Load reads the games of a file, or of all files of a folder or of a run. The name - is
// stdin. spec and id are the game and the format that the user named, or "".
func (s *Set) Load(stdin io.Reader, name, spec, id string) ([]*record.Game, error) {
	var data []byte
	var err error
	if name == "-" {
		data, err = io.ReadAll(stdin)
	} else {
		data, err = os.ReadFile(name)
	}
	if err != nil && wholefile.IsFolder(name) {
		return s.loadFolder(name, spec, id)
	}
	if err != nil {
		return nil, err
	}
	return s.load(name, data, spec, id)
}

// LoadText is Load of a file that was read, in the format that it looks like.
func (s *Set) LoadText(name string, data []byte, spec string) ([]*record.Game, error) {
	return s.load(name, data, spec, "")
}

func (s *Set) load(name string, data []byte, spec, id string) ([]*record.Game, error) {
	var whole game.Spec
	if spec != "" {
		r, err := s.open(game.Spec(spec))
		if err != nil {
			return nil, err
		}
		whole = r.Spec()
	}
	list, err := s.Read(name, data, whole, id)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s holds no game", name)
	}
	return list, err
}

// loadFolder reads all files of a folder in the order of their names, of a run those of
// its games, with the results that were ruled and without games that were annulled. What
// can be read is returned with the first error.
func (s *Set) loadFolder(dir, spec, id string) (list []*record.Game, first error) {
	var runs folder.Runs
	if run := filepath.Join(dir, "games"); wholefile.IsFolder(run) {
		dir = run
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		name := filepath.Join(dir, e.Name())
		more, err := s.Load(nil, name, spec, id)
		more, unruled := runs.Rule(name, more)
		if unruled != nil {
			return nil, unruled
		}
		if list = append(list, more...); err != nil && first == nil {
			first = err
		}
	}
	if first == nil && len(list) == 0 {
		first = fmt.Errorf("%s holds no file with a game", dir)
	}
	return list, first
}

// ReadNative reads Kibitz's own records.
func (s *Set) ReadNative(data []byte) ([]*record.Game, error) { return s.readNative("", data, "") }

// Text names the codec of decisions of a game, for readers of native records.
func (s *Set) Text(spec game.Spec) (native.Text, error) { return s.open(spec) }

func (s *Set) readNative(_ string, data []byte, _ game.Spec) ([]*record.Game, error) {
	list, err := native.Read(bytes.NewReader(data), s.Text)
	var out []*record.Game
	for _, r := range list {
		out = append(out, &r.Game)
	}
	return out, err
}

// Amend changes a record in Kibitz's own format. What that format alone holds stays.
func (s *Set) Amend(data []byte, change func(*record.Game)) ([]byte, error) {
	r, err := native.Parse(bytes.TrimSpace(data), s.Text)
	if err != nil {
		return nil, err
	}
	text, err := s.open(r.Spec)
	if err != nil {
		return nil, err
	}
	change(&r.Game)
	return native.Append(nil, r, text)
}

// WriteNative writes Kibitz's own records.
func (s *Set) WriteNative(w io.Writer, list []*record.Game) error {
	for _, g := range list {
		r, err := s.open(g.Spec)
		if err != nil {
			return err
		}
		b, err := native.Append(nil, &native.Record{Game: *g}, r)
		if err != nil {
			return err
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// Label names a game of a file for messages.
func Label(file string, i, n int, g *record.Game) string {
	if n > 1 {
		file = fmt.Sprintf("%s game %d", file, i+1)
	}
	if g.Line > 1 {
		file = fmt.Sprintf("%s (line %d)", file, g.Line)
	}
	return file
}
