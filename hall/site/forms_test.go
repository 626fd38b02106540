package site

import "testing"

// The form's fields that are no files say what the files are.
func TestImportFields(t *testing.T) {
	text := "--x\r\nContent-Disposition: form-data; name=\"format\"\r\n\r\nggf\r\n--x\r\nContent-Disposition: form-data; name=\"files\"; filename=\"spec\"\r\n\r\ndata\r\n--x\r\nContent-Disposition: form-data; name=\"spec\"\r\n\r\nothello\r\n--x--\r\n"
	if format, spec := importFields(`multipart/form-data; boundary=x`, []byte(text)); format != "ggf" || spec != "othello" {
		t.Errorf("%q %q", format, spec)
	}
	if format, spec := importFields("text/plain", []byte(text)); format != "" || spec != "" {
		t.Errorf("%q %q", format, spec)
	}
}

// Where a form goes on is always within the hall.
func TestBack(t *testing.T) {
	for to, want := range map[string]string{
		"/games?x=1": "/games?x=1", "": "/", "https://evil.example/": "/", "//evil.example": "/", `/\evil.example`: "/", "javascript:alert(1)": "/", "/a\r\nb": "/", "games": "/",
	} {
		if got := back(to); got != want {
			t.Errorf("back(%q) is %q, want %q", to, got, want)
		}
	}
}
