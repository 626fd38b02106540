package engines

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/shlex"
)

// SplitCommand splits a command line. One that is the name of a file as a whole,
// with its blanks, needs no quotes of its own.
func SplitCommand(text string) ([]string, error) { return Folder("").splitCommand(text) }

func (f Folder) splitCommand(text string) ([]string, error) {
	if st, err := os.Stat(f.Path(text)); err == nil && st.Mode().IsRegular() {
		return []string{text}, nil
	}
	list, err := shlex.Split(text)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("cmd is empty")
	}
	return list, err
}

// whyNot explains why a command was not found; err is exec.LookPath's.
func (f Folder) whyNot(name string, err error) string {
	st, missing := os.Stat(f.Path(name))
	switch {
	case missing == nil && st.IsDir():
		return "it is a folder"
	case errors.Is(err, fs.ErrPermission):
		return "the file is there but not executable (chmod +x)"
	case missing == nil && filepath.Base(name) == name:
		return "not in PATH; for the file in this folder write ./" + name
	}
	return "no executable of that name here or in PATH"
}

// interpreter returns an error for a script whose interpreter does not exist.
func interpreter(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return nil // executable and not readable is enough
	}
	defer f.Close() //nolint:errcheck // only read
	head := make([]byte, 256)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	line, _, _ := strings.Cut(string(head[:n]), "\n")
	words, ok := strings.CutPrefix(line, "#!")
	if !ok || len(strings.Fields(words)) == 0 {
		return nil
	}
	name := strings.Fields(words)[0]
	if _, err := os.Stat(name); err != nil {
		return fmt.Errorf("the script's interpreter %s does not exist", name)
	}
	return nil
}
