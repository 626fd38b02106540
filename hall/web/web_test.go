package web

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/andybalholm/brotli"
)

func get(a http.Handler, method, path, encoding string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	if encoding != "" {
		r.Header.Set("Accept-Encoding", encoding)
	}
	w := httptest.NewRecorder()
	a.ServeHTTP(w, r)
	return w
}

func TestAssets(t *testing.T) {
	a, err := OpenAssets()
	if err != nil {
		t.Fatal(err)
	}
	for name, kind := range map[string]string{"board.js": "text/javascript; charset=utf-8", "board.css": "text/css; charset=utf-8"} {
		x, err := a.Asset(name)
		if err != nil {
			t.Fatal(err)
		}
		plain, _ := io.ReadAll(get(a, "GET", x.File, "").Body)
		r := get(a, "GET", x.File, "br;q=0, gzip;q=0.5")
		if r.Code != http.StatusOK || r.Header().Get("Content-Type") != kind || r.Header().Get("Cache-Control") != "public, max-age=31536000, immutable" || r.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: %d, %v", name, r.Code, r.Header())
		}
		z, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if packed, _ := io.ReadAll(z); string(packed) != string(plain) || len(plain) < 100 {
			t.Errorf("%s: %d bytes plain, %d packed", name, len(plain), len(packed))
		}
		r = get(a, "GET", x.File, "gzip, br")
		if small, err := io.ReadAll(brotli.NewReader(r.Body)); err != nil || string(small) != string(plain) || r.Header().Get("Content-Encoding") != "br" {
			t.Errorf("%s: %d bytes in Brotli, %v: %v", name, len(small), r.Header(), err)
		}
		if r := get(a, "GET", x.File, "gzip;q=0"); r.Header().Get("Content-Encoding") != "" {
			t.Errorf("%s is packed for who does not take it", name)
		}
		if r := get(a, "HEAD", x.File, ""); r.Code != http.StatusOK || r.Header().Get("Content-Length") != strconv.Itoa(len(plain)) {
			t.Errorf("%s: HEAD: %d of %d bytes", name, r.Code, r.Body.Len())
		}
		if r := get(a, "POST", x.File, ""); r.Code != http.StatusMethodNotAllowed {
			t.Errorf("%s: POST: %d", name, r.Code)
		}
	}
	for _, path := range []string{"/assets/", "/assets/board.js", "/assets/manifest.json", "/assets/../web.go", "/assets/none.js", "/board.js"} {
		if r := get(a, "GET", path, ""); r.Code != http.StatusNotFound || r.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d, %v", path, r.Code, r.Header())
		}
	}
	if _, err := a.Asset("none.js"); err == nil {
		t.Error("an asset that does not exist is found")
	}
}

// The script of a board, with all that it imports, stays as small as spec/browser.md says.
func TestWeight(t *testing.T) {
	const most = 22_000
	a, err := OpenAssets()
	if err != nil {
		t.Fatal(err)
	}
	x, err := a.Asset("board.js")
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, file := range append([]string{x.File}, x.Needs...) {
		sum += get(a, "GET", file, "br").Body.Len()
	}
	if sum < most/2 || sum > most {
		t.Errorf("the script of a board has %d bytes, not up to %d", sum, most)
	}
}

func TestBrokenAssets(t *testing.T) {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	for name, root := range map[string]fstest.MapFS{
		"no manifest":  {"a-1.js": file("x")},
		"no JSON":      {"manifest.json": file("{")},
		"missing file": {"manifest.json": file(`{"a.js":{"file":"a-1.js"}}`)},
		"missing part": {"manifest.json": file(`{"a.js":{"file":"a-1.js","needs":["b-1.js"]}}`), "a-1.js": file("x"), "a-1.js.br": file("x")},
		"unknown type": {"manifest.json": file(`{}`), "a.exe": file("x")},
		"not squeezed": {"manifest.json": file(`{}`), "a-1.js": file("x")},
	} {
		if _, err := openAssets(root); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// What is committed is what the sources make.
func TestCurrent(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the bundle")
	}
	out := filepath.Join(t.TempDir(), "dist")
	cmd := exec.Command("go", "run", "kibitz/internal/webbundle", "-out", out)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	names := func(dir string) string {
		list, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, e := range list {
			data, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			b.WriteString(e.Name() + "\n" + string(data) + "\n")
		}
		return b.String()
	}
	for _, name := range []string{"report.js", "report.css"} {
		fresh, err := os.ReadFile(filepath.Join(filepath.Dir(out), name))
		if err != nil {
			t.Fatal(err)
		}
		if kept, err := os.ReadFile(filepath.Join("../../report/assets", name)); err != nil || string(kept) != string(fresh) {
			t.Errorf("report/assets/%s is not what the sources make: run go generate ./hall/web and commit it (%v)", name, err)
		}
	}
	if names(out) != names("dist") {
		t.Error("hall/web/dist is not what the sources make: run go generate ./hall/web and commit it")
	}
}
