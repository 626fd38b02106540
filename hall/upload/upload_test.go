package upload

import (
	"strings"
	"testing"
)

// FuzzUpload: forms of files that say anything.
func FuzzUpload(f *testing.F) {
	f.Add("multipart/form-data; boundary=x", []byte("--x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.ggf\"\r\n\r\ndata\r\n--x--\r\n"))
	f.Add("multipart/form-data; boundary=x", []byte("--x\r\n"))
	f.Add("text/plain", []byte("data"))
	f.Fuzz(func(t *testing.T, kind string, body []byte) {
		files, err := Parse(kind, body)
		if (err == nil) != (len(files) > 0) {
			t.Fatalf("%d files and %v", len(files), err)
		}
		total := 0
		for _, u := range files {
			total += len(u.Data)
			if strings.ContainsAny(u.Name, "\\\n\r\x00") || strings.Contains(u.Name, "/") && u.Name != "/" || len([]rune(u.Name)) > 100 {
				t.Fatalf("name %q", u.Name)
			}
		}
		if total > len(body) {
			t.Fatalf("%d bytes out of %d", total, len(body))
		}
	})
}
