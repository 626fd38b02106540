package router

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
)

func TestClientAddress(t *testing.T) {
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	for _, tc := range []struct{ peer, head, want string }{
		{"192.0.2.1:5", "198.51.100.9", "192.0.2.1"},
		{"10.1.1.1:5", "198.51.100.9", "198.51.100.9"},
		{"10.1.1.1:5", "1.2.3.4, 198.51.100.9, 10.2.2.2", "198.51.100.9"},
		{"10.1.1.1:5", "nonsense, 10.2.2.2", "10.2.2.2"},
		{"10.1.1.1:5", "", "10.1.1.1"},
		{"[::1]:5", "[2001:db8::1]:443", "2001:db8::1"},
		{"[::ffff:10.0.0.1]:5", "198.51.100.9", "198.51.100.9"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = tc.peer
		r.Header.Set("X-Forwarded-For", tc.head)
		if got := clientAddress(r, proxies).String(); got != tc.want {
			t.Errorf("%s %q: %s, want %s", tc.peer, tc.head, got, tc.want)
		}
	}
	if got := limitKey(netip.MustParseAddr("2001:db8:1:2:3::1")); got != "2001:db8:1:2::/64" {
		t.Error(got)
	}
}

// FuzzForwarded: X-Forwarded-For never makes a client one of the proxies' choosing.
func FuzzForwarded(f *testing.F) {
	f.Add("192.0.2.1, 10.0.0.1")
	f.Add("[2001:db8::1]:443")
	f.Add(",,")
	f.Fuzz(func(t *testing.T, head string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = "203.0.113.5:1"
		r.Header.Set("X-Forwarded-For", head)
		if got := clientAddress(r, nil).String(); got != "203.0.113.5" {
			t.Fatalf("%q is believed: %s", head, got)
		}
		if a := clientAddress(r, []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")}); !a.IsValid() || limitKey(a) == "" {
			t.Fatalf("%q: no address", head)
		}
	})
}
