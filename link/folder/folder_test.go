//go:build unix

package folder_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"kibitz/link"
	"kibitz/link/folder"
	"kibitz/link/proc"
)

// write makes files of a folder; a name that ends in a slash is a folder, a content
// that begins with -> a link.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		path := filepath.Join(dir, name)
		content := files[name]
		var err error
		if leads, is := strings.CutPrefix(content, "->"); is {
			err = os.Symlink(leads, path)
		} else if strings.HasSuffix(name, "/") {
			err = os.MkdirAll(path, 0o755)
		} else {
			perm := fs.FileMode(0o644)
			if strings.HasPrefix(content, "#!") {
				perm = 0o755
			}
			err = os.WriteFile(path, []byte(content), perm)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// contents returns what a folder holds, in the form of write.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir():
			out[rel+"/"] = ""
		case d.Type() == fs.ModeSymlink:
			leads, err := os.Readlink(path)
			out[rel] = "->" + leads
			return err
		default:
			b, err := os.ReadFile(path)
			out[rel] = string(b)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

type made struct {
	*folder.Folder
	lines, warnings []string
	where           string
}

func copied(t *testing.T, dir string, p proc.Spec, most int64) (*made, error) {
	t.Helper()
	m := &made{where: t.TempDir()}
	p.Options = link.Options{Now: time.Now, Observe: func(d link.Direction, _ time.Time, line []byte) {
		m.lines = append(m.lines, string("><!#|"[d])+string(line))
	}}
	p.Dir = dir
	f, err := folder.Copy(context.Background(), folder.Spec{
		Process: p, MostBytes: most, Where: m.where, Warn: func(text string) { m.warnings = append(m.warnings, text) },
	})
	m.Folder = f
	return m, err
}

// run starts the engine and waits for its end.
func (m *made) run(t *testing.T) {
	t.Helper()
	c, err := m.Dial(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = c.ReadLine(time.Now().Add(time.Minute))
	}
	if f, ok := c.(link.Flusher); ok {
		f.Flush()
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

const script = "#!/bin/sh\necho in $(basename \"$0\") $# \"$@\"; cat data/table; echo more >> data/table; touch new\n"

// A copy holds files, folders and links that stay inside, and nothing that is outside;
// what the engine does there leaves the folder as it was.
func TestCopy(t *testing.T) {
	outside := t.TempDir()
	write(t, outside, map[string]string{"secret": "secret"})
	dir := t.TempDir()
	files := map[string]string{
		"search": script, "data/": "", "data/table": "table\n", "data/empty": "", "data/deep/": "", "data/deep/x": "x",
		"link": "->data/table", "data/up": "->../search", "folder": "->data",
	}
	write(t, dir, files)
	write(t, dir, map[string]string{
		"out": "->" + filepath.Join(outside, "secret"), "up": "->../" + filepath.Base(outside) + "/secret", "nowhere": "->missing", "away": "->" + outside,
		"data/chain": "->../out",
	})
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	before := contentsWithoutPipe(t, dir)
	m, err := copied(t, dir, proc.Spec{Path: filepath.Join(dir, "search"), Args: []string{filepath.Join(dir, "data", "table"), "data", filepath.Join(outside, "secret")}}, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if got := contents(t, m.Path()); !equal(got, files) {
		t.Errorf("the copy holds %q", got)
	}
	if len(m.warnings) != 4 || !strings.HasPrefix(m.warnings[0], "away is not in") || !strings.HasPrefix(m.warnings[3], "3 more ") {
		t.Errorf("warnings %q", m.warnings)
	}
	m.run(t)
	m.run(t)
	want := []string{
		"|in search 3 " + filepath.Join(m.Path(), "data", "table") + " data " + filepath.Join(outside, "secret"), "|table",
		"|in search 3 " + filepath.Join(m.Path(), "data", "table") + " data " + filepath.Join(outside, "secret"), "|table", "|more",
	}
	if !slices.Equal(m.lines, want) {
		t.Errorf("%q", m.lines)
	}
	if got := contentsWithoutPipe(t, dir); !equal(got, before) {
		t.Errorf("the folder itself has become %q", got)
	}
	write(t, m.Path(), map[string]string{"locked/": "", "locked/in/": ""})
	if err := os.Chmod(filepath.Join(m.Path(), "locked"), 0o500); err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	if list, err := os.ReadDir(m.where); err != nil || len(list) > 0 {
		t.Errorf("%d folders are left, %v", len(list), err)
	}
	if b, err := os.ReadFile(filepath.Join(outside, "secret")); err != nil || string(b) != "secret" {
		t.Errorf("%q %v", b, err)
	}
}

func contentsWithoutPipe(t *testing.T, dir string) map[string]string {
	t.Helper()
	pipe := filepath.Join(dir, "pipe")
	if err := os.Remove(pipe); err != nil {
		t.Fatal(err)
	}
	c := contents(t, dir)
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	return c
}

func equal(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if b[k] != v {
			return false
		}
	}
	return true
}

// A program that lies elsewhere runs where it lies, with the copy as its working
// directory; so does one that a link in the folder leads to.
func TestProgramElsewhere(t *testing.T) {
	bin, dir := t.TempDir(), t.TempDir()
	write(t, bin, map[string]string{"run": "#!/bin/sh\ncat data; pwd\n"})
	write(t, dir, map[string]string{"data": "here", "search": "->" + filepath.Join(bin, "run")})
	for _, path := range []string{filepath.Join(bin, "run"), filepath.Join(dir, "search")} {
		m, err := copied(t, dir, proc.Spec{Path: path}, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		m.run(t)
		if want := []string{"|here" + m.Path()}; !slices.Equal(m.lines, want) {
			t.Errorf("%s: %q, want %q", path, m.lines, want)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

// What cannot be copied is told before anything is made.
func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"search": script, "data/": "", "data/table": strings.Repeat("x", 3<<20)})
	for _, tt := range []struct {
		dir, path string
		most      int64
		want      string
	}{
		{dir, filepath.Join(dir, "search"), 2 << 20, "which holds more than 2 MB or 20000 files: give the engine a folder of its own (dir=)"},
		{filepath.Join(dir, "missing"), filepath.Join(dir, "search"), 1 << 30, "cannot copy the engine's folder"},
		{filepath.Join(dir, "search"), filepath.Join(dir, "search"), 1 << 30, "cannot copy the engine's folder"},
		{dir, "search", 1 << 30, "must be absolute"},
	} {
		m, err := copied(t, tt.dir, proc.Spec{Path: tt.path}, tt.most)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v", tt, err)
		}
		if list, err := os.ReadDir(m.where); err != nil || len(list) > 0 {
			t.Errorf("%+v: %d folders are left, %v", tt, len(list), err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := folder.Copy(ctx, folder.Spec{Process: proc.Spec{Path: filepath.Join(dir, "search")}, MostBytes: 1 << 30, Where: t.TempDir()}); err == nil {
		t.Error("a copy was made after the end")
	}
}

func TestTooManyFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"search": script, "data/": "", "data/a": "", "data/b": "->a"})
	for most, want := range map[int]bool{3: false, 4: true} {
		f, err := folder.Copy(context.Background(), folder.Spec{
			Process: proc.Spec{Path: filepath.Join(dir, "search")}, MostBytes: 1 << 20, MostFiles: most, Where: t.TempDir(),
		})
		if (err == nil) != want || err != nil && !strings.Contains(err.Error(), "3 files") {
			t.Errorf("%d files: %v", most, err)
		}
		if f != nil {
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
