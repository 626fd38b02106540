// Package wine runs Windows programs on other systems through Wine, each in a small
// Windows of its own.
//
// A Wine prefix (a Windows: registry, system folder, drives) has one server, which
// opens files and sockets for all programs of the prefix and lets each of them reach
// the memory of the others. So no two engines share a prefix, and the server runs
// inside the limits of its engine, as everything else that the engine starts. A prefix
// is made once (New); engines get copies of it (Prefixes.Take), which are cheap: system
// files are links to those of Wine, and services that no engine needs are off.
package wine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
)

// Install is a Wine that is installed here.
type Install struct {
	// Loader and Server are the programs wine and wineserver.
	Loader, Server string
	// Libraries are the folders of Windows libraries, 64-bit or 32-bit ones; none if
	// nobody knows where they are.
	Libraries []string
}

// Look finds programs and files.
type Look struct {
	// Path finds a program by its bare name, as exec.LookPath does.
	Path func(name string) (string, error)
	// Root stands before all absolute paths; empty outside tests.
	Root string
}

// loaders are the names of wine, the usual one first; places are where it lies when it
// is not in PATH.
var (
	loaders = []string{"wine", "wine64", "wine-stable", "wine-development"}
	places  = []string{"/usr/bin", "/usr/lib/wine", "/usr/local/bin", "/opt/wine-stable/bin", "/opt/wine-devel/bin", "/opt/wine-staging/bin"}
)

// ErrMissing is the error of Find where there is no Wine.
var ErrMissing = errors.New("it is a Windows program, and Wine is not installed (Debian: apt install wine)")

// Find looks for Wine in PATH and in the usual places.
func Find(look Look) (*Install, error) {
	for _, name := range loaders {
		if path, err := look.Path(name); err == nil {
			return look.install(path), nil
		}
	}
	for _, dir := range places {
		for _, name := range loaders {
			if path := filepath.Join(look.Root+dir, name); isProgram(path) {
				return look.install(path), nil
			}
		}
	}
	return nil, ErrMissing
}

// install completes what is known of a loader.
func (look Look) install(loader string) *Install {
	in := &Install{Loader: loader}
	folder := filepath.Dir(loader)
	in.Server = filepath.Join(folder, "wineserver")
	if !isProgram(in.Server) {
		for _, dir := range places {
			if path := filepath.Join(look.Root+dir, "wineserver"); isProgram(path) {
				in.Server = path
				break
			}
		}
	}
	roots := []string{filepath.Dir(folder), look.Root + "/usr"}
	if real, err := filepath.EvalSymlinks(loader); err == nil {
		roots = append(roots, filepath.Dir(filepath.Dir(real)))
	}
	for _, root := range roots {
		for _, form := range []string{"lib*/wine", "lib*/*/wine", "wine"} {
			dirs, _ := filepath.Glob(filepath.Join(root, form, "*-windows"))
			for _, dir := range dirs {
				if _, err := os.Stat(filepath.Join(dir, "ntdll.dll")); err == nil && !slices.Contains(in.Libraries, dir) {
					in.Libraries = append(in.Libraries, dir)
				}
			}
		}
		if len(in.Libraries) > 0 {
			break
		}
	}
	return in
}

// folders of libraries by the width of the programs that use them.
var libraryNames = map[int]string{32: "i386-windows", 64: "x86_64-windows"}

// CanRun returns why the installed Wine cannot run a program, one line for people.
func (in *Install) CanRun(p Program) error {
	switch {
	case p.Managed:
		return errors.New("it is a .NET program, which Wine does not run by itself: name its interpreter (cmd='mono ENGINE.exe')")
	case p.Machine != machineI386 && p.Machine != machineAMD64:
		return fmt.Errorf("it is a Windows program for %s, and this Wine runs those for 32-bit and 64-bit PCs", p.machine())
	case runtime.GOARCH != "amd64" && runtime.GOARCH != "386":
		return fmt.Errorf("it is a Windows program for PCs, and this machine is none (%s)", runtime.GOARCH)
	case !in.Has(p.Width):
		return fmt.Errorf("it is a %d-bit Windows program, and the installed Wine (%s) lacks those: %s", p.Width, in.Loader, remedy(p.Width))
	}
	return nil
}

// Has reports whether programs of a width run; where the libraries are not found they
// are taken for granted.
func (in *Install) Has(width int) bool {
	return len(in.Libraries) == 0 || slices.ContainsFunc(in.Libraries,
		func(dir string) bool { return filepath.Base(dir) == libraryNames[width] })
}

func remedy(width int) string {
	if width == 32 {
		return "Debian: dpkg --add-architecture i386 && apt update && apt install wine32:i386"
	}
	return "Debian: apt install wine64"
}

func isProgram(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0
}
