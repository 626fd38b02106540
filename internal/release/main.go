// Command release makes what is offered for download of programs that are built already:
// archives with manual pages and completion, a bill of materials for each program, checksums,
// and the files by which Homebrew, Scoop, winget and the AUR find them. Everything is made of
// the same list, so no two of them can differ.
package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"embed"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
	"time"
)

//go:embed templates
var templates embed.FS

func main() {
	r := release{}
	flag.StringVar(&r.Version, "version", "", "version, without v")
	flag.StringVar(&r.URL, "url", "", "where the files will lie")
	flag.StringVar(&r.in, "in", "build/release", "folder with SYSTEM_MACHINE/kibitz, and share/ and text files for all archives")
	flag.StringVar(&r.out, "out", "dist", "folder for what is made")
	flag.Parse()
	if err := r.make(); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release is what is offered, and what templates may name.
type release struct {
	Version, URL string
	// Sums are the SHA-256 sums of the archives, by SYSTEM_MACHINE.
	Sums    map[string]string
	in, out string
}

// systems are those that an archive can be for.
var systems = []string{"linux", "darwin", "windows"}

func (r *release) make() error {
	if r.Version == "" || r.URL == "" {
		return fmt.Errorf("-version and -url must be given")
	}
	r.Sums = map[string]string{}
	targets, err := filepath.Glob(filepath.Join(r.in, "*_*"))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	for _, dir := range targets {
		if err := r.target(filepath.Base(dir)); err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
	}
	if len(r.Sums) == 0 {
		return fmt.Errorf("%s has no programs", r.in)
	}
	if err := r.manifests(); err != nil {
		return err
	}
	return r.checksums()
}

// Archive is the name of the archive of a target.
func (r *release) Archive(target string) string {
	if strings.HasPrefix(target, "windows_") {
		return fmt.Sprintf("kibitz_%s_%s.zip", r.Version, target)
	}
	return fmt.Sprintf("kibitz_%s_%s.tar.gz", r.Version, target)
}

// Sum is the checksum of an archive; one that was not made has none, and a template says so.
func (r *release) Sum(target string) (string, error) {
	if sum := r.Sums[target]; sum != "" {
		return sum, nil
	}
	return "", fmt.Errorf("there is no archive for %s", target)
}

// target makes the archive and the bill of materials of one system.
func (r *release) target(target string) error {
	system, _, _ := strings.Cut(target, "_")
	if !slices.Contains(systems, system) {
		return fmt.Errorf("no system that is known: %s", strings.Join(systems, " "))
	}
	program := "kibitz"
	if system == "windows" {
		program += ".exe"
	}
	files := map[string]string{program: filepath.Join(r.in, target, program)}
	share := filepath.Join(r.in, "share")
	if err := filepath.WalkDir(share, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(share, name)
		files[filepath.ToSlash(rel)] = name
		return err
	}); err != nil {
		return err
	}
	if err := sbom(files[program], filepath.Join(r.out, fmt.Sprintf("kibitz_%s_%s.cdx.json", r.Version, target)), r.Version); err != nil {
		return err
	}
	name := filepath.Join(r.out, r.Archive(target))
	var err error
	if system == "windows" {
		err = writeZip(name, files)
	} else {
		err = writeTar(name, "kibitz_"+r.Version, files)
	}
	if err != nil {
		return err
	}
	r.Sums[target], err = sumOf(name)
	return err
}

// modeOf is the mode of a file in an archive: the program can be run.
func modeOf(name string) int64 {
	if name == "kibitz" || name == "kibitz.exe" {
		return 0o755
	}
	return 0o644
}

// epoch is the time of all files in archives: the same sources make the same archive.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func writeTar(name, top string, files map[string]string) error {
	return create(name, func(w io.Writer) error {
		z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
		if err != nil {
			return err
		}
		t := tar.NewWriter(z)
		for _, n := range slices.Sorted(maps.Keys(files)) {
			data, err := os.ReadFile(files[n])
			if err != nil {
				return err
			}
			if err := t.WriteHeader(&tar.Header{Name: path.Join(top, n), Mode: modeOf(n), Size: int64(len(data)), ModTime: epoch}); err != nil {
				return err
			}
			if _, err := t.Write(data); err != nil {
				return err
			}
		}
		if err := t.Close(); err != nil {
			return err
		}
		return z.Close()
	})
}

func writeZip(name string, files map[string]string) error {
	return create(name, func(w io.Writer) error {
		z := zip.NewWriter(w)
		for _, n := range slices.Sorted(maps.Keys(files)) {
			data, err := os.ReadFile(files[n])
			if err != nil {
				return err
			}
			h := &zip.FileHeader{Name: n, Method: zip.Deflate, Modified: epoch}
			h.SetMode(fs.FileMode(modeOf(n)))
			f, err := z.CreateHeader(h)
			if err != nil {
				return err
			}
			if _, err := f.Write(data); err != nil {
				return err
			}
		}
		return z.Close()
	})
}

func create(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}

// component is a part of a program in CycloneDX.
type component struct {
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl,omitempty"`
}

// sbom writes the modules that are in a program, as the program itself says, in CycloneDX 1.6.
func sbom(program, name, version string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	std := strings.TrimPrefix(info.GoVersion, "go")
	list := []component{{Type: "library", Name: "std", Version: std, PURL: "pkg:golang/std@" + std}}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		list = append(list, component{Type: "library", Name: m.Path, Version: m.Version, PURL: "pkg:golang/" + m.Path + "@" + m.Version})
	}
	text, err := json.MarshalIndent(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata":   map[string]any{"component": component{Type: "application", Name: "kibitz", Version: version}},
		"components": list,
	}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(text, '\n'), 0o644)
}

// manifests fills the templates; one that needs an archive which was not made is left out.
func (r *release) manifests() error {
	return fs.WalkDir(templates, "templates", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := templates.ReadFile(name)
		if err != nil {
			return err
		}
		t, err := template.New(name).Parse(string(data))
		if err != nil {
			return err
		}
		var out strings.Builder
		if err := t.Execute(&out, r); err != nil {
			fmt.Fprintf(os.Stderr, "release: left out: %v\n", err)
			return nil
		}
		to := filepath.Join(r.out, filepath.FromSlash(strings.TrimSuffix(strings.TrimPrefix(name, "templates/"), ".tmpl")))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		return os.WriteFile(to, []byte(out.String()), 0o644)
	})
}

func sumOf(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // it was only read
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// checksums writes SHA256SUMS of all files for download, as sha256sum -c reads it.
func (r *release) checksums() error {
	names, err := filepath.Glob(filepath.Join(r.out, "kibitz?*")) // .rpm has a hyphen
	if err != nil {
		return err
	}
	slices.Sort(names)
	var out strings.Builder
	for _, name := range names {
		sum, err := sumOf(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "%s  %s\n", sum, filepath.Base(name))
	}
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(out.String()), 0o644)
}
