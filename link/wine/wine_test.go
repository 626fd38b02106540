package wine

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// put makes files below a folder.
func put(t *testing.T, root string, perm os.FileMode, names ...string) {
	t.Helper()
	for _, name := range names {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), perm); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFind(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no Wine")
	}
	nowhere := func(string) (string, error) { return "", exec.ErrNotFound }
	root := t.TempDir()
	if _, err := Find(Look{Path: nowhere, Root: root}); !errors.Is(err, ErrMissing) {
		t.Errorf("nothing is installed: %v", err)
	}
	put(t, root, 0o644, "usr/bin/wine") // which nobody can execute
	if _, err := Find(Look{Path: nowhere, Root: root}); !errors.Is(err, ErrMissing) {
		t.Errorf("a file that is no program: %v", err)
	}
	put(t, root, 0o755, "usr/lib/wine/wine64", "usr/lib/wine/wineserver")
	put(t, root, 0o644, "usr/lib/x86_64-linux-gnu/wine/x86_64-windows/ntdll.dll", "usr/lib/x86_64-linux-gnu/wine/i386-windows/zlib1.dll")
	in, err := Find(Look{Path: nowhere, Root: root})
	if err != nil || in.Loader != root+"/usr/lib/wine/wine64" || in.Server != root+"/usr/lib/wine/wineserver" {
		t.Fatalf("%+v, %v", in, err)
	}
	if !in.Has(64) || in.Has(32) {
		t.Errorf("libraries %q: a Wine of 64 bits alone", in.Libraries)
	}
	put(t, root, 0o644, "usr/lib/i386-linux-gnu/wine/i386-windows/ntdll.dll")
	put(t, root, 0o755, "opt/bin/wine", "opt/bin/wineserver")
	in, err = Find(Look{Path: func(name string) (string, error) { return root + "/opt/bin/" + name, nil }, Root: root})
	if err != nil || in.Loader != root+"/opt/bin/wine" || in.Server != root+"/opt/bin/wineserver" || !in.Has(32) {
		t.Errorf("%+v, %v", in, err)
	}
}

func TestCanRun(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("this machine is no PC")
	}
	narrow := &Install{Loader: "/usr/bin/wine", Libraries: []string{"/usr/lib/wine/i386-windows"}}
	wide := &Install{Loader: "/usr/bin/wine", Libraries: []string{"/usr/lib/wine/x86_64-windows"}}
	for _, c := range []struct {
		in  *Install
		p   Program
		err string
	}{
		{wide, Program{64, machineAMD64, false}, ""},
		{narrow, Program{32, machineI386, false}, ""},
		{&Install{}, Program{32, machineI386, false}, ""},
		{wide, Program{32, machineI386, false}, "apt install wine32:i386"},
		{narrow, Program{64, machineAMD64, false}, "apt install wine64"},
		{wide, Program{64, machineAMD64, true}, "mono"},
		{wide, Program{64, machineARM64, false}, "for ARM processors"},
	} {
		err := c.in.CanRun(c.p)
		if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%+v: error %v, want one with %q", c.p, err, c.err)
		}
	}
}

func TestEnviron(t *testing.T) {
	x := &Prefix{of: &Prefixes{}, path: "/run/1"}
	got := x.Environ([]string{"PATH=/bin", "DISPLAY=:0", "WINEPREFIX=/home/me/.wine", "WINEARCH=win32", "HOME=/home/me", "A=1", "A=2"}, "A=3", "WINEDEBUG=+relay")
	want := []string{"PATH=/bin", "HOME=/run/1/home", "A=3", "WINEPREFIX=/run/1", "WINEDEBUG=+relay", "WINEDLLOVERRIDES=" + overrides}
	if !slices.Equal(got, want) {
		t.Errorf("environment\n%q, want\n%q", got, want)
	}
}

func TestSwitchOff(t *testing.T) {
	const registry = "WINE REGISTRY Version 2\n" +
		"\n[System\\\\CurrentControlSet\\\\Services\\\\MountMgr] 1\n\"Group\"=\"x\"\n\"Start\"=dword:00000002\n" +
		"\n[System\\\\CurrentControlSet\\\\Services\\\\MountMgr\\\\More] 1\n\"Start\"=dword:00000002\n" +
		"\n[System\\\\CurrentControlSet\\\\Services\\\\RpcSs] 1\n\"Start\"=dword:00000003\n"
	want := strings.Replace(registry, "00000002", "00000004", 1)
	if got := string(switchOff([]byte(registry), []string{"MountMgr", "PlugPlay"})); got != want {
		t.Errorf("the registry is\n%s, want\n%s", got, want)
	}
}

// A prefix becomes small: copies of Wine's files are links, what led to the user's
// home is a folder, copies of the prefix share the rest.
func TestReduceAndCopy(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no Wine")
	}
	root := t.TempDir()
	library, model, taken := filepath.Join(root, "lib"), filepath.Join(root, "model"), filepath.Join(root, "1")
	put(t, library, 0o644, "a.dll", "b.dll")
	put(t, model, 0o644, "system.reg", "drive_c/windows/system32/c.dll", "drive_c/users/me/note.txt", "drive_c/windows/win.ini")
	put(t, model, 0o400, "wineserver")
	for name, text := range map[string]string{"a.dll": "a.dll", "b.dll": "another"} {
		if err := os.WriteFile(filepath.Join(model, "drive_c/windows/system32", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/", filepath.Join(model, "drive_c/users/me/Documents")); err != nil {
		t.Fatal(err)
	}
	if err := reduce(model, []string{library}); err != nil {
		t.Fatal(err)
	}
	if err := copyTree(model, taken); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"drive_c/windows/system32/a.dll": library + "/a.dll", "drive_c/windows/system32/b.dll": model + "/drive_c/windows/system32/b.dll",
		"drive_c/windows/win.ini": model + "/drive_c/windows/win.ini", "system.reg": "", "drive_c/users/me/note.txt": "", "wineserver": "",
		"drive_c/windows/system32/bcryptprimitives.dll": model + "/drive_c/windows/system32/bcryptprimitives.dll",
	} {
		if got, _ := os.Readlink(filepath.Join(taken, name)); got != want {
			t.Errorf("%s leads to %q, not to %q", name, got, want)
		}
	}
	if st, err := os.Lstat(filepath.Join(taken, "drive_c/users/me/Documents")); err != nil || !st.IsDir() {
		t.Errorf("the user's documents: %v, %v", st, err)
	}
	if st, err := os.Lstat(filepath.Join(taken, "wineserver")); err != nil || st.Mode() != 0o400 {
		t.Errorf("the file that Wine trusts by its mode: %v, %v", st, err)
	}
}
