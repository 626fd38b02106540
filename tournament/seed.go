package tournament

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
)

// Seeds is the root of a run's labelled seed tree. Everything random in a run
// comes from it, so that neither the order of games nor the number of workers
// changes a game. The secret keeps a small seed from being guessed.
type Seeds struct {
	Seed   uint64
	Secret [32]byte
}

// At returns the seed for a label, for example "shuffle 17/dealer".
func (s Seeds) At(label string) [32]byte {
	mac := hmac.New(sha256.New, s.Secret[:])
	mac.Write([]byte(strconv.FormatUint(s.Seed, 10)))
	mac.Write([]byte{0})
	mac.Write([]byte(label))
	var out [32]byte
	copy(out[:], mac.Sum(nil))
	return out
}

// Commitment returns what can be published about a seed before it is used and
// checked once it is known: its SHA-256 in hexadecimal.
func Commitment(seed [32]byte) string {
	sum := sha256.Sum256(seed[:])
	return hex.EncodeToString(sum[:])
}

// ReadSeed reads the seed of a shuffle as records have it.
func ReadSeed(text string) (seed [32]byte, err error) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != len(seed) {
		return seed, errors.New("the seed of a shuffle has 64 hexadecimal digits")
	}
	copy(seed[:], b)
	return seed, nil
}
