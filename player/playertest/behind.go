package playertest

import (
	"context"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"kibitz/game"
	"kibitz/link"
	"kibitz/player"
	"kibitz/protocol"
)

// Behind returns the host of a protocol with the engine side of the same protocol behind
// it, which answers with a server of its own for each connection. The host is closed by
// the caller; the test waits for the engines to end.
func Behind(t testing.TB, p protocol.Protocol, c protocol.Config, server func() protocol.Server) player.Player {
	t.Helper()
	var engines sync.WaitGroup
	t.Cleanup(engines.Wait)
	c.Dial = func(ctx context.Context) (link.Conn, error) {
		ours, theirs := link.Pipe()
		engines.Go(func() {
			s := server()
			_ = p.Serve(context.WithoutCancel(ctx), theirs, s)
			_ = theirs.Close()
			_ = s.Player.Close()
		})
		return ours, nil
	}
	h, err := p.Host(c)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// Canonical returns a function that spells specifications of a game out, on a position
// of board.
func Canonical(board func() player.Position) func(t testing.TB, spec game.Spec) game.Spec {
	return func(t testing.TB, spec game.Spec) game.Spec {
		t.Helper()
		b := board()
		if err := b.Reset(spec, ""); err != nil {
			t.Fatal(err)
		}
		return b.Spec()
	}
}

// Page returns the page of docs/protocols for a protocol, which has a row for each switch
// that exists, with its default, and for no other.
func Page(t testing.TB, p protocol.Protocol) string {
	t.Helper()
	b, err := os.ReadFile("../../docs/protocols/" + p.ID + ".md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	for _, d := range p.Dialects {
		value := ""
		if d.Default != "" {
			value = "`" + d.Default + "`"
		}
		if row := "\n| `dialect." + d.Key + "` | " + value + " |"; !strings.Contains(text, row) {
			t.Errorf("the page has no row %s", row[1:])
		}
	}
	rows := regexp.MustCompile("(?m)^\\| `dialect\\.\\w+` \\| (`[^|]*`)? \\|")
	if n := len(rows.FindAllString(text, -1)); n != len(p.Dialects) {
		t.Errorf("the page has %d switches, the protocol %d", n, len(p.Dialects))
	}
	return text
}
