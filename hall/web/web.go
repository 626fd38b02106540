// Package web is what the hall sends to browsers: scripts and styles of boards, made
// of the sources below src and committed under dist.
package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

//go:generate go run kibitz/internal/webbundle

//go:embed dist
var dist embed.FS

// Prefix is where the files are served.
const Prefix = "/assets/"

// Asset is a script or style that a page names.
type Asset struct {
	// File is its name under Prefix, which changes whenever its content does.
	File string `json:"file"`
	// Needs are the names of the files that a script imports, to be fetched with it.
	Needs []string `json:"needs,omitempty"`
}

// Assets serves the files of dist, each under a name that holds a hash of its content,
// so that browsers may keep them for ever. It never changes.
type Assets struct {
	names map[string]Asset
	files map[string]file
}

type file struct {
	kind   string
	plain  []byte
	brotli []byte
	gzip   func() []byte // made when it is first asked for; nil if that saves nothing
	// source is how a Content-Security-Policy allows the file's text within a page (CSP 3, 2.3.1).
	source func() string
}

// OpenAssets reads the files. It fails if what is built in is not whole.
func OpenAssets() (*Assets, error) {
	root, err := fs.Sub(dist, "dist")
	if err != nil {
		return nil, err
	}
	return openAssets(root)
}

func openAssets(root fs.FS) (*Assets, error) {
	a := &Assets{names: map[string]Asset{}, files: map[string]file{}}
	data, err := fs.ReadFile(root, "manifest.json")
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &a.names); err != nil {
		return nil, fmt.Errorf("manifest.json: %w", err)
	}
	list, err := fs.ReadDir(root, ".")
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		kind, ok := kinds()[path.Ext(e.Name())]
		if e.Name() == "manifest.json" || path.Ext(e.Name()) == ".br" {
			continue
		}
		if !ok {
			return nil, fmt.Errorf("%s: no type of content is known for this name", e.Name())
		}
		f := file{kind: kind}
		if f.plain, err = fs.ReadFile(root, e.Name()); err != nil {
			return nil, err
		}
		if f.brotli, err = fs.ReadFile(root, e.Name()+".br"); err != nil {
			return nil, err
		}
		f.gzip = sync.OnceValue(func() []byte { return pack(f.plain) })
		f.source = sync.OnceValue(func() string { return sourceOf(f.plain) })
		a.files[e.Name()] = f
	}
	for name, x := range a.names {
		for _, n := range append([]string{x.File}, x.Needs...) {
			if _, ok := a.files[n]; !ok {
				return nil, fmt.Errorf("%s is made of %s, which does not exist", name, n)
			}
		}
	}
	return a, nil
}

// kinds are the types of content by the ends of names.
func kinds() map[string]string {
	return map[string]string{
		".js":    "text/javascript; charset=utf-8",
		".css":   "text/css; charset=utf-8",
		".svg":   "image/svg+xml",
		".json":  "application/json",
		".webp":  "image/webp",
		".woff2": "font/woff2",
	}
}

// pack compresses, and returns nothing if that saves nothing.
func pack(data []byte) []byte {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err == nil {
		_, err = z.Write(data)
		err = errors.Join(err, z.Close())
	}
	if err != nil || b.Len() >= len(data) {
		return nil
	}
	return b.Bytes()
}

// Asset returns a script or style by the name of its source ("board.js"), with the
// paths under which its files are served. It fails for a name that is not built in.
func (a *Assets) Asset(name string) (Asset, error) {
	x, ok := a.names[name]
	if !ok {
		return Asset{}, fmt.Errorf("no script or style %q is built in", name)
	}
	out := Asset{File: Prefix + x.File}
	for _, n := range x.Needs {
		out.Needs = append(out.Needs, Prefix+n)
	}
	return out, nil
}

// Text returns the text of a style, to stand within a page; it fails for one that is not built in.
func (a *Assets) Text(name string) (string, error) {
	x, ok := a.names[name]
	if !ok {
		return "", fmt.Errorf("no style %q is built in", name)
	}
	return string(a.files[x.File].plain), nil
}

// Source is how a Content-Security-Policy allows the text of a style that is built in.
func (a *Assets) Source(name string) string { return a.files[a.names[name].File].source() }

func sourceOf(text []byte) string {
	sum := sha256.Sum256(text)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// ServeHTTP answers requests below Prefix.
func (a *Assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	f, ok := a.files[strings.TrimPrefix(r.URL.Path, Prefix)]
	if !ok || !strings.HasPrefix(r.URL.Path, Prefix) {
		w.Header().Set("Cache-Control", "no-store")
		http.Error(w, "no such file", http.StatusNotFound)
		return
	}
	head, body := w.Header(), f.plain
	head.Set("Content-Type", f.kind)
	head.Set("Cache-Control", "public, max-age=31536000, immutable")
	head.Add("Vary", "Accept-Encoding")
	if list := r.Header.Get("Accept-Encoding"); Accepts(list, "br") {
		head.Set("Content-Encoding", "br")
		body = f.brotli
	} else if Accepts(list, "gzip") {
		if packed := f.gzip(); packed != nil {
			head.Set("Content-Encoding", "gzip")
			body = packed
		}
	}
	head.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(body) // a client that has gone needs no answer
	}
}

// Accepts reports whether a browser takes an encoding, by its header Accept-Encoding (RFC 9110, 12.5.3).
func Accepts(list, encoding string) bool {
	for word := range strings.SplitSeq(list, ",") {
		name, rest, _ := strings.Cut(strings.TrimSpace(word), ";")
		if name == encoding || name == "*" {
			q, weighed := strings.CutPrefix(strings.ReplaceAll(rest, " ", ""), "q=")
			x, err := strconv.ParseFloat(q, 64)
			return !weighed || err != nil || x > 0
		}
	}
	return false
}
