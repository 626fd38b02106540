package protocol_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"kibitz/link"
	"kibitz/link/linktest"
	"kibitz/protocol"
)

// TestLines reads to the end of a manager, of a context, of what may be sent, and of
// the reader's patience.
func TestLines(t *testing.T) {
	read := func(ctx context.Context, conn link.Conn, most int) (got []string, last error) {
		for line, err := range protocol.Lines(ctx, conn) {
			if last = err; err == nil {
				got = append(got, line)
			}
			if len(got) == most {
				break
			}
		}
		return got, last
	}
	synctest.Test(t, func(t *testing.T) {
		for _, tt := range []struct {
			script string
			most   int
			want   string
		}{
			{"< a\n< b\n!close", 9, "a b"},
			{"!exit 1", 9, ""},
			{"< a\n< b\n~ 1h", 9, "a b"}, // the context ends first
			{"< a\n< b\n< c", 2, "a b"},
		} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			conn, _ := linktest.Start(t, tt.script)
			got, err := read(ctx, conn, tt.most)
			if err != nil || strings.Join(got, " ") != tt.want {
				t.Errorf("%q: %q, %v", tt.script, got, err)
			}
			cancel()
		}
	})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	conn, _ := linktest.Start(t, "< a")
	if got, err := read(ended, conn, 9); got != nil || err != nil {
		t.Errorf("%q, %v after the end of the context", got, err)
	}
	broken := link.NewStream(iotest.ErrReader(fmt.Errorf("no frame: %w", link.ErrGarbled)), io.Discard, nil, link.Options{})
	if got, err := read(t.Context(), broken, 9); got != nil || !errors.Is(err, link.ErrGarbled) {
		t.Errorf("%q, %v of a manager whose bytes have no sense", got, err)
	}
}

// TestServer logs to whoever listens, and plays with what it was given.
func TestServer(t *testing.T) {
	s := protocol.Server{Now: time.Now}
	s.Logf("nobody hears %d", 1)
	var said []string
	s.Log = func(text string) { said = append(said, text) }
	s.Logf("not understood: %s", "x")
	if want := []string{"not understood: x"}; !slices.Equal(said, want) {
		t.Errorf("%q, want %q", said, want)
	}
	s.Limits.Depth = 3
	if session := s.Session(); session.Limits != s.Limits || session.Now == nil {
		t.Errorf("%+v", session)
	}
}
