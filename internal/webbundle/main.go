// Command webbundle makes hall/web/dist of the sources of web: scripts and styles with a
// hash of their content in their names, each beside itself in Brotli (RFC 7932), which takes a
// program of its own too long to make at every start, and a manifest that finds them; and in
// report/assets script and style of the page of a report. It needs
// nothing but Go; esbuild is a tool of tools/esbuild.mod.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
)

// entries are the sources that pages name, below the folder web: the explicit list.
func entries() []string {
	return []string{
		"src/board.css",
		"src/pages/site.css",
		"src/pages/front.css",
		"src/pages/frontlive.css",
		"src/pages/lists.css",
		"src/pages/console.css",
		"src/pages/game.css",
		"src/pages/noscript.css",
		"src/pages/room.css",
		"src/pages/waiting.css",
		"src/pages/site.ts",
		"src/pages/front.ts",
		"src/pages/play.ts",
		"src/pages/watch.ts",
		"src/pages/room.ts",
		"src/pages/challenge.ts",
		"src/pages/console.ts",
		"src/pages/game.ts",
		"src/pages/paste.ts",
		"src/pages/tournament.ts",
		"src/pages/settings.ts",
		"src/pages/learn.ts",
		"src/pages/learn.css",
	}
}

func main() {
	out := flag.String("out", "", "folder that is filled instead of hall/web/dist")
	flag.Parse()
	if err := bundle(*out); err != nil {
		fmt.Fprintln(os.Stderr, "webbundle:", err)
		os.Exit(1)
	}
}

// bundle fills a folder, hall/web/dist if none is named.
func bundle(out string) error {
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "kibitz").Output()
	if err != nil {
		return fmt.Errorf("the module is not found: %w", err)
	}
	folder := filepath.Join(strings.TrimSpace(string(root)), "hall", "web")
	page := filepath.Join(folder, "../../report/assets")
	if out == "" {
		out = filepath.Join(folder, "dist")
	} else {
		page = filepath.Dir(out)
	}
	if out, err = filepath.Abs(out); err != nil {
		return err
	}
	next, err := os.MkdirTemp(filepath.Dir(out), ".dist-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(next) //nolint:errcheck // a folder that stays is seen
	if err := run(folder, next); err != nil {
		return err
	}
	report := []string{"--format=iife", "--entry-names=[name]", "--outdir=" + page, "src/report/report.ts", "src/report/report.css"}
	if err := esbuild(folder, report...); err != nil {
		return err
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := os.Chmod(next, 0o755); err != nil { //nolint:gosec // sources, for everybody
		return err
	}
	return os.Rename(next, out)
}

// run calls esbuild in the folder web and writes the manifest of what it made.
func run(folder, out string) error {
	meta := filepath.Join(out, "meta.json")
	args := []string{
		"--splitting", "--format=esm", "--legal-comments=inline",
		// Browsers that know this line compile all functions while the page loads, not at the first press that calls them.
		"--banner:js=//# allFunctionsCalledOnLoad",
		"--entry-names=[name]-[hash]", "--chunk-names=part-[hash]", "--asset-names=[name]-[hash]", "--outdir=" + out, "--metafile=" + meta,
	}
	if err := esbuild(folder, append(args, entries()...)...); err != nil {
		return err
	}
	data, err := os.ReadFile(meta)
	if err != nil {
		return err
	}
	manifest, err := manifestOf(data)
	if err != nil {
		return err
	}
	if err := os.Remove(meta); err != nil {
		return err
	}
	if err := squeeze(out); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "manifest.json"), manifest, 0o644) //nolint:gosec // for everybody
}

// squeeze writes each file of a folder once more, in Brotli, with ".br" behind its name.
func squeeze(folder string) error {
	list, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, e := range list {
		name := filepath.Join(folder, e.Name())
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		w := brotli.NewWriterLevel(&b, brotli.BestCompression)
		if _, err := w.Write(data); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		if err := os.WriteFile(name+".br", b.Bytes(), 0o644); err != nil { //nolint:gosec // for everybody
			return err
		}
	}
	return nil
}

// esbuild calls it in the folder web.
func esbuild(folder string, args ...string) error {
	all := append([]string{
		"tool", "-modfile=../../tools/esbuild.mod", "esbuild", "--bundle", "--minify", "--target=es2022", "--charset=utf8", "--log-level=warning",
	}, args...)
	cmd := exec.Command("go", all...)
	cmd.Dir, cmd.Stderr = folder, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("esbuild: %w", err)
	}
	return nil
}

// asset is an entry of the manifest, as package web reads it: that package holds what
// is made here, so it is not imported.
type asset struct {
	File  string   `json:"file"`
	Needs []string `json:"needs,omitempty"`
}

// metafile is what esbuild tells of its outputs.
type metafile struct {
	Outputs map[string]struct {
		EntryPoint string `json:"entryPoint"`
		Bytes      int    `json:"bytes"`
		Imports    []struct {
			Path string `json:"path"`
			Kind string `json:"kind"`
		} `json:"imports"`
	} `json:"outputs"`
}

// manifestOf returns the manifest: the name of each entry as pages know it, its file,
// and the files that its script imports, directly or not, the largest first: they take longest.
func manifestOf(data []byte) ([]byte, error) {
	var m metafile
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, err
	}
	size := map[string]int{}
	for file, o := range m.Outputs {
		size[path.Base(file)] = o.Bytes
	}
	out := map[string]asset{}
	for file, o := range m.Outputs {
		if o.EntryPoint == "" {
			continue
		}
		var needs []string
		var follow func(string)
		follow = func(file string) {
			for _, i := range m.Outputs[file].Imports {
				if n := path.Base(i.Path); i.Kind == "import-statement" && !slices.Contains(needs, n) {
					needs = append(needs, n)
					follow(i.Path)
				}
			}
		}
		follow(file)
		slices.SortFunc(needs, func(a, b string) int { return cmp.Or(cmp.Compare(size[b], size[a]), cmp.Compare(a, b)) })
		source := path.Base(o.EntryPoint)
		name := strings.TrimSuffix(source, path.Ext(source)) + path.Ext(file)
		if _, twice := out[name]; twice {
			return nil, fmt.Errorf("two sources are called %s", name)
		}
		out[name] = asset{File: path.Base(file), Needs: needs}
	}
	list, err := json.MarshalIndent(out, "", "\t")
	return append(list, '\n'), err
}
