package full

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kibitz/cmd/kibitz/outside"
	"kibitz/run/engines"
)

// An operator says how many bots and tokens an account may have, and by which token /metrics is read.
func TestServeQuotas(t *testing.T) {
	file := filepath.Join(t.TempDir(), "metrics")
	if err := os.WriteFile(file, []byte("for prometheus\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		cmd  serveCmd
		want string
	}{
		{serveCmd{Bots: 0, Tokens: 10}, "--bots 0 --tokens 10: must be 1 or more"},
		{serveCmd{Bots: 3, Tokens: -1}, "--bots 3 --tokens -1: must be 1 or more"},
		{serveCmd{Bots: 3, Tokens: 4, MetricsFile: file}, "--metrics-token-file " + file + ": want the token of whoever reads /metrics, one word"},
		{serveCmd{Bots: 3, Tokens: 4, Engines: file + "x"}, "--engines: open"},
		{serveCmd{Bots: 3, Tokens: 4, MetricsFile: file + "x"}, "--metrics-token-file: open"},
	} {
		if _, err := c.cmd.config(&outside.World{Guards: &engines.Guards{}}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.cmd, err, c.want)
		}
	}
	if err := os.WriteFile(file, []byte("word\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := &serveCmd{Bots: 3, Tokens: 4, MetricsFile: file}
	config, err := c.config(&outside.World{Guards: &engines.Guards{}})
	if o := config.Options; err != nil || o.Bots != 3 || o.Tokens != 4 || o.MetricsToken != "word" {
		t.Errorf("%+v, %v", o, err)
	}
}
