package auth

import (
	"crypto/sha256"
	"encoding/base64"
	"io"
	"strings"
)

// TokenPrefix begins every token, so that scanners for leaked secrets find it.
const TokenPrefix = "kib_"

// invitePrefix begins every invitation. Invitations are kept among the tokens of the
// admin who made them, under a name that no token of a person has.
const (
	invitePrefix = "kin_"
	inviteName   = "!invitation"
)

// secretSize is the entropy of tokens and invitations in bytes.
const secretSize = 32

func newSecret(random io.Reader, prefix string) (string, error) {
	b := make([]byte, secretSize)
	if _, err := io.ReadFull(random, b); err != nil {
		return "", err
	}
	return prefix + base64.RawURLEncoding.EncodeToString(b), nil
}

// HashToken returns what the store keeps of a token. It is a plain hash: tokens have
// 256 bits of chance, there is nothing to guess.
func HashToken(token string) []byte {
	h := sha256.Sum256([]byte(token))
	return h[:]
}

// ParseBearer returns the token of an Authorization header, and false if the header
// holds none that could be one of ours.
func ParseBearer(header string) (string, bool) {
	scheme, token, ok := strings.Cut(header, " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return "", false
	}
	token = strings.TrimLeft(token, " ")
	rest, ok := strings.CutPrefix(token, TokenPrefix)
	if !ok {
		return "", false
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(rest)
	return token, err == nil && len(b) == secretSize
}
