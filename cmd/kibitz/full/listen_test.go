package full

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kibitz/hall/bus"
	"kibitz/hall/queuetls"
)

// A certificate of one's own is for the flags; half of one, or none in a file, is refused.
func TestListenFlags(t *testing.T) {
	dir := t.TempDir()
	text, err := bus.NewCertificate(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	good, bad := filepath.Join(dir, "good.pem"), filepath.Join(dir, "bad.pem")
	if err := errors.Join(os.WriteFile(good, text, 0o600), os.WriteFile(bad, []byte("x"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		cmd  serveCmd
		want string
	}{
		{serveCmd{Listen: "0.0.0.0:1", ListenCert: good}, "give both"},
		{serveCmd{Listen: "0.0.0.0:1", ListenCert: good, ListenKey: good, ListenPlain: true}, "give one"},
		{serveCmd{Listen: "0.0.0.0:1", ListenCert: bad, ListenKey: bad}, "--listen-cert, --listen-key: tls"},
		{serveCmd{Listen: "0.0.0.0:1", ListenCert: good, ListenKey: filepath.Join(dir, "none")}, "--listen-key: open"},
	} {
		if _, err := c.cmd.listenTLS(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.cmd, err, c.want)
		}
	}
	c := &serveCmd{Listen: "127.0.0.1:1", ListenCert: good, ListenKey: good}
	if config, err := c.listenTLS(); config == nil || err != nil {
		t.Error(config, err)
	}
	for address, own := range map[string]bool{"127.0.0.1:1": true, "localhost:1": true, "[::1]:1": true, "0.0.0.0:1": false, ":1": false, "192.168.1.2:1": false, "hall.example:1": false} {
		if queuetls.OwnMachine(address) != own {
			t.Error(address)
		}
	}
}
