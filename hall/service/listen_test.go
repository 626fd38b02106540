package service

import (
	"strings"
	"testing"
)

// An address without its colon says what is wanted.
func TestListenWhere(t *testing.T) {
	for _, address := range []string{"8080", "localhost", "::1", ""} {
		if _, err := ListenWeb(t.Context(), address); err == nil || !strings.HasPrefix(err.Error(), "want HOST:PORT, such as") {
			t.Errorf("%q: %v", address, err)
		}
	}
}
