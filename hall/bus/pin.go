package bus

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// A server that made its certificate itself is known by its key: the token of a worker ends
// with the fingerprint of that, so that the worker needs nothing else.

// pinMark begins a fingerprint: the SHA-256 of the public key of a certificate (its
// SubjectPublicKeyInfo) in base64 for addresses follows.
const pinMark = "sha256-"

// Errors of a connection that must be encrypted, or is not.
var (
	// ErrPin: the server has another key than the token says.
	ErrPin = errors.New("the server is not the one that the token was made for: its key is another one")
	// ErrUnpinned: the certificate of the server is of nobody who is known here.
	ErrUnpinned = errors.New("the server made its certificate itself, and the token does not say which: take a token that " +
		"Administration, Workers makes now, or add to this one what the hall says at its start (\"." + pinMark + "...\")")
	// ErrPlain: the server does not encrypt, though the token says that it does.
	ErrPlain = errors.New("the server does not encrypt, though the token is for one that does: is it the right address?")
)

// SplitPin splits a token into what the server is shown and the fingerprint by which the
// server is known, which may be empty.
func SplitPin(token string) (shown, pin string) {
	if i := strings.LastIndex(token, "."+pinMark); i >= 0 {
		return token[:i], token[i+1:]
	}
	return token, ""
}

// JoinPin is the token with a fingerprint; without one it is the token.
func JoinPin(token, pin string) string {
	if pin == "" {
		return token
	}
	return token + "." + pin
}

func pinOf(c *x509.Certificate) string {
	sum := sha256.Sum256(c.RawSubjectPublicKeyInfo)
	return pinMark + base64.RawURLEncoding.EncodeToString(sum[:])
}

// NewCertificate makes a key and a certificate for it, for a server that is known by its
// fingerprint, as PEM.
func NewCertificate(now time.Time) ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	form := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: "kibitz"}, DNSNames: []string{"kibitz"},
		NotBefore: now.Add(-24 * time.Hour), NotAfter: now.AddDate(100, 0, 0),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = errors.Join(pem.Encode(&out, &pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.Encode(&out, &pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
	return out.Bytes(), err
}

// ServerTLS is what a server needs for a certificate and its key, both as PEM, and the
// certificate's fingerprint.
func ServerTLS(cert, key []byte) (c *tls.Config, pin string, err error) {
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, "", err
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS13}, pinOf(pair.Leaf), nil
}

// pinned believes the server that has the key of a fingerprint, and no other.
func pinned(pin string) *tls.Config {
	return &tls.Config{
		MinVersion:         tls.VersionTLS13,
		InsecureSkipVerify: true, //nolint:gosec // the key itself is compared
		VerifyConnection: func(s tls.ConnectionState) error {
			if len(s.PeerCertificates) == 0 || pinOf(s.PeerCertificates[0]) != pin {
				return ErrPin
			}
			return nil
		},
	}
}

// unpin takes the fingerprint out of the token of a client, which stands in Token or in the
// addresses, and believes the server that has it.
func (o Options) unpin() (Options, error) {
	var pin string
	if o.Token, pin = SplitPin(o.Token); pin == "" {
		list := strings.Split(o.URL, ",")
		for i, one := range list {
			u, err := url.Parse(strings.TrimSpace(one))
			if err != nil || u.User == nil || hasPassword(u) {
				continue
			}
			token, p := SplitPin(u.User.Username())
			if p == "" {
				continue
			}
			if pin != "" && p != pin {
				return o, errors.New("bus: the tokens of two servers have different fingerprints")
			}
			pin, u.User = p, url.User(token)
			list[i] = u.String()
		}
		o.URL = strings.Join(list, ",")
	}
	if pin == "" {
		return o, nil
	}
	if o.TLS != nil {
		return o, errors.New("bus: both TLS settings and a token with a fingerprint are given")
	}
	if sum, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(pin, pinMark)); err != nil || len(sum) != sha256.Size {
		return o, fmt.Errorf("bus: the fingerprint %q at the end of the token is not whole", pin)
	}
	o.TLS = pinned(pin)
	return o, nil
}

// plainly says in our words why a connection could not be encrypted.
func plainly(err error) error {
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	switch {
	case errors.As(err, &unknown), errors.As(err, &name):
		return fmt.Errorf("%w (%w)", ErrUnpinned, err)
	case errors.Is(err, nats.ErrSecureConnWanted):
		return ErrPlain
	}
	return err
}
