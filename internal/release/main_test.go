package main

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestRelease makes a release of this test program: archives hold what they should, all
// checksums are those of the files, the bill names modules, and no manifest has a hole.
func TestRelease(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	put := func(name string, data []byte) {
		t.Helper()
		name = filepath.Join(in, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, data, 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	var targets []string
	for _, system := range systems {
		for _, machine := range []string{"amd64", "arm64"} {
			target, name := system+"_"+machine, "kibitz"
			if system == "windows" {
				name += ".exe"
			}
			targets = append(targets, target)
			put(filepath.Join(target, name), program)
		}
	}
	put("share/man/kibitz.1", []byte("manual"))
	put("share/completion/kibitz.bash", []byte("completion"))
	put("share/LICENSE", []byte("licence"))
	put("share/kibitz.service", []byte("unit"))
	for _, name := range []string{"../out/kibitz_1.2.3_amd64.deb", "../out/kibitz-1.2.3-1.x86_64.rpm"} {
		put(name, []byte("package"))
	}
	r := release{Version: "1.2.3", URL: "https://example.org/kibitz/1.2.3", in: in, out: out}
	if err := r.make(); err != nil {
		t.Fatal(err)
	}

	tarred := namesInTar(t, filepath.Join(out, "kibitz_1.2.3_linux_amd64.tar.gz"))
	top := "kibitz_1.2.3/"
	if want := []string{top + "LICENSE", top + "completion/kibitz.bash", top + "kibitz*", top + "kibitz.service", top + "man/kibitz.1"}; !slices.Equal(tarred, want) {
		t.Errorf("archive of Linux: %q, want %q", tarred, want)
	}
	z, err := zip.OpenReader(filepath.Join(out, "kibitz_1.2.3_windows_arm64.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if _, err := z.Open("kibitz.exe"); err != nil {
		t.Error(err)
	}

	sums, err := os.ReadFile(filepath.Join(out, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for s := bufio.NewScanner(bytes.NewReader(sums)); s.Scan(); lines++ {
		sum, name, _ := strings.Cut(s.Text(), "  ")
		if got, err := sumOf(filepath.Join(out, name)); err != nil || got != sum {
			t.Errorf("%s: %s, want %s (%v)", name, got, sum, err)
		}
	}
	if lines != 2*len(targets)+2 {
		t.Errorf("%d checksums of %d archives, as many bills and 2 packages", lines, len(targets))
	}

	var bill struct {
		BOMFormat  string
		Components []component
	}
	read(t, filepath.Join(out, "kibitz_1.2.3_darwin_arm64.cdx.json"), &bill)
	if bill.BOMFormat != "CycloneDX" || len(bill.Components) == 0 || bill.Components[0].Name != "std" {
		t.Errorf("bill of materials: %+v", bill)
	}
	var scoop struct {
		Architecture map[string]struct{ URL, Hash string }
	}
	read(t, filepath.Join(out, "scoop/kibitz.json"), &scoop)
	if got := scoop.Architecture["arm64"].Hash; got != r.Sums["windows_arm64"] {
		t.Errorf("Scoop has %q", got)
	}
	for name, sums := range map[string][]string{
		"homebrew/kibitz.rb":                     {"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64"},
		"winget/Kibitz.Kibitz.installer.yaml":    {"windows_amd64", "windows_arm64"},
		"winget/Kibitz.Kibitz.yaml":              nil,
		"winget/Kibitz.Kibitz.locale.en-US.yaml": nil,
		"aur/PKGBUILD":                           {"linux_amd64", "linux_arm64"},
	} {
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, target := range sums {
			if !strings.Contains(string(text), r.Sums[target]) || !strings.Contains(string(text), r.URL+"/"+r.Archive(target)) {
				t.Errorf("%s lacks the archive of %s", name, target)
			}
		}
		if !strings.Contains(string(text), "1.2.3") || strings.Contains(string(text), "{{") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
	if bash, err := exec.LookPath("bash"); err == nil {
		if text, err := exec.Command(bash, "-n", filepath.Join(out, "aur/PKGBUILD")).CombinedOutput(); err != nil {
			t.Errorf("PKGBUILD: %s", text)
		}
	}

	// The same sources make the same archives; what names an archive that was not made is left out.
	was := r.Sums["linux_amd64"]
	if err := os.RemoveAll(filepath.Join(in, "windows_arm64")); err != nil {
		t.Fatal(err)
	}
	r.out = filepath.Join(dir, "again")
	if err := r.make(); err != nil {
		t.Fatal(err)
	}
	if r.Sums["linux_amd64"] != was {
		t.Error("the same files made another archive")
	}
	if _, err := os.Stat(filepath.Join(r.out, "scoop/kibitz.json")); err == nil {
		t.Error("Scoop's file was written without an archive")
	}
}

// namesInTar are the files of an archive, those that can be run with a star.
func namesInTar(t *testing.T, name string) (names []string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return names
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Mode&0o100 != 0 {
			h.Name += "*"
		}
		names = append(names, h.Name)
	}
}

func read(t *testing.T, name string, v any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}
