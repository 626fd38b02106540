package join

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Who writes http:// where the hall has TLS, or the address of a room, is told what to write.
func TestAddresses(t *testing.T) {
	for _, status := range []int{http.StatusMovedPermanently, http.StatusFound} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://hall.example"+r.URL.Path, status)
		}))
		defer s.Close()
		h, err := NewClient(s.URL, "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.account(t.Context()); err == nil || !strings.Contains(err.Error(), "leads to https://hall.example: write that address") {
			t.Errorf("%d: %v", status, err)
		}
	}
	for address, want := range map[string]string{
		"https://hall.example/rooms/5f0c21":       `is the address of a room: write https://hall.example --room 5f0c21`,
		"http://localhost:8080/games/rooms/a?b=c": `has no name, query or fragment`,
	} {
		if _, err := NewClient(address, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", address, err)
		}
	}
}
