// Package queuetls has what workers on other machines know the queue of a hall by: its own
// certificate, and the token of those that have none of their own.
package queuetls

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kibitz/hall/bus"
	"kibitz/hall/store/halldir"
	"kibitz/internal/wholefile"
)

// ownersOnly are the permissions of files with secrets.
const ownersOnly = 0o600

// OwnMachine reports whether nobody beyond this machine reaches an address.
func OwnMachine(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// CertificateFile has the certificate that a hall made itself, and its key, in its folder.
const CertificateFile = "queue.pem"

// Certificate is that of the hall's queue, with its key, made once.
func Certificate(f *halldir.Folder, now time.Time) ([]byte, error) {
	file := filepath.Join(f.Dir, CertificateFile)
	text, err := os.ReadFile(file)
	if len(text) > 0 || err != nil && !errors.Is(err, os.ErrNotExist) { // an empty one was made on a full disk
		return text, err
	}
	if text, err = bus.NewCertificate(now); err != nil {
		return nil, err
	}
	return text, wholefile.WriteAs(file, text, ownersOnly)
}

// CommonToken is what workers show that have no token of their own. Its file has the
// fingerprint of the queue's certificate behind it.
func CommonToken(f *halldir.Folder, pin string) (string, error) {
	word, err := f.Word("worker.token")
	if err != nil {
		return "", err
	}
	common, has := bus.SplitPin(strings.TrimSpace(word))
	if has != pin {
		err = wholefile.WriteAs(filepath.Join(f.Dir, "worker.token"), []byte(bus.JoinPin(common, pin)+"\n"), ownersOnly)
	}
	return common, err
}
