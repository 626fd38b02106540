package bus

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"
)

// encrypted opens a server with a certificate of its own, and returns its fingerprint.
func encrypted(t *testing.T) (b *Bus, pin string) {
	t.Helper()
	text := must(NewCertificate(time.Now()))(t)
	config, pin, err := ServerTLS(text, text)
	check(t, err)
	b = open(t, Options{Listen: "127.0.0.1:0", TLS: config, Admit: (&admitted{secret: map[string]string{"": "common", "ann": "a1"}}).admit})
	return b, pin
}

// A token with a fingerprint is all that a worker needs to speak to the right server.
func TestPinned(t *testing.T) {
	b, pin := encrypted(t)
	at := b.Addr().String()
	for _, o := range []Options{
		{URL: "nats://" + at, Token: JoinPin("ann.a1", pin)},
		{URL: "nats://" + JoinPin("ann.a1", pin) + "@" + at},
		{URL: "tls://" + at, Token: JoinPin("common", pin)},
		{URL: "nats://" + JoinPin("common", pin) + "@" + at + ", nats://" + JoinPin("common", pin) + "@" + at},
	} {
		o.Worker = true
		w := open(t, o)
		if _, err := w.conn.nc.TLSConnectionState(); err != nil {
			t.Errorf("%s: %v", o.URL, err)
		}
		want := "any-x"
		if strings.Contains(o.URL+o.Token, "ann") {
			want = "ann-x"
		}
		if id := w.WorkerID("x"); id != want {
			t.Errorf("the worker is %s, want %s", id, want)
		}
	}
}

// What cannot be is refused, before the token is shown, and said plainly.
func TestPinRefused(t *testing.T) {
	b, pin := encrypted(t)
	other, otherPin := encrypted(t)
	plain := open(t, Options{Listen: "127.0.0.1:0", Token: "common"})
	for name, c := range map[string]struct {
		addr  net.Addr
		token string
		want  error
	}{
		"no fingerprint":     {b.Addr(), "common", ErrUnpinned},
		"another server":     {other.Addr(), JoinPin("common", pin), ErrPin},
		"another key":        {b.Addr(), JoinPin("common", otherPin), ErrPin},
		"does not encrypt":   {plain.Addr(), JoinPin("common", pin), ErrPlain},
		"wrong secret":       {b.Addr(), JoinPin("wrong", pin), nil},
		"half a fingerprint": {b.Addr(), JoinPin("common", pin[:20]), nil},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		var why error
		w, err := Open(ctx, Options{URL: "nats://" + c.addr.String(), Token: c.token, Worker: true, Now: time.Now, Waits: func(_ string, _ time.Duration, err error) {
			if why = err; c.want == nil || errors.Is(err, c.want) {
				cancel()
			}
		}})
		cancel()
		if err == nil {
			w.Close()
		}
		if err == nil || c.want != nil && (!errors.Is(err, c.want) || !errors.Is(why, c.want)) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestSplitPin(t *testing.T) {
	for _, c := range [][3]string{
		{"ann.s", "ann.s", ""}, {"ann.s.sha256-x", "ann.s", "sha256-x"}, {"s.sha256-x", "s", "sha256-x"}, {"", "", ""}, {"sha256-x", "sha256-x", ""},
	} {
		if shown, pin := SplitPin(c[0]); shown != c[1] || pin != c[2] || JoinPin(shown, pin) != c[0] {
			t.Errorf("%q: %q %q", c[0], shown, pin)
		}
	}
}
