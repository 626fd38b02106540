package engines

import "path/filepath"

// Folder is where relative paths count from; empty is the working directory.
type Folder string

// Path is a path from the working directory. An empty one stays empty.
func (f Folder) Path(name string) string {
	if f == "" || name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(string(f), name)
}

// Abs is the absolute form of a path.
func (f Folder) Abs(name string) (string, error) { return filepath.Abs(f.Path(name)) }

// program is the first word of a command: a path, or a name that is looked up in PATH.
func (f Folder) program(name string) string {
	if filepath.Base(name) == name {
		return name
	}
	return f.Path(name)
}
