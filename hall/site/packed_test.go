package site

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestWriteBody(t *testing.T) {
	long := []byte(strings.Repeat("a page of a hall. ", 100))
	for _, c := range []struct {
		name, method, accept string
		body                 []byte
		packed               bool
	}{
		{"packed", http.MethodGet, "gzip, br", long, true},
		{"packed again, by the same writer", http.MethodGet, "gzip", long, true},
		{"who does not take it", http.MethodGet, "", long, false},
		{"who refuses it", http.MethodGet, "gzip;q=0", long, false},
		{"too short", http.MethodGet, "gzip", []byte("short"), false},
		{"the answer to a form", http.MethodPost, "gzip", long, false},
	} {
		h := &Site{}
		w, r := httptest.NewRecorder(), httptest.NewRequest(c.method, "/", nil)
		r.Header.Set("Accept-Encoding", c.accept)
		h.writeBody(w, r, http.StatusTeapot, c.body)
		got := w.Body.Bytes()
		if packed := w.Header().Get("Content-Encoding") == "gzip"; packed != c.packed {
			t.Errorf("%s: packed is %v", c.name, packed)
		} else if packed {
			z, err := gzip.NewReader(bytes.NewReader(got))
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if got, err = io.ReadAll(z); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
		}
		if w.Code != http.StatusTeapot || !bytes.Equal(got, c.body) {
			t.Errorf("%s: %d, %d bytes", c.name, w.Code, len(got))
		}
	}
}
