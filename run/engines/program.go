package engines

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"kibitz/link/wine"
)

// Program is what the command of an engine needs before it can be executed; see
// Programs.
type Program struct {
	// archive is the path of the ZIP file that holds the engine, inner the engine's
	// name in it; both are empty if it lies in no archive.
	archive, inner string
	// within tells that the engine runs in the unpacked folder.
	within bool
	// wine is set for a Windows program.
	wine *wine.Install
	// folder is where the archive was unpacked, empty before.
	folder string
	// prefix is the Windows of one player of the engine, nil before it has one.
	prefix *wine.Prefix
	// kept is the folder that stays for the run, empty without one.
	kept string
}

// needy reports whether an engine has to be made ready before it can be executed.
func (p *Program) needy() bool { return p.archive != "" || p.wine != nil }

// findExecutable makes the executable's path absolute, so that an engine finds it
// from whatever directory it runs in.
func (e *Spec) findExecutable() error {
	path, err := e.folder.Locate(e.Cmd[0])
	if err != nil {
		return fmt.Errorf("cannot run %q: %s", e.Cmd[0], e.whyNot(err))
	}
	if script := e.lostScript(); script != "" {
		return fmt.Errorf("cannot run %q: there is no file %s%s", e.Cmd[0], script, e.sought(script))
	}
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	e.Cmd[0] = path
	if archive, inner, is := inArchive(path); is {
		err = e.fromArchive(archive, inner)
	} else if err = interpreter(path); err == nil {
		err = e.throughWine()
	}
	if err != nil {
		return fmt.Errorf("cannot run %q: %w", path, err)
	}
	if script := e.findScript(); e.Dir == "" {
		e.Dir = filepath.Dir(path)
		if script != "" && sharedFolder(e) {
			e.Dir = filepath.Dir(script)
		}
	}
	if e.Dir, err = e.folder.Abs(e.Dir); err != nil {
		return err
	}
	if st, err := os.Stat(e.Dir); (err != nil || !st.IsDir()) && !e.Program.within {
		return fmt.Errorf("dir=%s: there is no such folder", e.Dir)
	}
	return nil
}

// findScript makes the path of the first file among the arguments absolute, if it lies
// in the folder of the run, and returns it; empty if there is none. That is what an
// interpreter is given: cmd='python3 mine.py'. A file of that name in the folder of the
// engine is meant before it.
func (e *Spec) findScript() string {
	if !slices.Contains(filepath.SplitList(os.Getenv("PATH")), filepath.Dir(e.Cmd[0])) {
		return "" // an engine of its own folder, in which it looks for its files
	}
	for i, arg := range e.Cmd[1:] {
		if st, err := os.Stat(e.folder.Path(arg)); strings.HasPrefix(arg, "-") || err != nil || !st.Mode().IsRegular() {
			continue
		}
		if e.Dir != "" && !filepath.IsAbs(arg) {
			if _, err := os.Stat(filepath.Join(e.folder.Path(e.Dir), arg)); err == nil {
				return ""
			}
		}
		abs, err := e.folder.Abs(arg)
		if err != nil {
			return ""
		}
		e.Cmd[i+1] = abs
		return abs
	}
	return ""
}

// Locate finds the file behind the first word of a command: a program as shells find
// it, a Windows program though it is not marked executable, an archive or a file in
// one.
func (f Folder) Locate(name string) (string, error) {
	path, err := exec.LookPath(f.program(name))
	if err == nil {
		return path, nil
	}
	name = f.Path(name)
	if _, _, is := inArchive(name); is {
		return name, nil
	}
	if _, other := wine.Open(name); other == nil && runtime.GOOS != "windows" {
		return name, nil
	}
	return "", err
}

// inArchive splits the path of a ZIP file, or of a file in one; inner is empty for the
// ZIP file itself.
func inArchive(path string) (archive, inner string, is bool) {
	const ext = ".zip"
	slashed := filepath.ToSlash(path)
	for at := 0; ; {
		i := strings.Index(strings.ToLower(slashed[at:]), ext)
		if i < 0 {
			return "", "", false
		}
		at += i + len(ext)
		if at < len(slashed) && slashed[at] != '/' {
			continue
		}
		if st, err := os.Stat(path[:at]); err == nil && st.Mode().IsRegular() {
			return path[:at], strings.TrimPrefix(slashed[at:], "/"), true
		}
	}
}

// throughWine finds Wine for a Windows program, unless this is Windows.
func (e *Spec) throughWine() error {
	if runtime.GOOS == "windows" {
		return nil
	}
	p, err := wine.Open(e.Cmd[0])
	switch {
	case errors.Is(err, wine.ErrOther) || errors.Is(err, os.ErrPermission):
		return nil
	case err != nil:
		return err
	}
	e.Program.wine, err = wineFor(p)
	return err
}

// wineFor returns the Wine that runs a program.
func wineFor(p wine.Program) (*wine.Install, error) {
	in, err := wine.Find(wine.Look{Path: exec.LookPath})
	if err != nil {
		return nil, err
	}
	return in, in.CanRun(p)
}

// Process is what is executed for the engine, and the environment in which.
func (e *Spec) Process() (path string, args, env []string) {
	path, args = e.Cmd[0], e.Cmd[1:]
	base := slices.DeleteFunc(os.Environ(), ours)
	if e.Guard.Bare {
		base = bareEnviron(base, e.Dir)
	}
	if x := e.Program.prefix; x != nil {
		path, args = x.Command(path, args)
		return path, args, x.Environ(base, e.Env...)
	}
	return path, args, append(base, e.Env...)
}

// plainVariables are what a program needs of an environment to run at all: they name
// programs, languages and the parts of Windows.
var plainVariables = []string{"PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "SYSTEMROOT", "WINDIR", "PATHEXT", "COMSPEC"}

// CredentialsVariable names the folder in which systemd puts the credentials of a
// service, for nobody else to read.
const CredentialsVariable = "CREDENTIALS_DIRECTORY"

// ours reports whether a variable is for Kibitz alone: passwords, tokens, and where
// credentials lie.
func ours(v string) bool {
	return strings.HasPrefix(v, "KIBITZ_") || strings.HasPrefix(v, CredentialsVariable+"=")
}

// bareEnviron is an environment without anything that somebody may have put there for
// others, such as passwords; home is where programs keep what they keep at home.
func bareEnviron(env []string, home string) []string {
	out := []string{"HOME=" + home}
	for _, v := range env {
		if name, _, _ := strings.Cut(v, "="); slices.Contains(plainVariables, strings.ToUpper(name)) {
			out = append(out, v)
		}
	}
	return out
}
