package engines

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/google/shlex"
)

// SplitCommand splits a command line. One that is the name of a file as a whole,
// with its blanks, needs no quotes of its own.
func SplitCommand(text string) ([]string, error) { return Folder("").splitCommand(text) }

// windowsPath tells that a command begins with a path as Windows has them, whose backslashes escape
// nothing.
func windowsPath(text string) bool {
	text = strings.TrimPrefix(text, `"`)
	return len(text) > 2 && text[1] == ':' && text[2] == '\\' && unicode.IsLetter(rune(text[0]))
}

func (f Folder) splitCommand(text string) ([]string, error) {
	if st, err := os.Stat(f.Path(text)); err == nil && st.Mode().IsRegular() {
		return []string{text}, nil
	}
	if windowsPath(text) && !strings.Contains(text, "'") {
		text = strings.ReplaceAll(text, `\`, `\\`)
	}
	list, err := shlex.Split(text)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("cmd is empty")
	}
	return list, err
}

// whyNot explains why a command was not found; err is exec.LookPath's.
func (e *Spec) whyNot(err error) string {
	name, f := e.Cmd[0], e.folder
	st, missing := os.Stat(f.Path(name))
	if beside := filepath.Join(e.Dir, name); missing != nil && e.Dir != "" && !filepath.IsAbs(name) {
		if _, err := os.Stat(f.Path(beside)); err == nil {
			return fmt.Sprintf("it lies in dir=%s, but the path counts from here: write cmd=%s", e.Dir, beside)
		}
	}
	switch {
	case missing == nil && st.IsDir():
		return "it is a folder"
	case errors.Is(err, fs.ErrPermission):
		return "the file is there but not executable (chmod +x)"
	case missing == nil && filepath.Base(name) == name:
		return "not in PATH; for the file in this folder write ./" + name
	}
	const shell = "no shell reads this: "
	switch variable, _, ok := strings.Cut(name, "="); {
	case name == "cd":
		return shell + "dir=FOLDER says where the engine runs"
	case ok && filepath.Base(variable) == variable:
		return shell + "env." + variable + "=… gives the engine a variable"
	case strings.HasPrefix(name, "~"):
		return shell + "write the whole path"
	case filepath.Base(name) != name:
		return "there is no such file" + e.sought(name)
	}
	return "no executable of that name here or in PATH"
}

// sought says where a relative path was looked for, which is not beside a file of a run.
func (e *Spec) sought(name string) string {
	path, err := e.folder.Abs(name)
	if err != nil || path == name {
		return ""
	}
	return " (" + path + ")"
}

// interpreters are programs that are given the file that they run.
var interpreters = []string{"python", "pypy", "perl", "ruby", "node", "lua", "bash", "sh"}

// lostScript is the file that an interpreter is to run, "" unless it does not exist. Only a word
// that looks like a file, before which no flag stands, is taken for one.
func (e *Spec) lostScript() string {
	name := strings.TrimRight(filepath.Base(e.Cmd[0]), "0123456789.")
	if len(e.Cmd) < 2 || !slices.Contains(interpreters, name) || e.Program.within {
		return ""
	}
	script := e.Cmd[1]
	if strings.HasPrefix(script, "-") || filepath.Base(script) == script && filepath.Ext(script) == "" {
		return ""
	}
	for _, dir := range []string{"", e.Dir} {
		path := e.folder.Path(script)
		if dir != "" && !filepath.IsAbs(script) {
			path = filepath.Join(e.folder.Path(dir), script)
		}
		if _, err := os.Stat(path); err == nil {
			return ""
		}
	}
	return script
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
	if strings.HasSuffix(line, "\r") {
		return errors.New("the script's first line ends with CR LF, and there is no interpreter of such a name: save it with LF alone")
	}
	return nil
}
