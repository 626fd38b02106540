package gtp_test

import (
	"os"
	"strings"
	"testing"

	"kibitz/protocol/gtp"
)

// TestDocs holds the docs page to the switches that exist.
func TestDocs(t *testing.T) {
	b, err := os.ReadFile("../../docs/protocols/gtp.md")
	if err != nil {
		t.Fatal(err)
	}
	p := gtp.Protocol()
	for _, d := range p.Dialects {
		row := "| `dialect." + d.Key + "` | `" + d.Default + "` |"
		if !strings.Contains(string(b), row) {
			t.Errorf("the page has no row %s", row)
		}
	}
	if n := strings.Count(string(b), "| `dialect."); n != len(p.Dialects) {
		t.Errorf("the page has %d switches, the protocol %d", n, len(p.Dialects))
	}
}
