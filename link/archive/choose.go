package archive

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// Kind is what system a program is for.
type Kind int

// The kinds of programs.
const (
	// Native programs are those of the machine on which Kibitz runs.
	Native Kind = iota
	// Windows64 and Windows32 are programs for Windows.
	Windows64
	Windows32
	// Other programs cannot be run here.
	Other
)

// System says which programs run here, the best first.
type System struct {
	// Kinds are those that run.
	Kinds []Kind
	// Kind tells what a program is by its first bytes.
	Kind func(r io.ReaderAt) Kind
}

// prefix is how the names of programs of the Piskvork protocol begin.
const prefix = "pbrain-"

// mostHead is how much of a program is read to learn its kind.
const mostHead = 64 << 10

// program is a file that may be the engine.
type program struct {
	name string
	kind Kind
}

// Choose returns the program of the engine, with slashes: the name that is given, or
// what Gomocup's rule names. The rule looks at the files in the archive's own folder,
// or in its only one, whose names begin with pbrain-. A native one is taken before one
// for Windows, one of 64 bits before one of 32, and among those of 64 bits the one with
// 64 in its name. Where no name begins so, the only program is taken. Errors are for
// people.
func (a *Archive) Choose(name string, s System) (string, Kind, error) {
	if name != "" {
		return a.named(name, s)
	}
	all, err := a.programs(s)
	if err != nil {
		return "", Other, err
	}
	brains := slices.DeleteFunc(slices.Clone(all), func(p program) bool {
		return !strings.HasPrefix(strings.ToLower(path.Base(p.name)), prefix)
	})
	switch {
	case len(all) == 0:
		return "", Other, fmt.Errorf("it holds no program at its top: an engine is named %sNAME.exe or %sNAME64.exe there", prefix, prefix)
	case len(brains) == 0 && len(all) > 1:
		return "", Other, fmt.Errorf("no program in it is named %sNAME.exe, and there are several: name one, as in cmd=ENGINE.zip/%s", prefix,
			all[0].name)
	case len(brains) == 0:
		brains = all
	}
	for _, kind := range s.Kinds {
		if p, err := best(brains, kind); err != nil || p.name != "" {
			return p.name, p.kind, err
		}
	}
	return brains[0].name, brains[0].kind, nil // the caller says why this one does not run
}

// best returns the program of a kind, none if there is none.
func best(list []program, kind Kind) (program, error) {
	list = slices.DeleteFunc(slices.Clone(list), func(p program) bool { return p.kind != kind })
	if kind == Windows64 && len(list) > 1 {
		other := func(p program) bool { return !strings.Contains(path.Base(p.name), "64") }
		if named := slices.DeleteFunc(slices.Clone(list), other); len(named) > 0 {
			list = named
		}
	}
	switch len(list) {
	case 0:
		return program{}, nil
	case 1:
		return list[0], nil
	}
	return program{}, fmt.Errorf("%q and %q could both be the engine: name one, as in cmd=ENGINE.zip/%s", list[0].name, list[1].name,
		list[0].name)
}

// named returns the program of a name.
func (a *Archive) named(name string, s System) (string, Kind, error) {
	want := path.Clean(strings.ReplaceAll(name, `\`, "/"))
	for _, f := range a.files {
		if strings.EqualFold(f.name, want) && !f.isDir() {
			kind, err := f.kind(s)
			return f.name, kind, err
		}
	}
	return "", Other, fmt.Errorf("it holds no %q", name)
}

// programs are the programs at the top, in the order of their names.
func (a *Archive) programs(s System) ([]program, error) {
	top := a.top()
	var out []program
	for _, f := range a.files {
		if f.isDir() || path.Dir(f.name) != top {
			continue
		}
		kind, err := f.kind(s)
		if err != nil {
			return nil, err
		}
		if kind != Other || strings.EqualFold(path.Ext(f.name), ".exe") {
			out = append(out, program{f.name, kind})
		}
	}
	slices.SortFunc(out, func(p, q program) int { return strings.Compare(p.name, q.name) })
	return out, nil
}

// top is the folder in which the program is looked for: the archive's own, or the only
// thing in it if that is a folder.
func (a *Archive) top() string {
	first := ""
	for _, f := range a.files {
		dir, _, deeper := strings.Cut(f.name, "/")
		if !deeper && !f.isDir() || first != "" && first != dir {
			return "."
		}
		first = dir
	}
	return first
}

// kind tells what a file is by its beginning.
func (f *file) kind(s System) (Kind, error) {
	head, err := f.head()
	if err != nil {
		return Other, err
	}
	return s.Kind(head), nil
}

// The machines of ELF and Mach-O headers, by the names that Go has for them.
var (
	elfMachines   = map[string]uint16{"amd64": 62, "arm64": 183, "386": 3}
	machoMachines = map[string]uint32{"amd64": 0x01000007, "arm64": 0x0100000c}
)

// IsNative reports whether a file begins as a program of a system does, by the names
// that Go has for systems and machines. Windows is not among them, scripts are no
// programs.
func IsNative(r io.ReaderAt, system, machine string) bool {
	head := make([]byte, 20)
	if _, err := r.ReadAt(head, 0); err != nil {
		return false
	}
	le := binary.LittleEndian
	switch system {
	case "linux":
		return string(head[:4]) == "\x7fELF" && le.Uint16(head[18:]) == elfMachines[machine] && elfMachines[machine] != 0
	case "darwin":
		universal := string(head[:4]) == "\xca\xfe\xba\xbe"
		return universal || string(head[:4]) == "\xcf\xfa\xed\xfe" && le.Uint32(head[4:]) == machoMachines[machine]
	}
	return false
}

// Head returns the beginning of a file, by its name as Choose returns it.
func (a *Archive) Head(name string) (io.ReaderAt, error) {
	for _, f := range a.files {
		if f.name == name {
			return f.head()
		}
	}
	return nil, fmt.Errorf("it holds no %q", name)
}

func (f *file) head() (io.ReaderAt, error) {
	in, err := f.zip.Open()
	if err != nil {
		return nil, fmt.Errorf("cannot unpack %q: %w", f.name, err)
	}
	defer func() { _ = in.Close() }()
	head, err := io.ReadAll(io.LimitReader(in, mostHead))
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("cannot unpack %q: %w", f.name, err)
	}
	return bytes.NewReader(head), nil
}
