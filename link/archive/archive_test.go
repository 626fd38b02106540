package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// entry is a file of a test archive.
type entry struct {
	name, text string
	mode       fs.FileMode
	method     uint16
	flags      uint16
	// size is what the archive says of the file, if it lies.
	size uint64
	sum  uint32 // 0 is not checked
}

// pack returns an archive as bytes; nothing is checked, so that it can be a bad one.
func pack(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: e.method, Flags: e.flags}
		if e.mode != 0 {
			h.SetMode(e.mode)
		}
		h.CompressedSize64, h.UncompressedSize64 = uint64(len(e.text)), uint64(len(e.text))
		h.CRC32 = e.sum
		if e.size > 0 {
			h.UncompressedSize64 = e.size
		}
		f, err := w.CreateRaw(h)
		if err == nil {
			_, err = io.WriteString(f, e.text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func open(t testing.TB, data []byte) (*Archive, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "engine.zip")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := Open(path)
	if err == nil {
		t.Cleanup(func() { _ = a.Close() })
	}
	return a, err
}

// Programs in these tests: their first letters say what they are.
const (
	elf, win64, win32, text = "\x7fELF-native", "MZ64", "MZ32", "read me"
)

var system = System{
	Kinds: []Kind{Native, Windows64, Windows32},
	Kind: func(r io.ReaderAt) Kind {
		head := make([]byte, 4)
		_, _ = r.ReadAt(head, 0)
		switch string(head) {
		case "\x7fELF":
			return Native
		case win64:
			return Windows64
		case win32:
			return Windows32
		}
		return Other
	},
}

func TestChoose(t *testing.T) {
	windows := System{Kinds: []Kind{Windows32, Windows64}, Kind: system.Kind}
	for _, c := range []struct {
		name  string
		files map[string]string
		ask   string
		on    System
		want  string
		err   string
	}{
		{name: "one", files: map[string]string{"pbrain-a.exe": win32, "a.dll": win64, "readme.txt": text}, want: "pbrain-a.exe"},
		{name: "the wider of two", files: map[string]string{"pbrain-a.exe": win32, "pbrain-a64.exe": win64}, want: "pbrain-a64.exe"},
		{name: "the narrower where it alone runs", files: map[string]string{"pbrain-a.exe": win32, "pbrain-a64.exe": win64}, on: windows, want: "pbrain-a.exe"},
		{name: "both are of 64 bits, the name decides", files: map[string]string{"pbrain-a.exe": win64, "pbrain-a64.exe": win64}, want: "pbrain-a64.exe"},
		{name: "a name with 64 that is of 32 bits", files: map[string]string{"pbrain-c64.exe": win32}, want: "pbrain-c64.exe"},
		{name: "native first", files: map[string]string{"pbrain-a": elf, "pbrain-a64.exe": win64}, want: "pbrain-a"},
		{name: "capitals", files: map[string]string{"PBRAIN-A.EXE": win64, "setup.exe": win64}, want: "PBRAIN-A.EXE"},
		{name: "one folder around all", files: map[string]string{"a/pbrain-a.exe": win64, "a/nn/pbrain-b.exe": win64}, want: "a/pbrain-a.exe"},
		{name: "the only program", files: map[string]string{"engine": elf, "book.bin": text}, want: "engine"},
		{name: "by name", files: map[string]string{"pbrain-a.exe": win64, "old/Other.exe": win32}, ask: "old/other.exe", want: "old/Other.exe"},
		{name: "not below the top", files: map[string]string{"bin/pbrain-a.exe": win64, "readme.txt": text}, err: "no program at its top"},
		{name: "no program", files: map[string]string{"readme.txt": text}, err: "no program at its top"},
		{name: "two", files: map[string]string{"pbrain-a.exe": win64, "pbrain-b.exe": win64}, err: "could both be the engine: name one"},
		{name: "several without the prefix", files: map[string]string{"a.exe": win64, "b.exe": win64}, err: "name one, as in cmd=ENGINE.zip/a.exe"},
		{name: "no such name", files: map[string]string{"pbrain-a.exe": win64}, ask: "pbrain-b.exe", err: `holds no "pbrain-b.exe"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var entries []entry
			for name, text := range c.files {
				entries = append(entries, entry{name: name, text: text})
			}
			a, err := open(t, pack(t, entries...))
			if err != nil {
				t.Fatal(err)
			}
			if c.on.Kind == nil {
				c.on = system
			}
			got, _, err := a.Choose(c.ask, c.on)
			switch {
			case c.err == "" && (err != nil || got != c.want):
				t.Errorf("chosen is %q (%v), not %q", got, err, c.want)
			case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
				t.Errorf("error %v, want one with %q", err, c.err)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	many := make([]entry, MostFiles+1)
	for i := range many {
		many[i].name = strings.Repeat("x", 1+i%7) + string(rune('a'+i%26)) + filepath.Base(t.Name()) + string(rune(0x4e00+i))
	}
	for _, c := range []struct {
		name    string
		entries []entry
		err     string
	}{
		{"upwards", []entry{{name: "../pbrain-a.exe"}}, "leads out of the folder"},
		{"upwards in the middle", []entry{{name: "a/../../b"}}, "leads out of the folder"},
		{"upwards as Windows writes it", []entry{{name: `..\b`}}, "leads out of the folder"},
		{"from the root", []entry{{name: "/etc/cron.d/x"}}, "leads out of the folder"},
		{"a drive", []entry{{name: `C:\autoexec.bat`}}, "leads out of the folder"},
		{"line break", []entry{{name: "a\nb"}}, "leads out of the folder"},
		{"link", []entry{{name: "a", text: "/etc", mode: fs.ModeSymlink | 0o777}}, "symbolic link"},
		{"device", []entry{{name: "a", mode: fs.ModeDevice | 0o666}}, "neither a file nor a folder"},
		{"password", []entry{{name: "a", text: "x", flags: 1}}, "locked by a password"},
		{"method", []entry{{name: "a", text: "x", method: 14}}, "packed by method 14"},
		{"twice", []entry{{name: "a"}, {name: "A"}}, "twice"},
		{"file and folder", []entry{{name: "a", text: "x"}, {name: "a/b"}}, "file and the folder"},
		{"too large", []entry{{name: "a", size: MostBytes + 1}}, "larger than 2048 MB"},
		{"too large together", []entry{{name: "a", size: MostBytes/2 + 1}, {name: "b", size: MostBytes / 2}}, "larger than 2048 MB"},
		{"too many", many, "more than 5000"},
		{"long name", []entry{{name: strings.Repeat("a", 2000)}}, "too long"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := open(t, pack(t, c.entries...)); err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("error %v, want one with %q", err, c.err)
			}
		})
	}
	if _, err := open(t, []byte("no archive")); err == nil || !strings.Contains(err.Error(), "no ZIP file") {
		t.Errorf("what is no archive: %v", err)
	}
}

func TestUnpack(t *testing.T) {
	a, err := open(t, pack(t,
		entry{name: "pbrain-a.exe", text: win64}, entry{name: "run.sh", text: "#!/bin/sh\n"}, entry{name: "tool", text: "x", mode: 0o755},
		entry{name: `nn\net.bin`, text: "weights"}, entry{name: "empty/", mode: fs.ModeDir | 0o700}, entry{name: "setuid", text: "x", mode: fs.ModeSetuid | 0o644},
	))
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "deep", "engine")
	if err := a.Unpack(context.Background(), to); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{
		"pbrain-a.exe": 0o755, "run.sh": 0o755, "tool": 0o755, "nn/net.bin": 0o644, "empty": fs.ModeDir | 0o755, "setuid": 0o644,
	} {
		st, err := os.Lstat(filepath.Join(to, name))
		if err != nil {
			t.Error(err)
		} else if st.Mode() != want {
			t.Errorf("%s has the mode %v, not %v", name, st.Mode(), want)
		}
	}
	if b, _ := os.ReadFile(filepath.Join(to, "nn", "net.bin")); string(b) != "weights" {
		t.Errorf("nn/net.bin holds %q", b)
	}
	if err := a.Unpack(context.Background(), to); err == nil {
		t.Error("unpacked over a folder that was there")
	}
	rest, err := os.ReadDir(filepath.Dir(to))
	if err != nil || len(rest) != 1 {
		t.Errorf("beside the unpacked folder lies %v (%v)", rest, err)
	}
}

// An archive that names too small a size, or a wrong sum, is not unpacked in part.
func TestLies(t *testing.T) {
	for _, c := range []struct {
		name string
		size uint64
		sum  uint32
	}{{"smaller", 3, 0}, {"larger", 100, 0}, {"wrong sum", 0, 1}} {
		t.Run(c.name, func(t *testing.T) {
			a, err := open(t, pack(t, entry{name: "a", text: "ten letters", size: c.size, sum: c.sum}))
			if err != nil {
				return // the reader has seen it at once
			}
			to := filepath.Join(t.TempDir(), "engine")
			if err := a.Unpack(context.Background(), to); err == nil {
				t.Error("unpacked")
			}
			if rest, _ := os.ReadDir(filepath.Dir(to)); len(rest) != 0 {
				t.Errorf("%v is left", rest)
			}
		})
	}
}

func TestIsNative(t *testing.T) {
	head := func(magic string, machine uint16) []byte {
		b := make([]byte, 64)
		copy(b, magic)
		binary.LittleEndian.PutUint16(b[18:], machine)
		return b
	}
	mac := make([]byte, 64)
	copy(mac, "\xcf\xfa\xed\xfe\x0c\x00\x00\x01")
	for _, c := range []struct {
		data            []byte
		system, machine string
		want            bool
	}{
		{head("\x7fELF", 62), "linux", "amd64", true},
		{head("\x7fELF", 183), "linux", "amd64", false},
		{head("\x7fELF", 183), "linux", "arm64", true},
		{head("\x7fELF", 0), "linux", "riscv64", false},
		{head("\x7fELF", 62), "darwin", "amd64", false},
		{mac, "darwin", "arm64", true},
		{mac, "darwin", "amd64", false},
		{[]byte("\x7fELF"), "linux", "amd64", false},
	} {
		if got := IsNative(bytes.NewReader(c.data), c.system, c.machine); got != c.want {
			t.Errorf("IsNative(%q..., %s, %s) = %v", c.data[:4], c.system, c.machine, got)
		}
	}
}

// Whatever an archive holds, what is accepted can be listed and stays in its folder.
func FuzzOpen(f *testing.F) {
	f.Add(pack(f, entry{name: "pbrain-a.exe", text: win64}, entry{name: "nn/net", text: "x"}))
	f.Add(pack(f, entry{name: "a/pbrain-a.exe", text: win32, size: 5}, entry{name: `a\b`, text: "x"}))
	f.Add(pack(f, entry{name: "../a", text: "x"}))
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Fuzz(func(t *testing.T, data []byte) {
		files, err := list(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		total := uint64(0)
		for _, x := range files {
			if !filepath.IsLocal(filepath.FromSlash(x.name)) {
				t.Errorf("%q is not within the folder", x.name)
			}
			total += x.zip.UncompressedSize64
		}
		a := &Archive{files: files}
		if name, _, err := a.Choose("", system); err == nil && name == "" {
			t.Error("nothing was chosen and nobody says why")
		}
		if total > 1<<20 || len(files) > 20 {
			return
		}
		dir := t.TempDir()
		if err := a.Unpack(context.Background(), filepath.Join(dir, "in", "engine")); err == nil {
			if rest, _ := os.ReadDir(dir); len(rest) != 1 {
				t.Errorf("%v lies beside the folder", rest)
			}
		}
	})
}
