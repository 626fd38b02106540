package store

import (
	"encoding/hex"
	"io"
)

// NewID returns n bytes of chance in hexadecimal.
func NewID(random io.Reader, n int) string {
	b := make([]byte, n)
	if _, err := io.ReadFull(random, b); err != nil {
		return ""
	}
	return hex.EncodeToString(b)
}
