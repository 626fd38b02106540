package pages

import (
	"strings"
	"testing"
)

// Addresses of up to 300 characters have a code; a longer text has none that a camera reads.
func TestCodeLength(t *testing.T) {
	for n, want := range map[int]bool{28: true, mostQR: true, mostQR + 1: false} {
		code, err := qrCode(strings.Repeat("a", n), "code")
		if err != nil || (code != "") != want {
			t.Errorf("%d characters: a code of %d bytes, %v", n, len(code), err)
		}
	}
}
