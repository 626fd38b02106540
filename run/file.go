package run

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"kibitz/record"
	"kibitz/run/engines"
	"kibitz/run/folder"
)

// File is the file of a run as it was read: settings under their keys, a table for each
// engine, and the keys below.
type File struct {
	Name string
	// Values are those of the keys at the top.
	Values map[string]any
	// places are the rows and columns of keys, by JSON pointer.
	places map[string][2]int
}

// Keys of the file of a run that are no settings.
const (
	KeyVersion = "kibitz"     // who wrote it
	KeyFolder  = "started-in" // relative paths count from there
	KeySecret  = "secret"     // behind the shuffles, once the run is over
	KeyCompat  = "compat"     // the program whose options described the run
)

// ReadFile reads the file of a run.
func ReadFile(name string) (*File, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return ParseFile(name, data)
}

// ParseFile reads the content of such a file.
func ParseFile(name string, data []byte) (*File, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	f := &File{Name: name, Values: map[string]any{}, places: map[string][2]int{}}
	if err := toml.Unmarshal(data, &f.Values); err != nil {
		if d, ok := errors.AsType[*toml.DecodeError](err); ok {
			row, column := d.Position()
			return nil, &record.Error{File: name, Line: row, Column: column, Msg: strings.TrimPrefix(d.Error(), "toml: ")}
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f.locate(data)
	return f, nil
}

// locate notes where each key stands.
func (f *File) locate(data []byte) {
	var p unstable.Parser
	p.Reset(data)
	table, count := "", map[string]int{}
	for p.NextExpression() {
		e := p.Expression()
		var path []string
		at := [2]int{}
		for it := e.Key(); it.Next(); {
			n := it.Node()
			if len(path) == 0 {
				start := p.Shape(p.Range(n.Data)).Start
				at = [2]int{start.Line, start.Column}
			}
			path = append(path, string(n.Data))
		}
		key := "/" + keyPath(path)
		switch e.Kind {
		case unstable.Table:
			table = key
		case unstable.ArrayTable:
			table = key + "/" + strconv.Itoa(count[key])
			if count[key]++; count[key] == 1 {
				f.places[key] = at
			}
		case unstable.KeyValue:
			f.places[table+key] = at
			continue
		default:
			continue
		}
		f.places[table] = at
	}
}

// keyPath is a key as part of a JSON pointer. Words of engines with a dot are one key:
// option.Hash.
func keyPath(path []string) string { return strings.Join(path, ".") }

// At returns an error at a setting, or at the one that holds it.
func (f *File) At(path string, err error) error {
	e := &record.Error{File: f.Name, Msg: err.Error()}
	for path != "" {
		if at, ok := f.places[path]; ok {
			e.Line, e.Column = at[0], at[1]
			break
		}
		path = path[:strings.LastIndexByte(path, '/')]
	}
	return e
}

// Place puts an error at the first setting that it is about; one about none has the name
// of the file alone.
func (f *File) Place(err error) error {
	var placed *record.Error
	if err == nil || errors.As(err, &placed) {
		return err
	}
	var out []error
	for _, e := range Faults(err) {
		out = append(out, f.At(e.Path, errors.New(e.InFile())))
	}
	if out == nil {
		return f.At("", err)
	}
	return join(out...)
}

// Text returns a key that is no setting.
func (f *File) Text(key string) (string, error) {
	v, ok := f.Values[key]
	if !ok {
		return "", nil
	}
	s, ok := v.(string)
	if !ok {
		return "", f.At("/"+key, fmt.Errorf("%s: must be a text in quotes", key))
	}
	return s, nil
}

// Folder returns where the run was started, from where its relative paths count; empty is
// the working directory.
func (f *File) Folder() (engines.Folder, error) {
	dir, err := f.Text(KeyFolder)
	if err != nil || dir == "" {
		return "", err
	}
	if st, err := os.Stat(dir); err != nil || !st.IsDir() {
		return "", f.At("/"+KeyFolder, fmt.Errorf("%s: there is no folder %s; without this line paths count from where kibitz is started",
			KeyFolder, dir))
	}
	return engines.Folder(dir), nil
}

// Settings returns what the file says, with what is usual where it says nothing. Openings
// that were made for a run are taken from beside its file: the folder may have been moved.
func (f *File) Settings() (*Settings, error) {
	s := Usual()
	for _, key := range slices.Sorted(maps.Keys(f.Values)) {
		if slices.Contains([]string{KeyVersion, KeyFolder, KeySecret}, key) {
			continue
		}
		if key == KeyCompat {
			return nil, f.At("/"+key, fmt.Errorf("compat: this run was described by the options of %v; kibitz compat plays it again from the "+
				"same command line", f.Values[key]))
		}
		if !slices.Contains(Keys(), key) {
			return nil, f.At("/"+key, fmt.Errorf("unknown key %q: known are %s", key, strings.Join(Keys(), " ")))
		}
		if err := s.Set(key, f.Values[key]); err != nil {
			return nil, f.Place(err)
		}
	}
	err := s.ApplyPreset(func(key string) bool { _, given := f.Values[key]; return given })
	if err != nil {
		return nil, f.Place(err)
	}
	switch {
	case s.Game == "":
		return nil, f.At("/game", errors.New("game: none is named; write game = 'othello', for example"))
	case len(s.Engine) == 0:
		return nil, f.At("", errors.New("engine: none is named; write a table [[engine]] for each"))
	}
	f.findOpenings(&s)
	return &s, nil
}

func (f *File) findOpenings(s *Settings) {
	dir, err := filepath.Abs(filepath.Dir(f.Name))
	if _, own := f.Values[KeyFolder]; err != nil || !own || s.Openings == nil || s.Openings.File == "" {
		return
	}
	made := filepath.Join(dir, folder.OpeningsFile)
	if _, err := os.Stat(made); err == nil {
		s.Openings = s.Openings.From(made)
	}
}

// notKept are the settings that the file of a run leaves out: how it is shown and where it
// is kept, and a preset, which has set what it sets.
var notKept = []string{"preset", "out", "json", "quiet", "board", "tui"}

// Write writes the file of a run: what it is, and below it each engine. Further are keys
// of the run's own.
func (s *Settings) Write(further ...Setting) ([]byte, error) {
	var top, each, list []byte
	for _, x := range slices.Concat(s.Differing(), further) {
		if slices.Contains(notKept, x.Key) {
			continue
		}
		var err error
		switch v := x.Value.(type) {
		case engines.Words:
			each, err = appendTable(each, "\n["+x.Key+"]\n", v)
		case []engines.Words:
			for _, w := range v {
				if list, err = appendTable(list, "\n[["+x.Key+"]]\n", w); err != nil {
					return nil, err
				}
			}
		default:
			var line []byte
			line, err = toml.Marshal(map[string]any{x.Key: v})
			top = append(top, line...)
		}
		if err != nil {
			return nil, err
		}
	}
	return slices.Concat(top, each, list), nil
}

// appendTable writes the words of an engine as a table with a head.
func appendTable(dst []byte, head string, words engines.Words) ([]byte, error) {
	dst = append(dst, head...)
	for _, w := range words {
		kind, name, nested := strings.Cut(w.Key, ".")
		if !nested {
			name = w.Key
		}
		line, err := toml.Marshal(map[string]any{name: plainValue(w.Value)})
		if err != nil {
			return nil, err
		}
		if nested {
			dst = append(dst, kind+"."...)
		}
		dst = append(dst, line...)
	}
	return dst, nil
}

// plainValue returns a whole number as such, so that files read well.
func plainValue(s string) any {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && strconv.FormatInt(n, 10) == s {
		return n
	}
	return s
}
