package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"os"

	"kibitz/hall/bus"
	"kibitz/hall/queuetls"
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
	case queuetls.OwnMachine(c.Listen):
		return nil, "", nil
	}
	text, err := queuetls.Certificate(s.folder, s.a.now())
	if err != nil {
		return nil, "", err
	}
	if config, pin, err = bus.ServerTLS(text, text); err != nil {
		return nil, "", fmt.Errorf("%s in the hall's folder: %w", queuetls.CertificateFile, err)
	}
	return config, pin, nil
}
