package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"

	"kibitz/bus"
	"kibitz/store/halldir"
)

// queueTLS is how connections of workers are encrypted: by the certificate of the flags,
// else, beyond this machine, by one that the hall makes itself and by whose fingerprint
// tokens know it.
func (s *hallService) queueTLS() (config *tls.Config, pin string, err error) {
	c := s.c
	switch {
	case (c.ListenCert == "") != (c.ListenKey == ""):
		return nil, "", errors.New("--listen-cert, --listen-key: give both, or neither")
	case c.ListenCert != "" && c.ListenPlain:
		return nil, "", errors.New("--listen-plain: a certificate is given as well; give one")
	case c.ListenPlain:
		return nil, "", nil
	case c.ListenCert != "":
		cert, err := os.ReadFile(c.ListenCert)
		if err != nil {
			return nil, "", fmt.Errorf("--listen-cert: %w", err)
		}
		key, err := os.ReadFile(c.ListenKey)
		if err != nil {
			return nil, "", fmt.Errorf("--listen-key: %w", err)
		}
		if config, _, err = bus.ServerTLS(cert, key); err != nil {
			return nil, "", fmt.Errorf("--listen-cert, --listen-key: %w", err)
		}
		s.a.guards.Hide(c.ListenKey)
		return config, "", nil
	case ownMachine(c.Listen):
		return nil, "", nil
	}
	text, err := certificate(s.folder, s.a)
	if err != nil {
		return nil, "", err
	}
	if config, pin, err = bus.ServerTLS(text, text); err != nil {
		return nil, "", fmt.Errorf("%s in the hall's folder: %w", certificateFile, err)
	}
	return config, pin, nil
}

// ownMachine reports whether nobody beyond this machine reaches an address.
func ownMachine(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

const certificateFile = "queue.pem"

// certificate is that of the hall's queue, with its key, made once.
func certificate(f *halldir.Folder, a *app) ([]byte, error) {
	file := filepath.Join(f.Dir, certificateFile)
	text, err := os.ReadFile(file)
	if err == nil || !errors.Is(err, os.ErrNotExist) {
		return text, err
	}
	if text, err = bus.NewCertificate(a.now()); err != nil {
		return nil, err
	}
	return text, os.WriteFile(file, text, ownersOnly)
}

// commonToken is what workers show that have no token of their own. Its file has the
// fingerprint of the queue's certificate behind it.
func commonToken(f *halldir.Folder, pin string) (string, error) {
	word, err := f.Word("worker.token")
	if err != nil {
		return "", err
	}
	common, has := bus.SplitPin(strings.TrimSpace(word))
	if has != pin {
		err = os.WriteFile(filepath.Join(f.Dir, "worker.token"), []byte(bus.JoinPin(common, pin)+"\n"), ownersOnly)
	}
	return common, err
}
